-- What people write to a bot over several messages, until it is complete. Rows are deleted after a day.
create table chat_conversations (
  team_id id not null,
  connection_id id not null,
  -- Identifies the person and the place in the chat.
  conversation text not null check (length(conversation) between 1 and 255),
  -- The delivery with the newest message.
  delivery_id id not null,
  user_id text not null check (length(user_id) between 1 and 255),
  from_private boolean not null,
  kind text check (kind in ('win', 'news', 'kudos', 'welcome')),
  -- What the person was asked for; null when the conversation is over.
  missing text check (missing in ('what', 'who')),
  questions integer not null check (questions >= 0),
  texts text[] not null,
  -- The ids of the people whom the messages mention.
  people text[] not null,
  updated_at timestamptz not null,
  primary key (team_id, connection_id, conversation),
  foreign key (team_id, connection_id) references connections (team_id, id)
);
create index on chat_conversations (team_id, delivery_id);
create index on chat_conversations (updated_at);
-- Replies of the bot.
alter table chat_messages drop constraint chat_messages_kind_check;
alter table chat_messages add constraint chat_messages_kind_check
  check (kind in ('published', 'declined', 'review', 'prompt', 'reminder', 'reply'));
