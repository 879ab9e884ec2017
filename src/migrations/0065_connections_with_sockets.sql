-- Whether a connection asks for a socket, which is in its encrypted settings; null until a process has read them.
alter table connections add column uses_socket boolean;

-- Of the adapters so far, only Slack has sockets.
update connections set uses_socket = false where adapter <> 'slack';

create index connections_uses_socket_idx on connections (id) where removed_at is null and uses_socket is not false;
-- For the connections of all teams, page by page.
create index connections_id_idx on connections (id) where removed_at is null;
