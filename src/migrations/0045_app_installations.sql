-- When and why the provider stopped accepting a connection: its app or its token was removed there.
alter table connections add column disconnected_at timestamptz;
alter table connections add column disconnected_reason text
  check (disconnected_reason in ('uninstalled', 'revoked', 'expired'));
alter table connections add check ((disconnected_at is null) = (disconnected_reason is null));

-- Connections to the operator's app, which admins add to their workspace. Their tokens are encrypted with the
-- settings of the connection.
create table app_installations (
  team_id id not null,
  connection_id id not null,
  adapter text not null,
  -- The id of a workspace or an organization at the provider.
  workspace_id text not null check (length(workspace_id) between 1 and 255),
  installed_at timestamptz not null,
  -- When the token expires; null for one that does not.
  expires_at timestamptz,
  -- Until when one process refreshes the token.
  refreshing_until timestamptz,
  primary key (team_id, connection_id),
  unique (adapter, workspace_id),
  foreign key (team_id, connection_id) references connections (team_id, id)
);
create index on app_installations (expires_at) where expires_at is not null;

-- Tokens that a person uses once, within minutes. Only their hash is stored.
create table one_time_tokens (
  token_hash bytea not null primary key,
  team_id id not null references teams (id),
  purpose text not null check (purpose in ('install_app', 'link_chat_account')),
  -- What the token is for; no secrets.
  data jsonb not null,
  expires_at timestamptz not null
);
create index on one_time_tokens (expires_at);
