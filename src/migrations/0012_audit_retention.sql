-- What was done stays as it is for 400 days; after that it may be forgotten, never changed.
create index on audit_log (team_id, action, id desc);
create index on audit_log (team_id, actor, id desc);

drop trigger audit_log_is_final on audit_log;
create trigger audit_log_is_final before update or truncate on audit_log
  for each statement execute function refuse_change();
create trigger audit_log_stays before delete on audit_log
  for each row when (old.created_at > now() - interval '400 days')
  execute function refuse_change();
