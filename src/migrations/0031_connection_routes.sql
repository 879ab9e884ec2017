-- Requests from a source, such as a channel, that another connection handles. The other connection can
-- belong to another team, so there is no foreign key to it.
create table connection_routes (
  team_id id not null,
  connection_id id not null,
  source text not null check (length(source) between 1 and 255),
  target_team_id id not null,
  target_id id not null,
  created_at timestamptz not null,
  primary key (team_id, connection_id, source),
  foreign key (team_id, connection_id) references connections (team_id, id) on delete cascade
);
