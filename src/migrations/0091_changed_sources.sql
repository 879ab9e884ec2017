-- The address of a source can change. Ids of entries that are unique only within their source are then distinguished.
alter table polled_sources
  -- SHA-256 of the first address that was read; null before the first poll.
  add column first_source_hash bytea;
update polled_sources set first_source_hash = source_hash;
-- The ids of deliveries contain the version of the poll instead, which never restarts.
alter table polled_entries drop column revision;
-- The address at which an entry was last seen: what is missing at another one is not withdrawn, and is known when the earlier address is set again.
alter table polled_entries add column source_hash bytea;
update polled_entries e set source_hash = s.source_hash from polled_sources s
where s.team_id = e.team_id and s.connection_id = e.connection_id;
alter table polled_entries alter column source_hash set not null;

-- When the source of an event said what is stored, so that an older delivery does not replace it; null without a source.
alter table events add column source_updated_at timestamptz;
