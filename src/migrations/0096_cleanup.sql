-- Events that a source has created are deleted when they have been over for long.
create index events_of_sources_idx on events (event_date)
  where source_updated_at is not null and not recurs and description is null and suggested_content is null;

-- The texts that refer to images are read in slices, in the order of these indexes.
drop index content_blocks_media_idx;
create index content_blocks_media_idx on content_blocks (team_id, id)
  where image_url like '%/media/%' or body like '%/media/%';
drop index block_versions_media_idx;
create index block_versions_media_idx on block_versions (team_id, block_id, version)
  where content ->> 'image_url' like '%/media/%' or content ->> 'body' like '%/media/%';
