-- Every index begins with the team, so that no statistics make PostgreSQL walk the blocks of others.
alter table newsletter_blocks drop constraint newsletter_blocks_team_id_content_block_id_fkey;
alter table content_blocks drop constraint content_blocks_pkey, add primary key (team_id, id);
drop index content_blocks_team_id_id_idx;
alter table newsletter_blocks
  add foreign key (team_id, content_block_id) references content_blocks (team_id, id);

-- One index serves the filters by status, type and source in any combination: a list reads it once for
-- each combination of values.
create index content_blocks_filter_idx on content_blocks (team_id, status, block_type, source, id);
drop index content_blocks_team_id_status_id_idx;
drop index content_blocks_team_id_block_type_id_idx;
drop index content_blocks_team_id_source_id_idx;

-- How many blocks a team has from each month (UTC), so that nobody counts them one by one. Several rows
-- for a month let several connections write at the same time; their sum counts.
create table content_block_counts (
  team_id id not null references teams,
  month date not null,
  shard smallint not null,
  blocks integer not null,
  primary key (team_id, month, shard)
) with (fillfactor = 50);

insert into content_block_counts (team_id, month, shard, blocks)
select team_id, date_trunc('month', created_at at time zone 'UTC')::date, 0, count(*)
from content_blocks group by 1, 2;

create function count_content_blocks() returns trigger language plpgsql as $$
begin
  insert into content_block_counts as c (team_id, month, shard, blocks)
  select team_id, date_trunc('month', created_at at time zone 'UTC')::date, pg_backend_pid() % 16,
    case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed group by 1, 2 order by 1, 2
  on conflict (team_id, month, shard) do update set blocks = c.blocks + excluded.blocks;
  return null;
end $$;
create trigger count_inserted after insert on content_blocks
  referencing new table as changed for each statement execute function count_content_blocks();
create trigger count_deleted after delete on content_blocks
  referencing old table as changed for each statement execute function count_content_blocks();
