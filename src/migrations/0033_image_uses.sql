-- What an image means where it is used: the text for readers who do not see it ('' when it is
-- decorative, null when nothing is known), and the place that stays visible when it is cropped.
alter table content_blocks
  add column image_alt text,
  add column image_focal_x real check (image_focal_x between 0 and 1),
  add column image_focal_y real check (image_focal_y between 0 and 1);

alter table newsletters
  add column cover_focal_x real check (cover_focal_x between 0 and 1),
  add column cover_focal_y real check (cover_focal_y between 0 and 1);
