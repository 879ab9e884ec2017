-- A person who can sign in. One account may be a member of several teams.
create table accounts (
  id id primary key,
  email text not null unique check (email = lower(email)),
  name text not null,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- How an account proves itself; one row per provider, today the password alone.
create table credentials (
  id id primary key,
  account_id id not null references accounts on delete cascade,
  provider_id text not null,
  provider_account_id text not null,
  password text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (provider_id, provider_account_id)
);
create index on credentials (account_id);

-- The token alone opens nothing: the cookie carries it signed with the installation's secret.
create table sessions (
  id id primary key,
  account_id id not null references accounts on delete cascade,
  token text not null unique,
  -- The team the person looks at; null: the first.
  team_id id references teams on delete set null,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on sessions (account_id);

-- Links for a new password; `identifier` is hashed.
create table account_tokens (
  id id primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on account_tokens (identifier);

-- How far somebody is ahead of the pace allowed (GCRA); rows in the past mean nothing.
create table attempts (
  subject bytea primary key,
  full_again_at timestamptz not null
);
create index on attempts (full_again_at);

-- The link that makes the first account; gone with it.
create table setup_links (
  token_hash bytea primary key,
  created_at timestamptz not null
);

alter table members add column account_id id references accounts;
create unique index on members (team_id, account_id);
create index on members (account_id);

create table invitations (
  token_hash bytea primary key,
  team_id id not null references teams,
  member_id id not null references members,
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create index on invitations (team_id, member_id);

-- Who did what, when and from where. Names are kept as they were at the time.
create table audit_log (
  id id primary key,
  team_id id not null references teams,
  action text not null,
  actor text not null,
  subject text,
  address text,
  created_at timestamptz not null
);
create index on audit_log (team_id, id desc);

create function refuse_change() returns trigger language plpgsql as
  $$ begin raise exception 'the audit log is never changed'; end $$;
create trigger audit_log_is_final before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
