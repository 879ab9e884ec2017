-- How many blocks of a team have left a list: their status, type or source has changed, or they were deleted. A process
-- that has counted a list of more blocks knows with it that the list is still longer than lists are counted. Several
-- rows let several connections write at the same time; their sum counts. Insertions write nothing here.
create table content_block_changes (
  team_id id not null references teams,
  shard smallint not null,
  changes bigint not null,
  primary key (team_id, shard)
) with (fillfactor = 50);

create function count_block_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into content_block_changes as c (team_id, shard, changes)
    select team_id, pg_backend_pid() % 16, count(*) from old_blocks group by 1 order by 1
    on conflict (team_id, shard) do update set changes = c.changes + excluded.changes;
  else
    insert into content_block_changes as c (team_id, shard, changes)
    select n.team_id, pg_backend_pid() % 16, count(*)
    from new_blocks n join old_blocks o on o.team_id = n.team_id and o.id = n.id
    where (n.status, n.block_type, n.source) is distinct from (o.status, o.block_type, o.source)
    group by 1 order by 1
    on conflict (team_id, shard) do update set changes = c.changes + excluded.changes;
  end if;
  return null;
end $$;
create trigger count_left_by_update after update on content_blocks
  referencing old table as old_blocks new table as new_blocks
  for each statement execute function count_block_changes();
create trigger count_left_by_delete after delete on content_blocks
  referencing old table as old_blocks for each statement execute function count_block_changes();
