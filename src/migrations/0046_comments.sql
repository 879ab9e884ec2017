-- What editors write to each other about a block.
create table block_comments (
  team_id id not null,
  id id not null,
  block_id id not null,
  member_id id not null,
  body text not null check (length(body) between 1 and 5000),
  -- The members whom the text mentions.
  mentioned text[] not null default '{}',
  created_at timestamptz not null,
  primary key (team_id, id),
  foreign key (team_id, member_id) references members (team_id, id)
);
create index on block_comments (team_id, block_id, id);

-- The editor who works on a block. Like comments, it is kept while the block is in the trash.
create table block_assignments (
  team_id id not null,
  block_id id not null,
  member_id id not null,
  created_at timestamptz not null,
  primary key (team_id, block_id),
  foreign key (team_id, member_id) references members (team_id, id)
);
create index on block_assignments (team_id, member_id, block_id desc);

-- Filters of the library that a member has named.
create table saved_filters (
  team_id id not null,
  member_id id not null,
  name text not null check (length(name) between 1 and 60),
  query text not null check (length(query) between 1 and 1000),
  created_at timestamptz not null,
  primary key (team_id, member_id, name),
  foreign key (team_id, member_id) references members (team_id, id)
);

-- Emails to members about what concerns them, until they are sent.
create table notification_emails (
  team_id id not null,
  id id not null,
  member_id id not null,
  subject text not null check (length(subject) between 1 and 500),
  html text not null,
  text text not null,
  created_at timestamptz not null,
  primary key (team_id, id),
  foreign key (team_id, member_id) references members (team_id, id)
);
create index on notification_emails (created_at);

alter table accounts
  add column notify_mentions boolean not null default true,
  add column notify_assignments boolean not null default true,
  add column notify_reminders boolean not null default true,
  add column draft_digest text not null default 'off' check (draft_digest in ('off', 'daily', 'weekly')),
  add column keyboard_shortcuts boolean not null default true;
