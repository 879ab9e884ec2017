-- The words of a search are the same for all rows. With this cost, PostgreSQL plans a search with its
-- words instead of keeping a plan that would read them again for each row.
alter function search_query(text) cost 100000;
