-- The console lists the blocks of a team that were declined in the last day, with who declined them.
alter table trashed_blocks add column deleted_by text;
create index on trashed_blocks (team_id, deleted_at);
