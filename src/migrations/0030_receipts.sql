-- The pages on which people without an account see what happened to the news that they sent.
-- A receipt outlives its block, so that its page can say that the news was not used.
create table receipts (
  team_id id not null references teams,
  block_id id not null,
  token text not null check (length(token) >= 32),
  created_at timestamptz not null,
  primary key (team_id, block_id),
  unique (team_id, token)
);
create index on receipts (created_at);
