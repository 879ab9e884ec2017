-- Sources that send no requests and are read on a schedule, one for each connection of such an adapter.
create table polled_sources (
  team_id id not null,
  connection_id id not null,
  -- SHA-256 of the address, which can be secret; null before the first poll. Another source is read from the start.
  source_hash bytea,
  -- When the next poll is due; null when the source says that it has ended.
  due_at timestamptz,
  -- When a job for the poll was added; null when there is none.
  queued_at timestamptz,
  polled_at timestamptz,
  succeeded_at timestamptz,
  -- When the entries were last read; later polls can have said that nothing has changed.
  read_at timestamptz,
  -- Polls that have failed one after the other, and why the last one did.
  failures integer not null default 0,
  reason text,
  problem text check (problem in ('refused', 'rate_limited', 'unavailable', 'ended')),
  -- What the adapter stored for the next poll, such as an ETag.
  state json,
  -- Counts the polls: of two at the same time, only one is stored.
  version integer not null default 0,
  check ((reason is null) = (problem is null)),
  primary key (team_id, connection_id),
  foreign key (team_id, connection_id) references connections (team_id, id)
);
create index polled_sources_due_at_idx on polled_sources (due_at) where due_at is not null;

-- The entries of a source that were seen, each of which becomes one item.
create table polled_entries (
  team_id id not null,
  connection_id id not null,
  key text not null check (char_length(key) between 1 and 200),
  -- Differs when readers see another text.
  version text not null,
  -- Counts the changes and withdrawals, for the ids of deliveries.
  revision integer not null default 1,
  is_withdrawn boolean not null default false,
  -- An entry that is missing later is over and not cancelled.
  ends_at timestamptz,
  seen_at timestamptz not null,
  primary key (team_id, connection_id, key),
  foreign key (team_id, connection_id) references polled_sources (team_id, connection_id) on delete cascade
);
create index polled_entries_seen_at_idx on polled_entries (seen_at);
