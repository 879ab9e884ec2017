-- The link with which everybody who knows it sends news to a team. A team without a row has none.
create table submission_links (
  team_id id primary key references teams,
  token text not null check (length(token) >= 32),
  requires_sign_in boolean not null,
  created_at timestamptz not null
);
