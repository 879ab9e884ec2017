-- Text of forms that a person has not saved yet. An empty text says that the form was saved or the text discarded.
create table form_drafts (
  team_id id not null references teams (id),
  member_id id not null,
  form text not null check (length(form) between 1 and 300),
  content text not null check (octet_length(content) <= 200000),
  saved_at timestamptz not null,
  primary key (team_id, member_id, form),
  foreign key (team_id, member_id) references members (team_id, id)
);
create index form_drafts_saved_at_idx on form_drafts (saved_at);
