-- A row in every table of a database that migrations 0001 to 0014 made.
insert into teams (id, slug, name, created_at) values ('team_1', 'acme', 'Acme', '2026-01-01');
insert into members (id, team_id, email, name, role, created_at) values ('mb_1', 'team_1', 'ada@acme.test', 'Ada', 'admin', '2026-01-01');
insert into accounts (id, email, name, created_at, updated_at) values ('ac_1', 'ada@acme.test', 'Ada', '2026-01-01', '2026-01-01');
insert into credentials (id, account_id, provider_id, provider_account_id, password, created_at, updated_at) values ('cr_1', 'ac_1', 'credential', 'ac_1', 'hash', '2026-01-01', '2026-01-01');
insert into sessions (id, account_id, token, team_id, expires_at, created_at, updated_at) values ('se_1', 'ac_1', 'token', 'team_1', '2027-01-01', '2026-01-01', '2026-01-01');
insert into account_tokens (id, identifier, value, expires_at, created_at, updated_at) values ('at_1', 'hash', 'ac_1', '2027-01-01', '2026-01-01', '2026-01-01');
insert into attempts (subject, full_again_at) values ('\x01', '2026-01-01');
insert into setup_links (token_hash, created_at) values ('\x02', '2026-01-01');
insert into invitations (token_hash, team_id, member_id, expires_at, created_at) values ('\x03', 'team_1', 'mb_1', '2027-01-01', '2026-01-01');
insert into api_keys (id, team_id, name, hash, start, scopes, created_by, created_at) values ('key_1', 'team_1', 'ci', '\x04', 'tidings_abc123', '{read,write}', 'mb_1', '2026-01-01');
insert into api_key_usage (api_key_id, hits, accepted, last_used_at) values ('key_1', '{2026-01-01}', false, '2026-01-01');
insert into events (team_id, slug, name, event_date, category, created_at) values ('team_1', 'summer-day', 'Summer day', '2026-07-01', 'corporate', '2026-01-01');
insert into templates (team_id, slug, name, category, description, premium, base, sections, created_at, updated_at) values ('team_1', 'own', 'Own', 'general', '', false, 'clean', '[]', '2026-01-01', '2026-01-01');
insert into content_blocks (id, team_id, title, body, body_format, block_type, status, source, external_id, api_key_id, created_at, updated_at)
values ('cb_1', 'team_1', 'Win', 'We won', 'text', 'wins_milestones', 'ready', 'webhook', 'x1', 'key_1', '2026-01-01', '2026-01-01'),
  ('cb_2', 'team_1', 'Sent', '<p>Sent</p>', 'html', 'general', 'used', 'manual', null, null, '2026-01-01', '2026-01-01');
insert into deleted_blocks (id, team_id, api_key_id, external_id, block, deleted_at) values ('cb_3', 'team_1', 'key_1', 'x3', '{"title": "Gone"}', '2026-01-01');
insert into newsletters (id, team_id, title, template_slug, created_at, updated_at) values ('nl_1', 'team_1', 'January', 'own', '2026-01-01', '2026-01-01');
insert into newsletters (id, team_id, title, status, template_slug, sent_at, sent_html, sent_text, created_at, updated_at) values ('nl_2', 'team_1', 'December', 'sent', 'clean', '2026-01-01', '<p>Sent</p>', 'Sent', '2026-01-01', '2026-01-01');
insert into newsletter_blocks (id, team_id, newsletter_id, position, content_block_id, sent_block)
values ('nb_1', 'team_1', 'nl_1', 1, 'cb_1', null),
  ('nb_2', 'team_1', 'nl_2', 1, null, '{"id": "cb_2", "title": "Sent", "block_type": "general", "status": "used"}');
insert into previews (id, team_id, newsletter_id, api_key_id, subject, html, text, queued_at) values ('pv_1', 'team_1', 'nl_1', 'key_1', 'January', '<p></p>', '', '2026-01-01');
insert into previews (id, team_id, newsletter_id, member_id, subject, html, text, queued_at) values ('pv_2', 'team_1', 'nl_1', 'mb_1', 'January', '<p></p>', '', '2026-01-01');
insert into preview_mails (id, team_id, preview_id, recipient, due_at) values ('ml_1', 'team_1', 'pv_1', 'ada@acme.test', '2026-01-01');
insert into preview_counts (team_id, day, mails) values ('team_1', '2026-01-01', 1);
insert into outbox (id, team_id, recipient, subject, html, text, created_at) values ('ml_2', 'team_1', 'ada@acme.test', 'January', '<p></p>', '', '2026-01-01');
insert into account_mails (id, team_id, sealed, due_at, expires_at, created_at) values ('ml_3', 'team_1', '\x05', '2026-01-01', '2027-01-01', '2026-01-01');
insert into ai_usage (team_id, period, used) values ('team_1', '2026-01-01', 3);
insert into idempotency_keys (api_key_id, path, key, request_hash, resource_id, status, answer, created_at) values ('key_1', '/api/v1/ingest', 'i1', '\x06', 'cb_1', 201, '{"id": "cb_1"}', '2026-01-01');
insert into idempotency_holds (api_key_id, path, key, holder, held_until) values ('key_1', '/api/v1/content_blocks/draft', 'i2', 'request', '2026-01-01');
insert into connections (id, team_id, adapter, hook_hash, api_key_id, settings, sealed, created_at) values ('cn_1', 'team_1', 'github', '\x07', 'key_1', '{"repository": "acme/web"}', '\x08', '2026-01-01');
insert into deliveries (id, team_id, connection_id, delivery_id, status, event, transient, received_at) values ('dl_1', 'team_1', 'cn_1', 'd1', 'waiting', '{"action": "released"}', '\x09', '2026-01-01');
insert into told_news (connection_id, external_id, team_id, delivery_id, heard_at, as_of, block_version) values ('cn_1', 'x1', 'team_1', 'dl_1', '2026-01-01', '2026-01-02', 1);
insert into rollups (connection_id, group_key, week, team_id, block_id, title) values ('cn_1', 'acme/web', '2026-W01', 'team_1', 'cb_1', '1 release this week');
insert into rollup_items (connection_id, external_id, team_id, block_id, place, heading) values ('cn_1', 'x1', 'team_1', 'cb_1', 'dl_1.0000', '<h3>Win</h3>');
insert into audit_log (id, team_id, action, actor, subject, created_at) values ('au_1', 'team_1', 'team_created', 'Ada', 'Acme', '2026-01-01');
