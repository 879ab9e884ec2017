-- What a connection told of a thing that may change afterwards: which delivery had the last say.
create table told_news (
  connection_id id not null references connections,
  external_id text not null,
  team_id id not null references teams,
  delivery_id id not null,
  heard_at timestamptz not null,
  -- The moment that was told of, by the provider's clock where it tells the time.
  as_of timestamptz not null,
  -- The version its block had then, so that a person's edit shows; null once it was taken back.
  block_version integer,
  primary key (connection_id, external_id)
);

-- The block that gathers the news of one repository or project in one week.
create table rollups (
  connection_id id not null references connections,
  group_key text not null,
  week text not null,
  team_id id not null references teams,
  block_id id not null,
  -- As it was written last, so that a person's own title stays.
  title text not null,
  primary key (connection_id, group_key, week)
);

-- What was gathered, each once for good. `heading` is how its part of the block begins.
create table rollup_items (
  connection_id id not null references connections,
  external_id text not null,
  team_id id not null references teams,
  block_id id not null,
  -- Sorts by arrival.
  place text collate "C" not null,
  heading text not null,
  primary key (connection_id, external_id)
);
create index on rollup_items (connection_id, block_id);
