-- Live connections of the console are checked again at once when a session ends or a member loses access.
create function notify_access() returns trigger language plpgsql as $$
begin
  perform pg_notify('tidings_changes', '{"topic":"access"}');
  return null;
end
$$;
create trigger sessions_access after delete on sessions
  for each statement execute function notify_access();
create trigger members_access after update of removed_at, role, account_id on members
  for each statement execute function notify_access();
