-- What a provider knows of a connection before it works, such as its commands: a fingerprint of what was registered,
-- the time of the last attempt, and why it failed.
alter table connections add column registration jsonb;
