-- Changes of accounts about which their people get an email. A row is deleted in the transaction that stores the email.

create table account_changes (
  id id primary key,
  account_id id not null references accounts on delete cascade,
  change text not null check (change in (
    'passkey_added', 'passkey_removed', 'authenticator_added', 'authenticator_removed', 'backup_codes_created',
    'backup_code_used', 'password_changed', 'password_reset', 'password_link_made', 'sign_in_link_made',
    'second_factor_reset', 'identity_linked', 'identity_unlinked', 'credentials_replaced')),
  -- The name of a passkey or an identity provider, or the admin who made the change.
  detail text,
  -- The network address from which the person made the change.
  address text,
  created_at timestamptz not null
);
create index on account_changes (account_id);
create index on account_changes (created_at);
