-- Who asked other editors last to approve a newsletter.
alter table newsletters add column approval_requested_by id;
