-- Tables and columns get the standard terms of the glossary, every column with a fixed set of
-- values a CHECK, and every reference to a row of a team the team's id.

alter table api_keys rename column start to prefix;
alter table api_keys rename column hash to token_hash;
alter table api_key_usage rename column hits to recent_requests;
-- Nothing reads it: the answer to a request is computed with the request.
alter table api_key_usage drop column accepted;
alter table connections rename column sealed to encrypted;
alter table connections rename column hook_hash to webhook_token_hash;
alter table newsletter_blocks rename column sent_block to snapshot;
alter table deliveries rename column transient to ephemeral_context;
alter table deleted_blocks rename to trashed_blocks;
alter table outbox rename to captured_emails;
alter table account_mails rename to account_emails;
alter table account_emails rename column sealed to encrypted;
alter table preview_mails rename to preview_emails;
alter table preview_counts rename to preview_daily_usage;
alter table preview_daily_usage rename column mails to emails;
alter table attempts rename to rate_limits;
alter table rate_limits rename column full_again_at to tat;
alter table idempotency_holds rename to idempotency_locks;
alter table idempotency_locks rename column holder to owner;
alter table idempotency_locks rename column held_until to locked_until;
alter table told_news rename to item_sync_state;
alter table item_sync_state rename column heard_at to received_at;
alter table item_sync_state rename column as_of to source_updated_at;
alter table rollup_items rename column place to sort_key;

-- Indexes and constraints keep the names of their old tables and columns otherwise, and a new
-- database would differ from a migrated one in nothing but these names.
do $$
declare
  renamed record;
begin
  for renamed in
    select c.oid::regclass as old,
      replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
        c.relname, 'deleted_blocks', 'trashed_blocks'), 'outbox', 'captured_emails'),
        'account_mails', 'account_emails'), 'preview_mails', 'preview_emails'),
        'preview_counts', 'preview_daily_usage'), 'attempts', 'rate_limits'),
        'idempotency_holds', 'idempotency_locks'), 'told_news', 'item_sync_state'),
        'full_again_at', 'tat'), 'hook_hash', 'webhook_token_hash'),
        'api_keys_hash', 'api_keys_token_hash') as new
    from pg_class c
    where c.relkind = 'i' and c.relnamespace = current_schema()::regnamespace
  loop
    if renamed.old::text <> renamed.new then
      execute format('alter index %s rename to %I', renamed.old, renamed.new);
    end if;
  end loop;
  for renamed in
    select n.conrelid::regclass as on_table, n.conname as old,
      replace(replace(replace(replace(replace(replace(replace(replace(replace(
        n.conname, 'deleted_blocks', 'trashed_blocks'), 'outbox', 'captured_emails'),
        'account_mails', 'account_emails'), 'preview_mails', 'preview_emails'),
        'preview_counts', 'preview_daily_usage'), 'attempts', 'rate_limits'),
        'idempotency_holds', 'idempotency_locks'), 'told_news', 'item_sync_state'),
        'full_again_at', 'tat') as new
    from pg_constraint n
    where n.conrelid <> 0 and n.connamespace = current_schema()::regnamespace
  loop
    if renamed.old <> renamed.new then
      execute format('alter table %s rename constraint %I to %I',
        renamed.on_table, renamed.old, renamed.new);
    end if;
  end loop;
end $$;

alter table teams add check (newsletter_cadence in ('weekly', 'biweekly', 'monthly', 'quarterly', 'ad_hoc'));
alter table members add check (role in ('admin', 'editor', 'viewer'));
alter table api_keys add check (scopes <@ array['read', 'write', 'send_preview']);
alter table events add check (category in ('awareness_day', 'cultural', 'seasonal', 'corporate', 'wellness', 'diversity'));
alter table newsletters add check (status in ('draft', 'in_progress', 'ready', 'sent'));
alter table deliveries add check (status in ('waiting', 'delivered', 'ignored', 'failed', 'withdrawn'));
alter table idempotency_keys add check (status between 200 and 599);
alter table content_blocks
  add check (body_format in ('html', 'text')),
  add check (block_type in ('general', 'ceo_update', 'team_spotlight', 'new_starter', 'policy_change',
    'event_announcement', 'wins_milestones', 'poll', 'learning_development')),
  add check (status in ('draft', 'ready', 'used')),
  add check (source in ('manual', 'submission', 'ai_draft', 'agent', 'webhook')),
  add check (image_size in ('small', 'medium', 'full_width'));

-- A reference to a row of a team needs a unique index with the team's id. Each takes the place of the
-- index with the same columns.
drop index api_keys_team_id_id_idx;
create unique index api_keys_team_id_id_idx on api_keys (team_id, id desc);
drop index content_blocks_team_id_id_idx;
create unique index content_blocks_team_id_id_idx on content_blocks (team_id, id desc);
drop index connections_team_id_id_idx;
create unique index connections_team_id_id_idx on connections (team_id, id desc);
create unique index members_team_id_id_idx on members (team_id, id);
create unique index previews_team_id_id_idx on previews (team_id, id);

alter table content_blocks
  drop constraint content_blocks_api_key_id_fkey,
  add foreign key (team_id, api_key_id) references api_keys (team_id, id);
alter table connections
  drop constraint connections_api_key_id_fkey,
  add foreign key (team_id, api_key_id) references api_keys (team_id, id);
alter table deliveries
  drop constraint deliveries_connection_id_fkey,
  add foreign key (team_id, connection_id) references connections (team_id, id);
alter table newsletter_blocks
  drop constraint newsletter_blocks_content_block_id_fkey,
  add foreign key (team_id, content_block_id) references content_blocks (team_id, id);
alter table previews
  drop constraint previews_api_key_id_fkey,
  add foreign key (team_id, api_key_id) references api_keys (team_id, id),
  add foreign key (team_id, member_id) references members (team_id, id);
alter table preview_emails
  drop constraint preview_emails_preview_id_fkey,
  add foreign key (team_id, preview_id) references previews (team_id, id) on delete cascade;
alter table invitations
  drop constraint invitations_member_id_fkey,
  add foreign key (team_id, member_id) references members (team_id, id);
alter table item_sync_state
  drop constraint item_sync_state_connection_id_fkey,
  add foreign key (team_id, connection_id) references connections (team_id, id);
alter table rollups
  drop constraint rollups_connection_id_fkey,
  add foreign key (team_id, connection_id) references connections (team_id, id);
alter table rollup_items
  drop constraint rollup_items_connection_id_fkey,
  add foreign key (team_id, connection_id) references connections (team_id, id);
alter table api_keys add foreign key (team_id, created_by) references members (team_id, id);
alter table trashed_blocks add foreign key (team_id, api_key_id) references api_keys (team_id, id);
