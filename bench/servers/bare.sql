create table bare_teams (id text primary key, name text not null, slug text not null);
insert into bare_teams values ('team_1', 'Bench', 'bench');

-- One index serves the insert and the list.
create table bare_blocks (
  team_id text not null,
  id text not null,
  title text not null,
  body text not null,
  body_format text not null default 'html',
  block_type text not null,
  status text not null,
  source text not null default 'webhook',
  event_slug text,
  image_url text,
  publish_after timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null default now(),
  primary key (team_id, id)
);

create table drizzle_keys (hash text primary key, team_id text not null);
