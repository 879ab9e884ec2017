-- The member who made a link of a preview: it stops when they are removed. Null for links that were made before, which work for a day.
alter table preview_links
  add column member_id id,
  add foreign key (team_id, member_id) references members (team_id, id);
