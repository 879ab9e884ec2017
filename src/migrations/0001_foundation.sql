-- Ids sort by creation byte for byte, whatever the database's locale.
create domain id as text collate "C";

create table teams (
  id id primary key,
  slug text not null unique,
  name text not null,
  created_at timestamptz not null
);

create table api_keys (
  id id primary key,
  team_id id not null references teams,
  name text not null,
  hash bytea not null unique,
  start text not null,
  scopes text[] not null,
  ingest_only boolean not null default false,
  allow_auto_ready boolean not null default true,
  provider text,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null
);
create index on api_keys (team_id, id desc);

-- Written on every request, so apart from the key: writes hold the key's row in share mode.
create table api_key_usage (
  api_key_id id primary key references api_keys on delete cascade,
  hits timestamptz[] not null default '{}',
  accepted boolean not null default true,
  last_used_at timestamptz,
  last_used_in_url_at timestamptz
) with (fillfactor = 50);

create table events (
  team_id id not null references teams,
  slug text not null,
  name text not null,
  event_date date not null,
  primary key (team_id, slug)
);

create table content_blocks (
  id id primary key,
  team_id id not null references teams,
  title text not null,
  body text not null,
  body_format text not null,
  block_type text not null,
  status text not null,
  source text not null,
  event_slug text,
  image_url text,
  image_size text,
  provider text,
  external_id text,
  source_url text,
  author text,
  publish_after timestamptz,
  api_key_id id references api_keys,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The team is a word of its own, so that the index finds words within one team.
  search tsvector not null generated always as (
    to_tsvector('simple', title || ' ' || body) || array_to_tsvector(array[team_id::text])
  ) stored
);
-- The same thing told twice by one key is one block.
create unique index on content_blocks (api_key_id, external_id) where external_id is not null;
create index on content_blocks (team_id, id desc);
create index on content_blocks (team_id, status, id desc);
create index on content_blocks (team_id, block_type, id desc);
create index on content_blocks (team_id, source, id desc);
create index on content_blocks (team_id, event_slug, id desc) where event_slug is not null;
create index on content_blocks using gin (search);

create table idempotency_keys (
  api_key_id id not null references api_keys on delete cascade,
  path text not null,
  key text not null,
  request_hash bytea not null,
  -- The block an ingest made; other answers need no row.
  resource_id id,
  status smallint not null,
  location text,
  answer json not null,
  created_at timestamptz not null,
  primary key (api_key_id, path, key)
);
create index on idempotency_keys (created_at);
