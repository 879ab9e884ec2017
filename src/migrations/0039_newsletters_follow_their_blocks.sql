-- A newsletter shows its blocks, so a change of a block is a change of every newsletter that is not sent
-- and contains it: the newsletter gets its next version. A ready newsletter is in progress again when
-- one of its blocks becomes a draft or gets an embargo.
create function change_newsletters_of_blocks() returns trigger language plpgsql as $$
begin
  update newsletters n
  set version = n.version + 1,
    updated_at = greatest(n.updated_at, change.at),
    status = case when n.status = 'ready' and change.is_unready then 'in_progress' else n.status end
  from (
    select nb.team_id, nb.newsletter_id, max(b.updated_at) as at,
      bool_or(b.status = 'draft' or coalesce(b.publish_after > b.updated_at, false)) as is_unready
    from new_blocks b
    join old_blocks o on o.team_id = b.team_id and o.id = b.id and o.version <> b.version
    join newsletter_blocks nb on nb.team_id = b.team_id and nb.content_block_id = b.id
    group by nb.team_id, nb.newsletter_id
  ) change
  where n.team_id = change.team_id and n.id = change.newsletter_id and n.status <> 'sent';
  return null;
end
$$;

create trigger change_newsletters after update on content_blocks
  referencing old table as old_blocks new table as new_blocks
  for each statement execute function change_newsletters_of_blocks();
