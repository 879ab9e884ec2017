-- What a newsletter has besides its blocks. Texts are sanitized HTML.
alter table newsletters
  add column cover_image_url text,
  add column cover_image_alt text,
  add column cover_color text check (cover_color ~ '^#[0-9a-f]{6}$'),
  add column intro text,
  add column closing text,
  -- Null: the length of the newsletter decides.
  add column table_of_contents boolean;

-- Headings of sections, dividers, callouts and polls. An element stands before the block at a
-- position, after the elements of the same position with a lower sequence.
create table newsletter_elements (
  team_id id not null,
  newsletter_id id not null,
  id id not null,
  before_position integer not null check (before_position > 0),
  sequence integer not null,
  type text not null check (type in ('section', 'divider', 'callout', 'poll')),
  heading text check (heading is not null or type in ('divider', 'callout')),
  body text check ((body is null) = (type <> 'callout')),
  options jsonb check ((options is null) = (type <> 'poll')),
  created_at timestamptz not null,
  primary key (team_id, newsletter_id, id),
  foreign key (team_id, newsletter_id) references newsletters (team_id, id) on delete cascade
);

-- What every newsletter of a team shows: the logo in its header; a contact and the place for news from
-- readers in its footer.
alter table teams
  add column logo_url text,
  add column logo_alt text,
  add column contact text,
  add column share_url text;
