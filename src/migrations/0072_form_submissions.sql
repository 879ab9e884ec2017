-- Forms that were accepted, with the page that was shown then: the same form sent again shows that page.
create table form_submissions (
  team_id id not null references teams (id),
  member_id id not null,
  -- SHA-256 of the form, its fields and the page view that it was on.
  hash bytea not null check (octet_length(hash) = 32),
  -- Null for a part of a page.
  location text check (length(location) <= 2000),
  -- A message for the next page, and a value that is shown once, encrypted.
  cookies text[] not null check (cardinality(cookies) <= 4),
  created_at timestamptz not null,
  primary key (team_id, member_id, hash),
  foreign key (team_id, member_id) references members (team_id, id)
);
create index form_submissions_created_at_idx on form_submissions (created_at);
