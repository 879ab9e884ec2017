-- The list of a connection's deliveries can be narrowed to one outcome.
create index on deliveries (team_id, connection_id, status, id desc);
