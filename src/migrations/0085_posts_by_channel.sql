-- A connection posts newsletters to several channels: one post for each. A connection with one channel that has no name
-- here, such as an incoming webhook, has the empty name.
alter table newsletter_posts add channel text not null default '';
update newsletter_posts p set channel = coalesce(c.settings ->> 'newsletter_channel', '')
  from connections c where c.team_id = p.team_id and c.id = p.connection_id and c.adapter = 'slack';
alter table newsletter_posts drop constraint newsletter_posts_team_id_newsletter_id_connection_id_key;
alter table newsletter_posts
  add constraint newsletter_posts_newsletter_connection_channel_key unique (team_id, newsletter_id, connection_id, channel);
