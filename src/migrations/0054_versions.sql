-- The versions of blocks and newsletters that were changed: what each contained, who made it, and which
-- fields differ from the version before. A new block has none, so that ingest writes nothing here.
create table block_versions (
  team_id id not null references teams (id),
  block_id id not null,
  version integer not null,
  content jsonb not null,
  changes text[] not null,
  -- Who made it; both null when that was not recorded.
  member_id id,
  actor text,
  -- The earlier version that it restores.
  restored_version integer,
  created_at timestamptz not null,
  primary key (team_id, block_id, version)
);
create index on block_versions (created_at);
-- Images of earlier versions stay, so that these can be restored.
create index block_versions_media_idx on block_versions (team_id)
  where content ->> 'image_url' like '%/media/%' or content ->> 'body' like '%/media/%';

create table newsletter_versions (
  team_id id not null references teams (id),
  newsletter_id id not null,
  version integer not null,
  content jsonb not null,
  changes text[] not null,
  member_id id,
  actor text,
  restored_version integer,
  created_at timestamptz not null,
  primary key (team_id, newsletter_id, version),
  foreign key (team_id, newsletter_id) references newsletters (team_id, id) on delete cascade
);
create index on newsletter_versions (created_at);

-- What newsletters that can still be changed contain now, so that their next change can be undone.
insert into newsletter_versions (team_id, newsletter_id, version, content, changes, created_at)
select n.team_id, n.id, n.version, jsonb_build_object('title', n.title,
    'subject_line', n.subject_line, 'preheader_text', n.preheader_text, 'status', n.status,
    'scheduled_date', n.scheduled_date::text, 'template_slug', n.template_slug,
    'cover_image_url', n.cover_image_url, 'cover_image_alt', n.cover_image_alt,
    'cover_focal_x', n.cover_focal_x, 'cover_focal_y', n.cover_focal_y,
    'cover_color', n.cover_color, 'intro', n.intro, 'closing', n.closing,
    'table_of_contents', n.table_of_contents,
    'blocks', coalesce((
      select jsonb_agg(jsonb_build_object('id', nb.id, 'content_block_id', b.id, 'title', b.title)
        order by nb.position)
      from newsletter_blocks nb join content_blocks b
        on b.team_id = nb.team_id and b.id = nb.content_block_id
      where nb.team_id = n.team_id and nb.newsletter_id = n.id), '[]'),
    'elements', coalesce((
      select jsonb_agg(jsonb_build_object('id', e.id, 'type', e.type,
        'before_position', e.before_position, 'heading', e.heading, 'body', e.body,
        'options', e.options) order by e.before_position, e.sequence)
      from newsletter_elements e
      where e.team_id = n.team_id and e.newsletter_id = n.id), '[]')),
  '{}', n.updated_at
from newsletters n where n.status <> 'sent';
