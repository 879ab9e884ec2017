-- When a key was replaced by another one: it is not rotated again while both work.
alter table api_keys add column rotated_at timestamptz;
