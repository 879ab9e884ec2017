-- Invitations and links for a new password on their way out. A row is gone once its mail has left or
-- its link has ended; what it says is sealed under the installation's secret.
create table account_mails (
  id id primary key,
  team_id id references teams,
  sealed bytea not null,
  attempts integer not null default 0,
  due_at timestamptz not null,
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create index on account_mails (due_at);
