-- As before, but a newsletter that was sent keeps its approval in a new version, as when its template is deleted, and the day in its
-- email is no change of what was approved.
create or replace function end_approval() returns trigger language plpgsql as $$
begin
  if new.approved_at is distinct from old.approved_at or new.version = old.version
    or (new.status = 'sent' and old.status = 'sent') then
    return new;
  end if;
  if new.status <> old.status and new.status in ('ready', 'sent')
    and to_jsonb(new) - 'status' - 'version' - 'updated_at' - 'sent_at' - 'sent_day' - 'sent_html' - 'sent_text' - 'changed_by' - 'search'
      = to_jsonb(old) - 'status' - 'version' - 'updated_at' - 'sent_at' - 'sent_day' - 'sent_html' - 'sent_text' - 'changed_by' - 'search' then
    return new;
  end if;
  new.approved_by := null;
  new.approved_at := null;
  new.approved_hash := null;
  if new.status = 'ready' and (select requires_approval from teams where id = new.team_id) then
    new.status := 'in_progress';
  end if;
  return new;
end
$$;
