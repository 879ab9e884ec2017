-- The nightly job finds the old links by their age, as all others do.
create index setup_links_created_at_idx on setup_links (created_at);
