-- The day in the email of a newsletter without a planned date that was marked as sent on another day. The archive shows it.
alter table newsletters add column sent_day date;
