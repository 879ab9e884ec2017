-- People who have opened the home of the app in their chat, and what it shows them: it is published again when that
-- has changed.
create table chat_homes (
  team_id id not null,
  connection_id id not null,
  user_id text not null check (length(user_id) between 1 and 255),
  -- Whether the home shows what editors see.
  is_editor boolean not null,
  -- A digest of what the home shows.
  fingerprint text not null,
  opened_at timestamptz not null,
  primary key (team_id, connection_id, user_id),
  foreign key (team_id, connection_id) references connections (team_id, id)
);
create index on chat_homes (team_id, connection_id, opened_at);
create index on chat_homes (opened_at);
