-- Tables that grow with the teams have the team in their primary key and in every unique key, so that
-- they can be distributed by team. docs/scaling.md lists them; a test compares it with the catalog.
alter table audit_log drop constraint audit_log_pkey, add primary key (team_id, id);

alter table trashed_blocks drop constraint trashed_blocks_pkey, add primary key (team_id, id);

alter table deliveries
  drop constraint deliveries_connection_id_delivery_id_key,
  drop constraint deliveries_pkey,
  add primary key (team_id, id),
  add unique (team_id, connection_id, delivery_id);

alter table item_sync_state
  drop constraint item_sync_state_pkey,
  add primary key (team_id, connection_id, external_id);

alter table rollups
  drop constraint rollups_pkey,
  add primary key (team_id, connection_id, group_key, week);

alter table rollup_items
  drop constraint rollup_items_pkey,
  add primary key (team_id, connection_id, external_id);

alter table newsletter_blocks drop constraint newsletter_blocks_team_id_newsletter_id_fkey;
alter table newsletter_elements drop constraint newsletter_elements_team_id_newsletter_id_fkey;
alter table newsletter_posts drop constraint newsletter_posts_team_id_newsletter_id_fkey;
alter table newsletters
  drop constraint newsletters_pkey,
  drop constraint newsletters_team_id_id_key,
  add primary key (team_id, id);
alter table newsletter_blocks
  add foreign key (team_id, newsletter_id) references newsletters (team_id, id) on delete cascade;
alter table newsletter_elements
  add foreign key (team_id, newsletter_id) references newsletters (team_id, id) on delete cascade;
alter table newsletter_posts
  add foreign key (team_id, newsletter_id) references newsletters (team_id, id) on delete cascade;

alter table newsletter_blocks
  drop constraint newsletter_blocks_pkey,
  drop constraint newsletter_blocks_newsletter_id_content_block_id_key,
  drop constraint newsletter_blocks_newsletter_id_position_key,
  add primary key (team_id, id),
  add unique (team_id, newsletter_id, content_block_id),
  add unique (team_id, newsletter_id, position) deferrable;

alter table previews drop constraint previews_pkey;
alter table previews add constraint previews_pkey primary key using index previews_team_id_id_idx;
alter table preview_emails drop constraint preview_emails_pkey, add primary key (team_id, id);
