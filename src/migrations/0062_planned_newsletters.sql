-- Finds the newsletters of a team that are planned for a date.
create index newsletters_planned_idx on newsletters (team_id, scheduled_date) where scheduled_date is not null;
