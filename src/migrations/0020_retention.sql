-- What the nightly cleanup deletes is found by an index.
create index on rollups (week);
create index on rollup_items (sort_key);
create index on item_sync_state (received_at);
create index on idempotency_locks (locked_until);
create index on invitations (expires_at);
create index on sessions (expires_at);
create index on account_tokens (expires_at);
create index on account_emails (expires_at);
create index on account_tokens (value);
create index on ai_usage (period);
create index on preview_daily_usage (day);
create index on previews (queued_at);
-- A key is also named by its prefix.
create index on api_keys (team_id, prefix);
