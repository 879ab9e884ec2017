-- A search of 200 characters is up to 1800 in the query of a URL, and so is an event.
alter table saved_filters drop constraint saved_filters_query_check;
alter table saved_filters add constraint saved_filters_query_check check (length(query) between 1 and 4000);
