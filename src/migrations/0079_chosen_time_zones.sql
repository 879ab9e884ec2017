-- A time zone that a person has chosen is not replaced by the one that their browser reports.
alter table accounts add column time_zone_chosen boolean not null default false;
