-- The member who made a link of a preview: it stops when they are removed. Null for links that were made before, which work for a day.
alter table preview_links
  add column member_id id,
  add foreign key (team_id, member_id) references members (team_id, id);
-- The previews of a newsletter whose emails could not be delivered.
create index on previews (team_id, newsletter_id);
