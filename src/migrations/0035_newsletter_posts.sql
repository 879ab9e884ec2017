-- Sent newsletters that are posted to a channel of a chat, through a connection.
create table newsletter_posts (
  id id not null,
  team_id id not null,
  newsletter_id id not null,
  connection_id id not null,
  status text not null default 'waiting' check (status in ('waiting', 'posting', 'posted', 'failed', 'unknown')),
  reason text,
  created_at timestamptz not null,
  posted_at timestamptz,
  primary key (team_id, id),
  unique (team_id, newsletter_id, connection_id),
  foreign key (team_id, newsletter_id) references newsletters (team_id, id) on delete cascade,
  foreign key (team_id, connection_id) references connections (team_id, id)
);
