-- The IANA time zone in which the console shows times to a person; null until a browser has reported one.
alter table accounts
  add column time_zone text check (length(time_zone) between 1 and 64);
