-- When a newsletter is posted to a chat; null: at once.
alter table newsletter_posts add column scheduled_at timestamptz;
