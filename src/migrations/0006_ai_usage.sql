-- AI drafts per calendar month; `period` is its first day in UTC.
create table ai_usage (
  team_id id not null references teams,
  period date not null,
  used integer not null check (used >= 0),
  primary key (team_id, period)
);

-- Idempotency-Keys whose first request works longer than a transaction should last. After
-- `held_until` the holder has crashed, and a repeat may take its place.
create table idempotency_holds (
  api_key_id id not null references api_keys on delete cascade,
  path text not null,
  key text not null,
  holder text not null,
  held_until timestamptz not null,
  primary key (api_key_id, path, key)
);
