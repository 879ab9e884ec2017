-- Which process has the socket of a connection to a provider. Another process takes it over when the lease ends.
create table socket_leases (
  team_id id not null,
  connection_id id not null,
  holder text not null,
  held_until timestamptz not null,
  -- Why the socket cannot be opened.
  problem text,
  primary key (team_id, connection_id),
  foreign key (team_id, connection_id) references connections (team_id, id)
);
