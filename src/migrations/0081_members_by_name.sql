-- A page of the members of a team reads them in the order of their names.
create index members_name_idx on members (team_id, lower(name), id) where removed_at is null;
