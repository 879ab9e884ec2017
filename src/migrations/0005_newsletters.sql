create table newsletters (
  id id primary key,
  team_id id not null references teams,
  title text not null,
  subject_line text,
  preheader_text text,
  status text not null default 'draft',
  scheduled_date date,
  template_slug text not null,
  version integer not null default 1,
  -- What was sent, for good; whatever happens to its blocks and template.
  sent_at timestamptz,
  sent_html text,
  sent_text text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (team_id, id),
  check (num_nonnulls(sent_at, sent_html, sent_text) = case status when 'sent' then 3 else 0 end)
);
create index on newsletters (team_id, status, id desc);

create table newsletter_blocks (
  id id primary key,
  team_id id not null,
  newsletter_id id not null,
  position integer not null check (position > 0),
  -- The block itself until the newsletter is sent, which keeps it from being deleted ...
  content_block_id id references content_blocks,
  -- ... and from then on its id, title, type and status as they were.
  sent_block jsonb,
  foreign key (team_id, newsletter_id) references newsletters (team_id, id) on delete cascade,
  unique (newsletter_id, content_block_id),
  unique (newsletter_id, position) deferrable,
  check (num_nonnulls(content_block_id, sent_block) = 1)
);
create index on newsletter_blocks (content_block_id) where content_block_id is not null;

-- The member who made a key; none for a key made on the command line.
alter table api_keys add column created_by id;

-- A preview as it is mailed. It needs its newsletter no more: what was asked for is sent.
create table previews (
  id id primary key,
  team_id id not null references teams,
  newsletter_id id not null,
  api_key_id id not null references api_keys,
  subject text not null,
  html text not null,
  text text not null,
  queued_at timestamptz not null
);
create index on previews (team_id, queued_at);

-- One mail per recipient. `due_at` of a mail that is being sent is when it counts as abandoned.
create table preview_mails (
  id id primary key,
  team_id id not null references teams,
  preview_id id not null references previews on delete cascade,
  recipient text not null,
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed')),
  attempts integer not null default 0,
  due_at timestamptz not null,
  sent_at timestamptz,
  last_error text
);
create index on preview_mails (due_at) where status = 'queued';
create index on preview_mails (preview_id);

create table preview_counts (
  team_id id not null references teams,
  day date not null,
  mails integer not null,
  primary key (team_id, day)
);

-- Where mail goes while no mail server is set.
create table outbox (
  id id primary key,
  team_id id references teams,
  recipient text not null,
  subject text not null,
  html text not null,
  text text not null,
  created_at timestamptz not null
);
create index on outbox (team_id, id desc);
create index on outbox (created_at);
