-- Events that a source has created are deleted when they have been over for long.
create index events_of_sources_idx on events (event_date)
  where source_updated_at is not null and not recurs and description is null and suggested_content is null;
