-- What the sender of a settled delivery is told, encrypted until that is done; null when there is nothing left to tell.
-- A notification that has begun and was neither finished nor taken back was interrupted: it may have been sent.
alter table deliveries add column notification bytea, add column notification_started_at timestamptz;
