-- The second factors of accounts, for better-auth's plugins two-factor and passkey.

alter table accounts add column two_factor_enabled boolean not null default false;
alter table teams add column requires_second_factor boolean not null default false;
-- True for a session that was started by the identity provider, which checks second factors itself.
alter table sessions add column identity_provider boolean not null default false;

create table two_factors (
  id text primary key,
  account_id text not null unique references accounts on delete cascade,
  -- Encrypted.
  secret text not null,
  backup_codes text not null,
  -- False until a code of the authenticator app has been entered.
  verified boolean not null default false,
  failed_verifications integer not null default 0,
  locked_until timestamptz
);

create table passkeys (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  name text,
  credential_id text not null unique,
  public_key text not null,
  counter double precision not null,
  device_type text not null check (device_type in ('singleDevice', 'multiDevice')),
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz not null default now()
);
create index passkeys_account_id_idx on passkeys (account_id);
