-- What is known of an image. Its file is in the media storage, under its SHA-256.
create table images (
  team_id id not null references teams,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  id id not null,
  type text not null check (type in ('jpeg', 'png')),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  bytes integer not null check (bytes > 0),
  alt text,
  focal_x real not null default 0.5 check (focal_x between 0 and 1),
  focal_y real not null default 0.5 check (focal_y between 0 and 1),
  created_at timestamptz not null,
  -- The first time that a newsletter with the image was sent: emails refer to it from then on.
  sent_at timestamptz,
  -- Since when nothing refers to it.
  unreferenced_since timestamptz,
  primary key (team_id, hash),
  unique (team_id, id)
);
-- A file is deleted when no team has its image any more.
create index images_hash_idx on images (hash);
create index images_unreferenced_idx on images (team_id, unreferenced_since)
  where unreferenced_since is not null;

-- The blocks that can refer to an image: few of all.
create index content_blocks_media_idx on content_blocks (team_id)
  where image_url like '%/media/%' or body like '%/media/%';
