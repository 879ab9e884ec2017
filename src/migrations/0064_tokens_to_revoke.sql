-- A connection that was removed keeps its secrets until its token is revoked at the provider.
alter table connections drop constraint connections_check;
alter table connections add constraint connections_check check (encrypted is not null or removed_at is not null);
create index on connections (removed_at) where removed_at is not null and encrypted is not null;
