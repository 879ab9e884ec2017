-- Blocks that a person has deleted in the console, for a day, so that it can be undone.
create table deleted_blocks (
  id id primary key,
  team_id id not null references teams,
  api_key_id id,
  external_id text,
  block jsonb not null,
  deleted_at timestamptz not null
);
create index on deleted_blocks (deleted_at);
-- What a provider takes back cannot be brought back by undoing.
create index on deleted_blocks (api_key_id, external_id) where external_id is not null;

-- In which newsletters a block was sent.
create index on newsletter_blocks (team_id, (sent_block ->> 'id')) where sent_block is not null;
