-- A name that people give to a connection, and what the provider's refused requests count to.
alter table connections
  add column label text check (char_length(label) between 1 and 100),
  add column refused_requests integer not null default 0,
  add column last_refused_at timestamptz,
  add column rate_limited_requests integer not null default 0;

-- Why the last attempt of a waiting delivery failed, as far as its provider is the reason.
alter table deliveries
  add column problem text check (problem in ('refused', 'rate_limited', 'unavailable'));
