-- When Tidings asks the channels of a chat for news.
create table prompt_schedules (
  team_id id not null,
  connection_id id not null,
  is_active boolean not null,
  -- Null: the standard question in the language of the team.
  question text check (length(question) between 1 and 300),
  -- ISO 8601: 1 is Monday.
  weekday smallint not null check (weekday between 1 and 7),
  every_weeks smallint not null check (every_weeks between 1 and 8),
  -- A day of the first week; every second week counts from it.
  anchor_date date not null,
  -- In the time zone, in minutes since midnight.
  minute_of_day smallint not null check (minute_of_day between 0 and 1439),
  time_zone text not null check (length(time_zone) between 1 and 64),
  -- Where public holidays apply, such as DE or DE-BY; null: nowhere.
  holiday_region text check (length(holiday_region) between 2 and 16),
  -- Further days without a question.
  days_off date[] not null check (cardinality(days_off) <= 100),
  reminds_contributors boolean not null,
  updated_at timestamptz not null,
  primary key (team_id, connection_id),
  foreign key (team_id, connection_id) references connections (team_id, id)
);

-- The channels that are asked, by their id in the chat. Editors can switch one off there.
create table prompt_channels (
  team_id id not null,
  connection_id id not null,
  channel text not null check (length(channel) between 1 and 255),
  muted_at timestamptz,
  -- The id and the name of the person in the chat who has switched it off.
  muted_by text,
  muted_by_name text,
  primary key (team_id, connection_id, channel),
  foreign key (team_id, connection_id) references prompt_schedules (team_id, connection_id)
);

-- The questions that were asked: one for each channel and day.
create table prompts (
  team_id id not null,
  connection_id id not null,
  message_id id not null,
  channel text not null,
  -- The day in the time zone of the schedule.
  day date not null,
  question text,
  created_at timestamptz not null,
  -- When regular contributors were reminded of it.
  reminded_at timestamptz,
  primary key (team_id, message_id),
  unique (team_id, connection_id, channel, day),
  foreign key (team_id, connection_id) references connections (team_id, id)
);
create index on prompts (team_id, connection_id, message_id desc);
create index on prompts (created_at);

-- The blocks with which people have replied to a question.
create table prompt_replies (
  team_id id not null,
  message_id id not null,
  block_id id not null,
  primary key (team_id, message_id, block_id),
  foreign key (team_id, message_id) references prompts (team_id, message_id) on delete cascade
);

alter table chat_messages drop constraint chat_messages_kind_check;
alter table chat_messages add constraint chat_messages_kind_check
  check (kind in ('published', 'declined', 'review', 'prompt', 'reminder'));

-- Whether a person wants to be reminded of a question.
alter table chat_people add column wants_reminders boolean not null default true;
create index on block_contributors (team_id, connection_id, created_at);
