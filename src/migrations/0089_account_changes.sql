-- Changes of accounts about which their people get an email. A row is deleted in the transaction that stores the email.

create table account_changes (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  change text not null,
  -- The name of a passkey or an identity provider, or the admin who made the change.
  detail text,
  -- The network address from which the person made the change.
  address text,
  created_at timestamptz not null
);
create index on account_changes (account_id);
create index on account_changes (created_at);
