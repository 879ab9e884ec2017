-- The people who have to do with a block, by their id in a chat: they hear what becomes of it.
create table block_contributors (
  team_id id not null,
  block_id id not null,
  connection_id id not null,
  user_id text not null check (length(user_id) between 1 and 255),
  role text not null check (role in ('sender', 'author', 'recipient')),
  -- Whether the content comes from a private conversation.
  from_private boolean not null,
  created_at timestamptz not null,
  primary key (team_id, block_id, connection_id, user_id, role),
  foreign key (team_id, connection_id) references connections (team_id, id)
);
create index on block_contributors (team_id, connection_id, user_id, block_id desc);
create index on block_contributors (created_at);

-- The people of a chat: whether they want messages, and which member of the team they are.
create table chat_people (
  team_id id not null,
  connection_id id not null,
  user_id text not null check (length(user_id) between 1 and 255),
  member_id id,
  wants_messages boolean not null default true,
  updated_at timestamptz not null,
  primary key (team_id, connection_id, user_id),
  foreign key (team_id, connection_id) references connections (team_id, id),
  foreign key (team_id, member_id) references members (team_id, id)
);

-- Messages to people and channels of a chat. The recipient gets one message of a kind about a subject.
create table chat_messages (
  id id not null,
  team_id id not null,
  connection_id id not null,
  kind text not null check (kind in ('published', 'declined', 'review')),
  -- The id of a person or a channel in the chat.
  recipient text not null check (length(recipient) between 1 and 255),
  -- A newsletter, a block or a time.
  subject text not null check (length(subject) between 1 and 255),
  data jsonb not null default '{}',
  status text not null default 'waiting'
    check (status in ('waiting', 'sending', 'sent', 'skipped', 'failed', 'unknown')),
  reason text,
  attempts integer not null default 0,
  created_at timestamptz not null,
  settled_at timestamptz,
  -- Where the chat has put the message, so that it can be updated.
  place jsonb,
  primary key (team_id, id),
  unique (team_id, connection_id, kind, recipient, subject),
  foreign key (team_id, connection_id) references connections (team_id, id)
);
create index on chat_messages (team_id, connection_id, id desc);
create index on chat_messages (created_at);

-- Drafts that were posted to a channel for a review, and the first decision about each.
create table draft_reviews (
  team_id id not null,
  connection_id id not null,
  block_id id not null,
  -- Null for a draft that was reviewed without a message.
  message_id id,
  title text not null,
  decision text check (decision in ('approved', 'declined')),
  -- The person in the chat and their name; null when the decision was made in Tidings.
  decided_by text,
  decided_by_name text,
  created_at timestamptz not null,
  decided_at timestamptz,
  primary key (team_id, connection_id, block_id),
  foreign key (team_id, connection_id) references connections (team_id, id),
  check ((decision is null) = (decided_at is null))
);
create index on draft_reviews (team_id, connection_id, message_id);
create index on draft_reviews (team_id, connection_id, block_id) where decision is null;
create index on draft_reviews (created_at);
