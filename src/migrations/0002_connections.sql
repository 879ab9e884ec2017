-- A provider bound to a team. What must not be read from a dump lies in `sealed`: the address that
-- the provider calls, the value of the connection's key, and the secret settings.
create table connections (
  id id primary key,
  team_id id not null references teams,
  adapter text not null,
  hook_hash bytea not null unique,
  api_key_id id not null unique references api_keys,
  settings json not null,
  sealed bytea,
  unknown_events integer not null default 0,
  created_at timestamptz not null,
  removed_at timestamptz,
  check ((sealed is null) = (removed_at is not null))
);
create index on connections (team_id, id desc);

-- One per event a provider told, under the provider's own id, with what became of it. `event`,
-- `transient` and `items` are there only while they are needed.
create table deliveries (
  id id primary key,
  team_id id not null references teams,
  connection_id id not null references connections,
  delivery_id text not null,
  status text not null,
  event json,
  transient bytea,
  items json,
  reason text,
  block_ids text[] not null default '{}',
  attempts integer not null default 0,
  replays integer not null default 0,
  received_at timestamptz not null,
  settled_at timestamptz,
  unique (connection_id, delivery_id)
);
create index on deliveries (team_id, connection_id, id desc);
create index on deliveries (team_id, connection_id, id) where status = 'waiting';
create index on deliveries (settled_at);
