-- The ETag of a stored response: a repeated request gets it again. Null for responses without one.
alter table idempotency_keys add column etag text;
