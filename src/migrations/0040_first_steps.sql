-- The first steps are shown to admins until a newsletter of the team was sent, or until one hides them.
alter table teams add column first_steps_done_at timestamptz;
update teams t set first_steps_done_at = now()
where exists (select from newsletters n where n.team_id = t.id and n.status = 'sent');

-- The sample newsletter of a team and its blocks, so that they can be removed together.
create table sample_content (
  team_id id primary key references teams (id),
  newsletter_id id not null,
  block_ids text[] not null,
  created_at timestamptz not null
);

-- Links with which a person sees a newsletter on a phone without a sign-in, for a day.
create table preview_links (
  team_id id not null references teams (id),
  token_hash bytea not null check (length(token_hash) = 32),
  newsletter_id id not null,
  created_at timestamptz not null,
  opened_at timestamptz,
  primary key (team_id, token_hash),
  foreign key (team_id, newsletter_id) references newsletters (team_id, id) on delete cascade
);
create index preview_links_newsletter_id_idx on preview_links (team_id, newsletter_id);
create index preview_links_created_at_idx on preview_links (created_at);
