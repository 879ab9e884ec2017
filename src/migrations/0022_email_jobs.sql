-- Migrations cannot call the job queue: the next start adds the jobs that they leave here.
create table migration_jobs (
  id bigint generated always as identity primary key,
  queue text not null,
  data jsonb not null
);

-- Emails are jobs now: the queue knows their attempts and when the next one is due.
insert into migration_jobs (queue, data)
select 'send-preview-email', jsonb_build_object('teamId', team_id, 'emailId', id)
from preview_emails where status = 'queued' order by id;
insert into migration_jobs (queue, data)
select 'send-account-email', jsonb_build_object('teamId', team_id, 'emailId', id)
from account_emails order by id;
alter table preview_emails drop column due_at, drop column attempts;
alter table account_emails drop column due_at, drop column attempts;
