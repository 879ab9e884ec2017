-- Open pages of a newsletter hear of every change of its blocks: of reviews, roll-ups and sent newsletters,
-- too. The message does not say who made it.
create or replace function change_newsletters_of_blocks() returns trigger language plpgsql as $$
declare
  changed record;
begin
  for changed in
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
    where n.team_id = change.team_id and n.id = change.newsletter_id and n.status <> 'sent'
    returning n.team_id, n.id, n.version
  loop
    perform pg_notify('tidings_changes', json_build_object('topic', 'newsletter', 'team', changed.team_id,
      'newsletter', changed.id, 'version', changed.version, 'by', null)::text);
  end loop;
  return null;
end
$$;

-- A team that begins to require a second factor, and a person who has none any more, lose access at once.
create trigger teams_access after update of requires_second_factor on teams
  for each statement execute function notify_access();
create trigger accounts_access after update of two_factor_enabled on accounts
  for each statement execute function notify_access();
