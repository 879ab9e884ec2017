-- The address of a source can change. Ids of entries that are unique only within their source are then told apart.
alter table polled_sources
  -- SHA-256 of the first address that was read; null before the first poll.
  add column first_source_hash bytea;
update polled_sources set first_source_hash = source_hash;
-- The ids of deliveries contain the version of the poll instead, which never restarts.
alter table polled_entries drop column revision;

-- When the source of an event said what is stored, so that an older delivery does not replace it; null without a source.
alter table events add column source_updated_at timestamptz;
