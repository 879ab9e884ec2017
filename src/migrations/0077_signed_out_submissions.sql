-- Forms that were sent without a session, with the response: the same form sent again gets it again.
-- Rows are deleted after a day.
create table signed_out_submissions (
  -- Derived from the form, its fields and the page view that it was on.
  hash bytea primary key check (octet_length(hash) = 32),
  -- The response, encrypted with a key that only the form itself gives; null while it is being made.
  response bytea,
  created_at timestamptz not null
);
create index on signed_out_submissions (created_at);
