-- The person in the chat who has changed the draft there last.
alter table draft_reviews add column edited_by text;
