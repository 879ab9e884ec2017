create domain block_source as text constraint block_source_check CHECK ((VALUE = ANY (ARRAY['manual'::text, 'submission'::text, 'ai_draft'::text, 'agent'::text, 'webhook'::text])));

create domain block_status as text constraint block_status_check CHECK ((VALUE = ANY (ARRAY['draft'::text, 'ready'::text, 'used'::text])));

create domain block_type as text constraint block_type_check CHECK ((VALUE = ANY (ARRAY['general'::text, 'ceo_update'::text, 'team_spotlight'::text, 'new_starter'::text, 'policy_change'::text, 'event_announcement'::text, 'wins_milestones'::text, 'poll'::text, 'learning_development'::text])));

create domain body_format as text constraint body_format_check CHECK ((VALUE = ANY (ARRAY['html'::text, 'text'::text])));

create domain id as text collate "C";

create domain image_focus as real constraint image_focus_check CHECK (((VALUE >= (0)::double precision) AND (VALUE <= (1)::double precision)));

create domain image_size as text constraint image_size_check CHECK ((VALUE = ANY (ARRAY['small'::text, 'medium'::text, 'full_width'::text])));

CREATE OR REPLACE FUNCTION public.block_lexemes(team id, words text[], others text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array_to_tsvector(words || team::text)
    || case when others = '' then ''::tsvector else word_lexemes(others) end
$function$
;

CREATE OR REPLACE FUNCTION public.change_newsletters_of_blocks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed record;
begin
  for changed in
    update newsletters n
    set version = n.version + 1,
      updated_at = greatest(n.updated_at, change.at),
      status = case when n.status = 'ready' and change.is_unready then 'in_progress' else n.status end
    from (
      select nb.team_id, nb.newsletter_id, max(b.updated_at) as at,
        bool_or(b.status = 'draft' or coalesce(b.publish_after > b.updated_at, false)) as is_unready
      from new_blocks b
      join old_blocks o on o.team_id = b.team_id and o.id = b.id and o.version <> b.version
      join newsletter_blocks nb on nb.team_id = b.team_id and nb.content_block_id = b.id
      group by nb.team_id, nb.newsletter_id
    ) change
    where n.team_id = change.team_id and n.id = change.newsletter_id and n.status <> 'sent'
    returning n.team_id, n.id, n.version
  loop
    perform pg_notify('tidings_changes', json_build_object('topic', 'newsletter', 'team', changed.team_id,
      'newsletter', changed.id, 'version', changed.version, 'by', null)::text);
  end loop;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.count_block_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    insert into content_block_changes as c (team_id, shard, changes)
    select team_id, pg_backend_pid() % 16, count(*) from old_blocks group by 1 order by 1
    on conflict (team_id, shard) do update set changes = c.changes + excluded.changes;
  else
    insert into content_block_changes as c (team_id, shard, changes)
    select n.team_id, pg_backend_pid() % 16, count(*)
    from new_blocks n join old_blocks o on o.team_id = n.team_id and o.id = n.id
    where (n.status, n.block_type, n.source) is distinct from (o.status, o.block_type, o.source)
    group by 1 order by 1
    on conflict (team_id, shard) do update set changes = c.changes + excluded.changes;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.count_content_blocks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into content_block_counts as c (team_id, month, shard, blocks)
  select team_id, date_trunc('month', created_at at time zone 'UTC')::date, pg_backend_pid() % 16,
    case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed group by 1, 2 order by 1, 2
  on conflict (team_id, month, shard) do update set blocks = c.blocks + excluded.blocks;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.end_approval()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.approved_at is distinct from old.approved_at or new.version = old.version
    or (new.status = 'sent' and old.status = 'sent') then
    return new;
  end if;
  if new.status <> old.status and new.status in ('ready', 'sent')
    and to_jsonb(new) - 'status' - 'version' - 'updated_at' - 'sent_at' - 'sent_day' - 'sent_html' - 'sent_text' - 'changed_by' - 'search'
      = to_jsonb(old) - 'status' - 'version' - 'updated_at' - 'sent_at' - 'sent_day' - 'sent_html' - 'sent_text' - 'changed_by' - 'search' then
    return new;
  end if;
  new.approved_by := null;
  new.approved_at := null;
  new.approved_hash := null;
  if new.status = 'ready' and (select requires_approval from teams where id = new.team_id) then
    new.status := 'in_progress';
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION public.mixed_lexemes(content text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select array_to_tsvector(unspaced_lexemes(content)) || to_tsvector('simple',
    regexp_replace(content, '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u303f\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff9f\U00020000-\U0003ffff]+', ' ', 'g'))
$function$
;

CREATE OR REPLACE FUNCTION public.notify_access()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('tidings_changes', '{"topic":"access"}');
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin raise exception 'the audit log is never changed'; end $function$
;

CREATE OR REPLACE FUNCTION public.search_query(words text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT COST 100000
AS $function$
  select plainto_tsquery('simple', regexp_replace(words, '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u303f\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff9f\U00020000-\U0003ffff]+', ' ', 'g'))
    && coalesce((select string_agg(quote_literal(lexeme), ' & ') from unnest(unspaced_lexemes(words)) as lexemes (lexeme)
      where not exists (select from unnest(unspaced_lexemes(words)) as pairs (pair) where pair <> lexeme and strpos(pair, lexeme) > 0)), '')::tsquery
$function$
;

CREATE OR REPLACE FUNCTION public.set_block_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.search := block_lexemes(new.team_id, '{}', new.title || ' ' || new.body);
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.typed_query(words text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT COST 100000
AS $function$
  select case
    when words ~ '\S{2}$' then
      search_query(regexp_replace(words, '\S+$', ''))
        && regexp_replace(search_query(substring(words from '\S+$'))::text, '''(?= & |$)', ''':*', 'g')::tsquery
    else search_query(words)
  end
$function$
;

CREATE OR REPLACE FUNCTION public.unspaced_lexemes(content text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select array(
    select distinct lexeme
    from (
      select character, lead(character) over (partition by run order by place) as next
      from regexp_matches(content, '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]+', 'g')
        with ordinality as runs (texts, run)
      cross join lateral string_to_table(texts[1], null) with ordinality as characters (character, place)
    ) neighbors
    cross join lateral (values (character), (character || next)) as lexemes (lexeme)
    where lexeme is not null
  )
$function$
;

CREATE OR REPLACE FUNCTION public.word_lexemes(content text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select case
    when content ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]'
      then mixed_lexemes(content)
    else to_tsvector('simple', content)
  end
$function$
;

create table account_changes (
  account_id id not null,
  address text,
  change text not null,
  created_at timestamp with time zone not null,
  detail text,
  id id not null,
  constraint account_changes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_changes_change_check CHECK ((change = ANY (ARRAY['passkey_added'::text, 'passkey_removed'::text, 'authenticator_added'::text, 'authenticator_removed'::text, 'backup_codes_created'::text, 'backup_code_used'::text, 'password_changed'::text, 'password_reset'::text, 'password_link_made'::text, 'sign_in_link_made'::text, 'second_factor_reset'::text, 'identity_linked'::text, 'identity_unlinked'::text, 'credentials_replaced'::text, 'chat_account_linked'::text]))),
  constraint account_changes_pkey PRIMARY KEY (id)
);
CREATE INDEX account_changes_account_id_idx ON public.account_changes USING btree (account_id);
CREATE INDEX account_changes_created_at_idx ON public.account_changes USING btree (created_at);

create table account_emails (
  created_at timestamp with time zone not null,
  encrypted bytea not null,
  expires_at timestamp with time zone not null,
  id id not null,
  team_id id,
  constraint account_emails_pkey PRIMARY KEY (id),
  constraint account_emails_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX account_emails_expires_at_idx ON public.account_emails USING btree (expires_at);

create table account_tokens (
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  id id not null,
  identifier text not null,
  updated_at timestamp with time zone not null,
  value text not null,
  constraint account_tokens_pkey PRIMARY KEY (id)
);
CREATE INDEX account_tokens_expires_at_idx ON public.account_tokens USING btree (expires_at);
CREATE INDEX account_tokens_identifier_idx ON public.account_tokens USING btree (identifier);
CREATE INDEX account_tokens_value_idx ON public.account_tokens USING btree (value);

create table accounts (
  created_at timestamp with time zone not null,
  draft_digest text default 'off'::text not null,
  email text not null,
  email_verified boolean default false not null,
  id id not null,
  image text,
  keyboard_shortcuts boolean default true not null,
  language text,
  name text not null,
  notify_assignments boolean default true not null,
  notify_mentions boolean default true not null,
  notify_reminders boolean default true not null,
  time_zone text,
  time_zone_chosen boolean default false not null,
  two_factor_enabled boolean default false not null,
  updated_at timestamp with time zone not null,
  constraint accounts_draft_digest_check CHECK ((draft_digest = ANY (ARRAY['off'::text, 'daily'::text, 'weekly'::text]))),
  constraint accounts_email_check CHECK ((email = lower(email))),
  constraint accounts_email_key UNIQUE (email),
  constraint accounts_language_check CHECK (((length(language) >= 2) AND (length(language) <= 10))),
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_time_zone_check CHECK (((length(time_zone) >= 1) AND (length(time_zone) <= 64)))
);
CREATE INDEX accounts_draft_digest_idx ON public.accounts USING btree (id) WHERE (draft_digest <> 'off'::text);
CREATE TRIGGER accounts_access AFTER UPDATE OF two_factor_enabled ON public.accounts FOR EACH STATEMENT EXECUTE FUNCTION notify_access();

create table ai_usage (
  period date not null,
  team_id id not null,
  used integer not null,
  constraint ai_usage_pkey PRIMARY KEY (team_id, period),
  constraint ai_usage_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint ai_usage_used_check CHECK ((used >= 0))
);
CREATE INDEX ai_usage_period_idx ON public.ai_usage USING btree (period);

create table api_key_usage (
  api_key_id id not null,
  last_used_at timestamp with time zone,
  last_used_in_url_at timestamp with time zone,
  recent_requests timestamp with time zone[] default '{}'::timestamp with time zone[] not null,
  constraint api_key_usage_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  constraint api_key_usage_pkey PRIMARY KEY (api_key_id)
);

create table api_keys (
  allow_auto_ready boolean default true not null,
  created_at timestamp with time zone not null,
  created_by id,
  expires_at timestamp with time zone,
  first_key_id id,
  id id not null,
  ingest_only boolean default false not null,
  name text not null,
  prefix text not null,
  provider text,
  revoked_at timestamp with time zone,
  rotated_at timestamp with time zone,
  scopes text[] not null,
  team_id id not null,
  token_hash bytea not null,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_scopes_check CHECK ((scopes <@ ARRAY['read'::text, 'write'::text, 'send_preview'::text])),
  constraint api_keys_team_id_created_by_fkey FOREIGN KEY (team_id, created_by) REFERENCES members(team_id, id),
  constraint api_keys_team_id_first_key_id_fkey FOREIGN KEY (team_id, first_key_id) REFERENCES api_keys(team_id, id),
  constraint api_keys_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint api_keys_token_hash_key UNIQUE (token_hash)
);
CREATE UNIQUE INDEX api_keys_team_id_id_idx ON public.api_keys USING btree (team_id, id DESC);
CREATE INDEX api_keys_team_id_prefix_idx ON public.api_keys USING btree (team_id, prefix);

create table app_installations (
  adapter text not null,
  connection_id id not null,
  expires_at timestamp with time zone,
  installed_at timestamp with time zone not null,
  refresh_problem text,
  refreshing_until timestamp with time zone,
  team_id id not null,
  workspace_id text not null,
  constraint app_installations_adapter_workspace_id_key UNIQUE (adapter, workspace_id),
  constraint app_installations_pkey PRIMARY KEY (team_id, connection_id),
  constraint app_installations_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES connections(team_id, id),
  constraint app_installations_workspace_id_check CHECK (((length(workspace_id) >= 1) AND (length(workspace_id) <= 255)))
);
CREATE INDEX app_installations_expires_at_idx ON public.app_installations USING btree (expires_at) WHERE (expires_at IS NOT NULL);

create table audit_log (
  action text not null,
  actor text not null,
  address text,
  created_at timestamp with time zone not null,
  id id not null,
  subject text,
  team_id id not null,
  constraint audit_log_pkey PRIMARY KEY (team_id, id),
  constraint audit_log_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX audit_log_team_id_action_id_idx ON public.audit_log USING btree (team_id, action, id DESC);
CREATE INDEX audit_log_team_id_actor_id_idx ON public.audit_log USING btree (team_id, actor, id DESC);
CREATE INDEX audit_log_team_id_id_idx ON public.audit_log USING btree (team_id, id DESC);
CREATE TRIGGER audit_log_is_final BEFORE UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_stays BEFORE DELETE ON public.audit_log FOR EACH ROW WHEN ((old.created_at > (now() - '400 days'::interval))) EXECUTE FUNCTION refuse_change();

create table block_assignments (
  block_id id not null,
  created_at timestamp with time zone not null,
  member_id id not null,
  team_id id not null,
  constraint block_assignments_pkey PRIMARY KEY (team_id, block_id),
  constraint block_assignments_team_id_member_id_fkey FOREIGN KEY (team_id, member_id) REFERENCES members(team_id, id)
);
CREATE INDEX block_assignments_team_id_member_id_block_id_idx ON public.block_assignments USING btree (team_id, member_id, block_id DESC);

create table block_comments (
  block_id id not null,
  body text not null,
  created_at timestamp with time zone not null,
  id id not null,
  member_id id not null,
  mentioned text[] default '{}'::text[] not null,
  team_id id not null,
  constraint block_comments_body_check CHECK (((length(body) >= 1) AND (length(body) <= 5000))),
  constraint block_comments_pkey PRIMARY KEY (team_id, id),
  constraint block_comments_team_id_member_id_fkey FOREIGN KEY (team_id, member_id) REFERENCES members(team_id, id)
);
CREATE INDEX block_comments_team_id_block_id_id_idx ON public.block_comments USING btree (team_id, block_id, id);

create table block_contributors (
  block_id id not null,
  connection_id id not null,
  created_at timestamp with time zone not null,
  from_private boolean not null,
  role text not null,
  team_id id not null,
  user_id text not null,
  constraint block_contributors_pkey PRIMARY KEY (team_id, block_id, connection_id, user_id, role),
  constraint block_contributors_role_check CHECK ((role = ANY (ARRAY['sender'::text, 'author'::text, 'recipient'::text]))),
  constraint block_contributors_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES connections(team_id, id),
  constraint block_contributors_user_id_check CHECK (((length(user_id) >= 1) AND (length(user_id) <= 255)))
);
CREATE INDEX block_contributors_created_at_idx ON public.block_contributors USING btree (created_at);
CREATE INDEX block_contributors_team_id_connection_id_created_at_idx ON public.block_contributors USING btree (team_id, connection_id, created_at);
CREATE INDEX block_contributors_team_id_connection_id_user_id_block_id_idx ON public.block_contributors USING btree (team_id, connection_id, user_id, block_id DESC);

create table block_versions (
  actor text,
  block_id id not null,
  changes text[] not null,
  content jsonb not null,
  created_at timestamp with time zone not null,
  member_id id,
  restored_version integer,
  team_id id not null,
  version integer not null,
  constraint block_versions_pkey PRIMARY KEY (team_id, block_id, version),
  constraint block_versions_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX block_versions_created_at_idx ON public.block_versions USING btree (created_at);
CREATE INDEX block_versions_media_idx ON public.block_versions USING btree (team_id, block_id, version) WHERE (((content ->> 'image_url'::text) ~~ '%/media/%'::text) OR ((content ->> 'body'::text) ~~ '%/media/%'::text));

create table captured_emails (
  created_at timestamp with time zone not null,
  html text not null,
  id id not null,
  recipient text not null,
  subject text not null,
  team_id id,
  text text not null,
  constraint captured_emails_pkey PRIMARY KEY (id),
  constraint captured_emails_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX captured_emails_created_at_idx ON public.captured_emails USING btree (created_at);
CREATE INDEX captured_emails_team_id_id_idx ON public.captured_emails USING btree (team_id, id DESC);

create table chat_conversations (
  connection_id id not null,
  conversation text not null,
  delivery_id id not null,
  details jsonb default '[]'::jsonb not null,
  from_private boolean not null,
  kind text,
  missing text,
  people text[] not null,
  questions integer not null,
  team_id id not null,
  texts text[] not null,
  updated_at timestamp with time zone not null,
  user_id text not null,
  constraint chat_conversations_conversation_check CHECK (((length(conversation) >= 1) AND (length(conversation) <= 255))),
  constraint chat_conversations_kind_check CHECK ((kind = ANY (ARRAY['win'::text, 'news'::text, 'kudos'::text, 'welcome'::text]))),
  constraint chat_conversations_missing_check CHECK ((missing = ANY (ARRAY['what'::text, 'who'::text]))),
  constraint chat_conversations_pkey PRIMARY KEY (team_id, connection_id, conversation),
  constraint chat_conversations_questions_check CHECK ((questions >= 0)),
  constraint chat_conversations_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES connections(team_id, id),
  constraint chat_conversations_user_id_check CHECK (((length(user_id) >= 1) AND (length(user_id) <= 255)))
);
CREATE INDEX chat_conversations_team_id_connection_id_user_id_updated_at_idx ON public.chat_conversations USING btree (team_id, connection_id, user_id, updated_at);
CREATE INDEX chat_conversations_team_id_delivery_id_idx ON public.chat_conversations USING btree (team_id, delivery_id);
CREATE INDEX chat_conversations_updated_at_idx ON public.chat_conversations USING btree (updated_at);

create table chat_homes (
  connection_id id not null,
  fingerprint text not null,
  is_editor boolean not null,
  opened_at timestamp with time zone not null,
  team_id id not null,
  user_id text not null,
  constraint chat_homes_pkey PRIMARY KEY (team_id, connection_id, user_id),
  constraint chat_homes_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES connections(team_id, id),
  constraint chat_homes_user_id_check CHECK (((length(user_id) >= 1) AND (length(user_id) <= 255)))
);
CREATE INDEX chat_homes_opened_at_idx ON public.chat_homes USING btree (opened_at);
CREATE INDEX chat_homes_team_id_connection_id_opened_at_idx ON public.chat_homes USING btree (team_id, connection_id, opened_at);

create table chat_messages (
  attempts integer default 0 not null,
  connection_id id not null,
  created_at timestamp with time zone not null,
  data jsonb default '{}'::jsonb not null,
  id id not null,
  kind text not null,
  reason text,
  recipient text not null,
  reference jsonb,
  settled_at timestamp with time zone,
  status text default 'waiting'::text not null,
  subject text not null,
  team_id id not null,
  constraint chat_messages_kind_check CHECK ((kind = ANY (ARRAY['published'::text, 'declined'::text, 'review'::text, 'prompt'::text, 'reminder'::text, 'reply'::text]))),
  constraint chat_messages_pkey PRIMARY KEY (team_id, id),
  constraint chat_messages_recipient_check CHECK (((length(recipient) >= 1) AND (length(recipient) <= 255))),
  constraint chat_messages_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'skipped'::text, 'failed'::text, 'unknown'::text]))),
  constraint chat_messages_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 255))),
  constraint chat_messages_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES connections(team_id, id),
  constraint chat_messages_team_id_connection_id_kind_recipient_subject_key UNIQUE (team_id, connection_id, kind, recipient, subject)
);
CREATE INDEX chat_messages_created_at_idx ON public.chat_messages USING btree (created_at);
CREATE INDEX chat_messages_team_id_connection_id_id_idx ON public.chat_messages USING btree (team_id, connection_id, id DESC);

create table chat_people (
  connection_id id not null,
  member_id id,
  team_id id not null,
  updated_at timestamp with time zone not null,
  user_id text not null,
  wants_messages boolean default true not null,
  wants_reminders boolean default true not null,
  constraint chat_people_pkey PRIMARY KEY (team_id, connection_id, user_id),
  constraint chat_people_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES connections(team_id, id),
  constraint chat_people_team_id_member_id_fkey FOREIGN KEY (team_id, member_id) REFERENCES members(team_id, id),
  constraint chat_people_user_id_check CHECK (((length(user_id) >= 1) AND (length(user_id) <= 255)))
);
CREATE INDEX chat_people_team_id_member_id_idx ON public.chat_people USING btree (team_id, member_id) WHERE (member_id IS NOT NULL);

create table connection_routes (
  connection_id id not null,
  created_at timestamp with time zone not null,
  source text not null,
  target_id id not null,
  target_team_id id not null,
  team_id id not null,
  constraint connection_routes_pkey PRIMARY KEY (team_id, connection_id, source),
  constraint connection_routes_source_check CHECK (((length(source) >= 1) AND (length(source) <= 255))),
  constraint connection_routes_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES connections(team_id, id) ON DELETE CASCADE
);

create table connections (
  adapter text not null,
  api_key_id id not null,
  connected_at timestamp with time zone,
  created_at timestamp with time zone not null,
  disconnected_at timestamp with time zone,
  disconnected_reason text,
  encrypted bytea,
  id id not null,
  label text,
  last_refused_at timestamp with time zone,
  rate_limited_requests integer default 0 not null,
  refused_requests integer default 0 not null,
  registration jsonb,
  removed_at timestamp with time zone,
  settings json not null,
  team_id id not null,
  token_problem text,
  unknown_events integer default 0 not null,
  uses_socket boolean,
  webhook_token_hash bytea not null,
  constraint connections_api_key_id_key UNIQUE (api_key_id),
  constraint connections_check CHECK (((encrypted IS NOT NULL) OR (removed_at IS NOT NULL))),
  constraint connections_check1 CHECK (((disconnected_at IS NULL) = (disconnected_reason IS NULL))),
  constraint connections_disconnected_reason_check CHECK ((disconnected_reason = ANY (ARRAY['uninstalled'::text, 'revoked'::text, 'expired'::text]))),
  constraint connections_label_check CHECK (((char_length(label) >= 1) AND (char_length(label) <= 100))),
  constraint connections_pkey PRIMARY KEY (id),
  constraint connections_team_id_api_key_id_fkey FOREIGN KEY (team_id, api_key_id) REFERENCES api_keys(team_id, id),
  constraint connections_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint connections_webhook_token_hash_key UNIQUE (webhook_token_hash)
);
CREATE INDEX connections_id_idx ON public.connections USING btree (id) WHERE (removed_at IS NULL);
CREATE INDEX connections_removed_at_idx ON public.connections USING btree (removed_at) WHERE ((removed_at IS NOT NULL) AND (encrypted IS NOT NULL));
CREATE UNIQUE INDEX connections_team_id_id_idx ON public.connections USING btree (team_id, id DESC);
CREATE INDEX connections_uses_socket_idx ON public.connections USING btree (id) WHERE ((removed_at IS NULL) AND (uses_socket IS NOT FALSE));

create table content_block_changes (
  changes bigint not null,
  shard smallint not null,
  team_id id not null,
  constraint content_block_changes_pkey PRIMARY KEY (team_id, shard),
  constraint content_block_changes_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);

create table content_block_counts (
  blocks integer not null,
  month date not null,
  shard smallint not null,
  team_id id not null,
  constraint content_block_counts_pkey PRIMARY KEY (team_id, month, shard),
  constraint content_block_counts_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);

create table content_blocks (
  api_key_id id,
  author text,
  block_type block_type not null,
  body text not null,
  body_format body_format not null,
  created_at timestamp with time zone not null,
  event_slug text,
  external_id text,
  id id not null,
  image_alt text,
  image_focal_x image_focus,
  image_focal_y image_focus,
  image_size image_size,
  image_url text,
  original jsonb,
  provider text,
  publish_after timestamp with time zone,
  search tsvector not null,
  source block_source not null,
  source_url text,
  status block_status not null,
  team_id id not null,
  title text not null,
  updated_at timestamp(3) with time zone not null,
  version integer default 1 not null,
  constraint content_blocks_pkey PRIMARY KEY (team_id, id),
  constraint content_blocks_team_id_api_key_id_fkey FOREIGN KEY (team_id, api_key_id) REFERENCES api_keys(team_id, id),
  constraint content_blocks_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX content_blocks_event_updated_idx ON public.content_blocks USING btree (team_id, event_slug, updated_at, id) WHERE (event_slug IS NOT NULL);
CREATE UNIQUE INDEX content_blocks_external_id_idx ON public.content_blocks USING btree (team_id, external_id, api_key_id) WHERE (external_id IS NOT NULL);
CREATE INDEX content_blocks_filter_idx ON public.content_blocks USING btree (team_id, status, block_type, source, id);
CREATE INDEX content_blocks_media_idx ON public.content_blocks USING btree (team_id, id) WHERE ((image_url ~~ '%/media/%'::text) OR (body ~~ '%/media/%'::text));
CREATE INDEX content_blocks_search_idx ON public.content_blocks USING gin (search);
CREATE INDEX content_blocks_team_id_event_slug_id_idx ON public.content_blocks USING btree (team_id, event_slug, id DESC) WHERE (event_slug IS NOT NULL);
CREATE INDEX content_blocks_updated_idx ON public.content_blocks USING btree (team_id, status, block_type, source, updated_at, id);
CREATE TRIGGER change_newsletters AFTER UPDATE ON public.content_blocks REFERENCING OLD TABLE AS old_blocks NEW TABLE AS new_blocks FOR EACH STATEMENT EXECUTE FUNCTION change_newsletters_of_blocks();
CREATE TRIGGER count_deleted AFTER DELETE ON public.content_blocks REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_content_blocks();
CREATE TRIGGER count_inserted AFTER INSERT ON public.content_blocks REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_content_blocks();
CREATE TRIGGER count_left_by_delete AFTER DELETE ON public.content_blocks REFERENCING OLD TABLE AS old_blocks FOR EACH STATEMENT EXECUTE FUNCTION count_block_changes();
CREATE TRIGGER count_left_by_update AFTER UPDATE ON public.content_blocks REFERENCING OLD TABLE AS old_blocks NEW TABLE AS new_blocks FOR EACH STATEMENT EXECUTE FUNCTION count_block_changes();
CREATE TRIGGER search_inserted BEFORE INSERT ON public.content_blocks FOR EACH ROW WHEN ((new.search IS NULL)) EXECUTE FUNCTION set_block_search();
CREATE TRIGGER search_updated BEFORE UPDATE OF title, body ON public.content_blocks FOR EACH ROW WHEN (((old.title <> new.title) OR (old.body <> new.body))) EXECUTE FUNCTION set_block_search();

create table credentials (
  account_id id not null,
  created_at timestamp with time zone not null,
  id id not null,
  password text,
  provider_account_id text not null,
  provider_id text not null,
  updated_at timestamp with time zone not null,
  constraint credentials_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint credentials_pkey PRIMARY KEY (id),
  constraint credentials_provider_id_provider_account_id_key UNIQUE (provider_id, provider_account_id)
);
CREATE INDEX credentials_account_id_idx ON public.credentials USING btree (account_id);

create table deliveries (
  attempts integer default 0 not null,
  block_ids text[] default '{}'::text[] not null,
  connection_id id not null,
  delivery_id text not null,
  ephemeral_context bytea,
  event json,
  id id not null,
  items json,
  notification bytea,
  notification_started_at timestamp with time zone,
  problem text,
  reason text,
  received_at timestamp with time zone not null,
  replays integer default 0 not null,
  settled_at timestamp with time zone,
  status text not null,
  team_id id not null,
  constraint deliveries_pkey PRIMARY KEY (team_id, id),
  constraint deliveries_problem_check CHECK ((problem = ANY (ARRAY['refused'::text, 'rate_limited'::text, 'unavailable'::text]))),
  constraint deliveries_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'ignored'::text, 'failed'::text, 'withdrawn'::text]))),
  constraint deliveries_team_id_connection_id_delivery_id_key UNIQUE (team_id, connection_id, delivery_id),
  constraint deliveries_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES connections(team_id, id),
  constraint deliveries_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX deliveries_private_idx ON public.deliveries USING btree (team_id) WHERE ((status = ANY (ARRAY['waiting'::text, 'failed'::text])) AND ((items ->> 'fromPrivate'::text) = 'true'::text));
CREATE INDEX deliveries_settled_at_idx ON public.deliveries USING btree (settled_at);
CREATE INDEX deliveries_team_id_connection_id_id_idx ON public.deliveries USING btree (team_id, connection_id, id DESC);
CREATE INDEX deliveries_team_id_connection_id_id_idx1 ON public.deliveries USING btree (team_id, connection_id, id) WHERE (status = 'waiting'::text);
CREATE INDEX deliveries_team_id_connection_id_status_id_idx ON public.deliveries USING btree (team_id, connection_id, status, id DESC);

create table draft_reviews (
  block_id id not null,
  connection_id id not null,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  decided_by text,
  decided_by_name text,
  decision text,
  edited_by text,
  message_id id,
  team_id id not null,
  title text not null,
  constraint draft_reviews_check CHECK (((decision IS NULL) = (decided_at IS NULL))),
  constraint draft_reviews_decision_check CHECK ((decision = ANY (ARRAY['approved'::text, 'declined'::text]))),
  constraint draft_reviews_pkey PRIMARY KEY (team_id, connection_id, block_id),
  constraint draft_reviews_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES connections(team_id, id)
);
CREATE INDEX draft_reviews_created_at_idx ON public.draft_reviews USING btree (created_at);
CREATE INDEX draft_reviews_team_id_connection_id_block_id_idx ON public.draft_reviews USING btree (team_id, connection_id, block_id) WHERE (decision IS NULL);
CREATE INDEX draft_reviews_team_id_connection_id_message_id_idx ON public.draft_reviews USING btree (team_id, connection_id, message_id);

create table events (
  category text not null,
  created_at timestamp with time zone not null,
  description text,
  event_date date not null,
  name text not null,
  recurs boolean default false not null,
  slug text not null,
  source_updated_at timestamp with time zone,
  suggested_content text,
  team_id id not null,
  constraint events_category_check CHECK ((category = ANY (ARRAY['awareness_day'::text, 'cultural'::text, 'seasonal'::text, 'corporate'::text, 'wellness'::text, 'diversity'::text]))),
  constraint events_pkey PRIMARY KEY (team_id, slug),
  constraint events_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX events_of_sources_idx ON public.events USING btree (event_date) WHERE ((source_updated_at IS NOT NULL) AND (NOT recurs) AND (description IS NULL) AND (suggested_content IS NULL));

create table form_drafts (
  content text not null,
  form text not null,
  member_id id not null,
  saved_at timestamp with time zone not null,
  team_id id not null,
  constraint form_drafts_content_check CHECK ((octet_length(content) <= 200000)),
  constraint form_drafts_form_check CHECK (((length(form) >= 1) AND (length(form) <= 300))),
  constraint form_drafts_pkey PRIMARY KEY (team_id, member_id, form),
  constraint form_drafts_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint form_drafts_team_id_member_id_fkey FOREIGN KEY (team_id, member_id) REFERENCES members(team_id, id)
);
CREATE INDEX form_drafts_saved_at_idx ON public.form_drafts USING btree (saved_at);

create table form_submissions (
  cookies text[] not null,
  created_at timestamp with time zone not null,
  hash bytea not null,
  location text,
  member_id id not null,
  team_id id not null,
  constraint form_submissions_cookies_check CHECK ((cardinality(cookies) <= 4)),
  constraint form_submissions_hash_check CHECK ((octet_length(hash) = 32)),
  constraint form_submissions_location_check CHECK ((length(location) <= 2000)),
  constraint form_submissions_pkey PRIMARY KEY (team_id, member_id, hash),
  constraint form_submissions_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint form_submissions_team_id_member_id_fkey FOREIGN KEY (team_id, member_id) REFERENCES members(team_id, id)
);
CREATE INDEX form_submissions_created_at_idx ON public.form_submissions USING btree (created_at);

create table idempotency_keys (
  api_key_id id not null,
  created_at timestamp with time zone not null,
  etag text,
  key text not null,
  location text,
  path text not null,
  request_hash bytea not null,
  resource_id id,
  response_body json not null,
  status smallint not null,
  constraint idempotency_keys_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  constraint idempotency_keys_pkey PRIMARY KEY (api_key_id, path, key),
  constraint idempotency_keys_status_check CHECK (((status >= 200) AND (status <= 599)))
);
CREATE INDEX idempotency_keys_created_at_idx ON public.idempotency_keys USING btree (created_at);

create table idempotency_locks (
  api_key_id id not null,
  key text not null,
  locked_until timestamp with time zone not null,
  owner text not null,
  path text not null,
  constraint idempotency_locks_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  constraint idempotency_locks_pkey PRIMARY KEY (api_key_id, path, key)
);
CREATE INDEX idempotency_locks_locked_until_idx ON public.idempotency_locks USING btree (locked_until);

create table images (
  alt text,
  bytes integer not null,
  created_at timestamp with time zone not null,
  focal_x real default 0.5 not null,
  focal_y real default 0.5 not null,
  hash text not null,
  height integer not null,
  id id not null,
  sent_at timestamp with time zone,
  team_id id not null,
  type text not null,
  unreferenced_since timestamp with time zone,
  width integer not null,
  constraint images_bytes_check CHECK ((bytes > 0)),
  constraint images_focal_x_check CHECK (((focal_x >= (0)::double precision) AND (focal_x <= (1)::double precision))),
  constraint images_focal_y_check CHECK (((focal_y >= (0)::double precision) AND (focal_y <= (1)::double precision))),
  constraint images_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
  constraint images_height_check CHECK ((height > 0)),
  constraint images_pkey PRIMARY KEY (team_id, hash),
  constraint images_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint images_team_id_id_key UNIQUE (team_id, id),
  constraint images_type_check CHECK ((type = ANY (ARRAY['jpeg'::text, 'png'::text]))),
  constraint images_width_check CHECK ((width > 0))
);
CREATE INDEX images_hash_idx ON public.images USING btree (hash);
CREATE INDEX images_unreferenced_idx ON public.images USING btree (team_id, unreferenced_since) WHERE (unreferenced_since IS NOT NULL);

create table installation (
  only_row boolean default true not null,
  secret_fingerprint text not null,
  constraint installation_only_row_check CHECK (only_row),
  constraint installation_pkey PRIMARY KEY (only_row)
);

create table invitations (
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  member_id id not null,
  team_id id not null,
  token_hash bytea not null,
  constraint invitations_pkey PRIMARY KEY (token_hash),
  constraint invitations_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint invitations_team_id_member_id_fkey FOREIGN KEY (team_id, member_id) REFERENCES members(team_id, id)
);
CREATE INDEX invitations_expires_at_idx ON public.invitations USING btree (expires_at);
CREATE INDEX invitations_team_id_member_id_idx ON public.invitations USING btree (team_id, member_id);

create table item_sync_state (
  block_version integer,
  connection_id id not null,
  delivery_id id not null,
  external_id text not null,
  received_at timestamp with time zone not null,
  source_updated_at timestamp with time zone not null,
  team_id id not null,
  constraint item_sync_state_pkey PRIMARY KEY (team_id, connection_id, external_id),
  constraint item_sync_state_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES connections(team_id, id),
  constraint item_sync_state_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX item_sync_state_received_at_idx ON public.item_sync_state USING btree (received_at);

create table members (
  account_id id,
  created_at timestamp with time zone not null,
  draft_digest_at timestamp with time zone,
  email text not null,
  id id not null,
  name text not null,
  removed_at timestamp with time zone,
  role text not null,
  team_id id not null,
  constraint members_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint members_email_check CHECK ((email = lower(email))),
  constraint members_pkey PRIMARY KEY (id),
  constraint members_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'editor'::text, 'viewer'::text]))),
  constraint members_team_id_email_key UNIQUE (team_id, email),
  constraint members_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX members_account_id_idx ON public.members USING btree (account_id);
CREATE INDEX members_email_idx ON public.members USING btree (email) WHERE (removed_at IS NULL);
CREATE INDEX members_name_idx ON public.members USING btree (team_id, lower(name), id) WHERE (removed_at IS NULL);
CREATE UNIQUE INDEX members_team_id_account_id_idx ON public.members USING btree (team_id, account_id);
CREATE UNIQUE INDEX members_team_id_id_idx ON public.members USING btree (team_id, id);
CREATE TRIGGER members_access AFTER UPDATE OF removed_at, role, account_id ON public.members FOR EACH STATEMENT EXECUTE FUNCTION notify_access();

create table migration_jobs (
  data jsonb not null,
  id bigint not null,
  queue text not null,
  constraint migration_jobs_pkey PRIMARY KEY (id)
);

create table migrations (
  applied_at timestamp with time zone default now() not null,
  name text not null,
  version integer not null,
  constraint migrations_pkey PRIMARY KEY (version)
);

create table newsletter_blocks (
  content_block_id id,
  id id not null,
  newsletter_id id not null,
  position integer not null,
  snapshot jsonb,
  team_id id not null,
  constraint newsletter_blocks_check CHECK ((num_nonnulls(content_block_id, snapshot) = 1)),
  constraint newsletter_blocks_pkey PRIMARY KEY (team_id, id),
  constraint newsletter_blocks_position_check CHECK (("position" > 0)),
  constraint newsletter_blocks_team_id_content_block_id_fkey FOREIGN KEY (team_id, content_block_id) REFERENCES content_blocks(team_id, id),
  constraint newsletter_blocks_team_id_newsletter_id_content_block_id_key UNIQUE (team_id, newsletter_id, content_block_id),
  constraint newsletter_blocks_team_id_newsletter_id_fkey FOREIGN KEY (team_id, newsletter_id) REFERENCES newsletters(team_id, id) ON DELETE CASCADE,
  constraint newsletter_blocks_team_id_newsletter_id_position_key UNIQUE (team_id, newsletter_id, "position") DEFERRABLE
);
CREATE INDEX newsletter_blocks_content_block_id_idx ON public.newsletter_blocks USING btree (content_block_id) WHERE (content_block_id IS NOT NULL);
CREATE INDEX newsletter_blocks_team_id_expr_idx ON public.newsletter_blocks USING btree (team_id, ((snapshot ->> 'id'::text))) WHERE (snapshot IS NOT NULL);

create table newsletter_elements (
  before_position integer not null,
  body text,
  created_at timestamp with time zone not null,
  heading text,
  id id not null,
  newsletter_id id not null,
  options jsonb,
  sequence integer not null,
  team_id id not null,
  type text not null,
  constraint newsletter_elements_before_position_check CHECK ((before_position > 0)),
  constraint newsletter_elements_check CHECK (((heading IS NOT NULL) OR (type = ANY (ARRAY['divider'::text, 'callout'::text])))),
  constraint newsletter_elements_check1 CHECK (((body IS NULL) = (type <> 'callout'::text))),
  constraint newsletter_elements_check2 CHECK (((options IS NULL) = (type <> 'poll'::text))),
  constraint newsletter_elements_pkey PRIMARY KEY (team_id, newsletter_id, id),
  constraint newsletter_elements_team_id_newsletter_id_fkey FOREIGN KEY (team_id, newsletter_id) REFERENCES newsletters(team_id, id) ON DELETE CASCADE,
  constraint newsletter_elements_type_check CHECK ((type = ANY (ARRAY['section'::text, 'divider'::text, 'callout'::text, 'poll'::text])))
);

create table newsletter_posts (
  channel text default ''::text not null,
  connection_id id not null,
  created_at timestamp with time zone not null,
  id id not null,
  newsletter_id id not null,
  posted_at timestamp with time zone,
  reason text,
  scheduled_at timestamp with time zone,
  status text default 'waiting'::text not null,
  team_id id not null,
  constraint newsletter_posts_newsletter_connection_channel_key UNIQUE (team_id, newsletter_id, connection_id, channel),
  constraint newsletter_posts_pkey PRIMARY KEY (team_id, id),
  constraint newsletter_posts_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'posting'::text, 'posted'::text, 'failed'::text, 'unknown'::text]))),
  constraint newsletter_posts_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES connections(team_id, id),
  constraint newsletter_posts_team_id_newsletter_id_fkey FOREIGN KEY (team_id, newsletter_id) REFERENCES newsletters(team_id, id) ON DELETE CASCADE
);

create table newsletter_reminders (
  created_at timestamp with time zone not null,
  newsletter_id id not null,
  planned_date date not null,
  team_id id not null,
  constraint newsletter_reminders_pkey PRIMARY KEY (team_id, newsletter_id, planned_date),
  constraint newsletter_reminders_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX newsletter_reminders_created_at_idx ON public.newsletter_reminders USING btree (created_at);

create table newsletter_schedules (
  anchor_date date not null,
  hour smallint default 9 not null,
  is_recurring boolean default false not null,
  lead_days smallint default 3 not null,
  reminder_days smallint,
  team_id id not null,
  time_zone text default 'UTC'::text not null,
  updated_at timestamp with time zone not null,
  weekday smallint default 5 not null,
  constraint newsletter_schedules_hour_check CHECK (((hour >= 0) AND (hour <= 23))),
  constraint newsletter_schedules_lead_days_check CHECK (((lead_days >= 0) AND (lead_days <= 28))),
  constraint newsletter_schedules_pkey PRIMARY KEY (team_id),
  constraint newsletter_schedules_reminder_days_check CHECK (((reminder_days >= 0) AND (reminder_days <= 14))),
  constraint newsletter_schedules_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint newsletter_schedules_time_zone_check CHECK (((length(time_zone) >= 1) AND (length(time_zone) <= 64))),
  constraint newsletter_schedules_weekday_check CHECK (((weekday >= 1) AND (weekday <= 7)))
);

create table newsletter_slots (
  created_at timestamp with time zone not null,
  newsletter_id id not null,
  planned_date date not null,
  team_id id not null,
  constraint newsletter_slots_pkey PRIMARY KEY (team_id, planned_date),
  constraint newsletter_slots_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX newsletter_slots_created_at_idx ON public.newsletter_slots USING btree (created_at);

create table newsletter_versions (
  actor text,
  changes text[] not null,
  content jsonb not null,
  created_at timestamp with time zone not null,
  member_id id,
  newsletter_id id not null,
  restored_version integer,
  team_id id not null,
  version integer not null,
  constraint newsletter_versions_pkey PRIMARY KEY (team_id, newsletter_id, version),
  constraint newsletter_versions_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint newsletter_versions_team_id_newsletter_id_fkey FOREIGN KEY (team_id, newsletter_id) REFERENCES newsletters(team_id, id) ON DELETE CASCADE
);
CREATE INDEX newsletter_versions_created_at_idx ON public.newsletter_versions USING btree (created_at);

create table newsletters (
  approval_requested_at timestamp with time zone,
  approval_requested_by id,
  approved_at timestamp with time zone,
  approved_by id,
  approved_hash text,
  changed_by id,
  closing text,
  cover_color text,
  cover_focal_x real,
  cover_focal_y real,
  cover_image_alt text,
  cover_image_url text,
  created_at timestamp with time zone not null,
  id id not null,
  intro text,
  preheader_text text,
  scheduled_date date,
  search tsvector generated always as (
CASE
    WHEN (status = 'sent'::text) THEN (word_lexemes("left"(((((title || ' '::text) || COALESCE(subject_line, ''::text)) || ' '::text) || sent_text), 60000)) || array_to_tsvector(ARRAY[(team_id)::text]))
    ELSE NULL::tsvector
END) stored,
  sent_at timestamp(3) with time zone,
  sent_day date,
  sent_html text,
  sent_text text,
  status text default 'draft'::text not null,
  subject_line text,
  table_of_contents boolean,
  team_id id not null,
  template_slug text not null,
  title text not null,
  updated_at timestamp(3) with time zone not null,
  version integer default 1 not null,
  constraint newsletters_check CHECK ((num_nonnulls(sent_at, sent_html, sent_text) =
CASE status
    WHEN 'sent'::text THEN 3
    ELSE 0
END)),
  constraint newsletters_check1 CHECK (((approved_by IS NULL) = (approved_at IS NULL))),
  constraint newsletters_cover_color_check CHECK ((cover_color ~ '^#[0-9a-f]{6}$'::text)),
  constraint newsletters_cover_focal_x_check CHECK (((cover_focal_x >= (0)::double precision) AND (cover_focal_x <= (1)::double precision))),
  constraint newsletters_cover_focal_y_check CHECK (((cover_focal_y >= (0)::double precision) AND (cover_focal_y <= (1)::double precision))),
  constraint newsletters_pkey PRIMARY KEY (team_id, id),
  constraint newsletters_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'in_progress'::text, 'ready'::text, 'sent'::text]))),
  constraint newsletters_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX newsletters_planned_idx ON public.newsletters USING btree (team_id, scheduled_date) WHERE (scheduled_date IS NOT NULL);
CREATE INDEX newsletters_search_idx ON public.newsletters USING gin (search) WITH (fastupdate=off) WHERE (search IS NOT NULL);
CREATE INDEX newsletters_sent_idx ON public.newsletters USING btree (team_id, sent_at DESC, id DESC) WHERE (status = 'sent'::text);
CREATE INDEX newsletters_team_id_status_id_idx ON public.newsletters USING btree (team_id, status, id DESC);
CREATE INDEX newsletters_updated_idx ON public.newsletters USING btree (team_id, status, updated_at, id);
CREATE TRIGGER end_approval BEFORE UPDATE ON public.newsletters FOR EACH ROW WHEN ((old.approved_by IS NOT NULL)) EXECUTE FUNCTION end_approval();

create table notification_emails (
  created_at timestamp with time zone not null,
  html text not null,
  id id not null,
  member_id id not null,
  subject text not null,
  team_id id not null,
  text text not null,
  constraint notification_emails_pkey PRIMARY KEY (team_id, id),
  constraint notification_emails_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 500))),
  constraint notification_emails_team_id_member_id_fkey FOREIGN KEY (team_id, member_id) REFERENCES members(team_id, id)
);
CREATE INDEX notification_emails_created_at_idx ON public.notification_emails USING btree (created_at);

create table one_time_tokens (
  data jsonb not null,
  expires_at timestamp with time zone not null,
  purpose text not null,
  team_id id not null,
  token_hash bytea not null,
  constraint one_time_tokens_pkey PRIMARY KEY (token_hash),
  constraint one_time_tokens_purpose_check CHECK ((purpose = ANY (ARRAY['install_app'::text, 'link_chat_account'::text]))),
  constraint one_time_tokens_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX one_time_tokens_expires_at_idx ON public.one_time_tokens USING btree (expires_at);

create table passkeys (
  aaguid text,
  account_id text not null,
  backed_up boolean not null,
  counter double precision not null,
  created_at timestamp with time zone default now() not null,
  credential_id text not null,
  device_type text not null,
  id text not null,
  name text,
  public_key text not null,
  transports text,
  constraint passkeys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_device_type_check CHECK ((device_type = ANY (ARRAY['singleDevice'::text, 'multiDevice'::text]))),
  constraint passkeys_pkey PRIMARY KEY (id)
);
CREATE INDEX passkeys_account_id_idx ON public.passkeys USING btree (account_id);

create table plans (
  ai_generations integer default '-1'::integer not null,
  content_blocks integer default '-1'::integer not null,
  key text not null,
  name text not null,
  newsletters integer default '-1'::integer not null,
  team_members integer default '-1'::integer not null,
  constraint plans_ai_generations_check CHECK ((ai_generations >= '-1'::integer)),
  constraint plans_content_blocks_check CHECK ((content_blocks >= '-1'::integer)),
  constraint plans_newsletters_check CHECK ((newsletters >= '-1'::integer)),
  constraint plans_pkey PRIMARY KEY (key),
  constraint plans_team_members_check CHECK ((team_members >= '-1'::integer))
);

create table polled_entries (
  connection_id id not null,
  ends_at timestamp with time zone,
  is_withdrawn boolean default false not null,
  key text not null,
  seen_at timestamp with time zone not null,
  source_hash bytea not null,
  team_id id not null,
  version text not null,
  constraint polled_entries_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 200))),
  constraint polled_entries_pkey PRIMARY KEY (team_id, connection_id, key),
  constraint polled_entries_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES polled_sources(team_id, connection_id) ON DELETE CASCADE
);
CREATE INDEX polled_entries_seen_at_idx ON public.polled_entries USING btree (seen_at);

create table polled_sources (
  connection_id id not null,
  due_at timestamp with time zone,
  failures integer default 0 not null,
  first_source_hash bytea,
  polled_at timestamp with time zone,
  problem text,
  queued_at timestamp with time zone,
  read_at timestamp with time zone,
  reason text,
  source_hash bytea,
  state json,
  succeeded_at timestamp with time zone,
  team_id id not null,
  version integer default 0 not null,
  constraint polled_sources_check CHECK (((reason IS NULL) = (problem IS NULL))),
  constraint polled_sources_pkey PRIMARY KEY (team_id, connection_id),
  constraint polled_sources_problem_check CHECK ((problem = ANY (ARRAY['refused'::text, 'rate_limited'::text, 'unavailable'::text, 'ended'::text]))),
  constraint polled_sources_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES connections(team_id, id)
);
CREATE INDEX polled_sources_due_at_idx ON public.polled_sources USING btree (due_at) WHERE (due_at IS NOT NULL);

create table preview_daily_usage (
  day date not null,
  emails integer not null,
  team_id id not null,
  constraint preview_daily_usage_pkey PRIMARY KEY (team_id, day),
  constraint preview_daily_usage_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX preview_daily_usage_day_idx ON public.preview_daily_usage USING btree (day);

create table preview_emails (
  id id not null,
  last_error text,
  preview_id id not null,
  recipient text not null,
  sent_at timestamp with time zone,
  status text default 'queued'::text not null,
  team_id id not null,
  constraint preview_emails_pkey PRIMARY KEY (team_id, id),
  constraint preview_emails_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text]))),
  constraint preview_emails_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint preview_emails_team_id_preview_id_fkey FOREIGN KEY (team_id, preview_id) REFERENCES previews(team_id, id) ON DELETE CASCADE
);
CREATE INDEX preview_emails_preview_id_idx ON public.preview_emails USING btree (preview_id);

create table preview_links (
  created_at timestamp with time zone not null,
  member_id id,
  newsletter_id id not null,
  opened_at timestamp with time zone,
  team_id id not null,
  token_hash bytea not null,
  constraint preview_links_pkey PRIMARY KEY (team_id, token_hash),
  constraint preview_links_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint preview_links_team_id_member_id_fkey FOREIGN KEY (team_id, member_id) REFERENCES members(team_id, id),
  constraint preview_links_team_id_newsletter_id_fkey FOREIGN KEY (team_id, newsletter_id) REFERENCES newsletters(team_id, id) ON DELETE CASCADE,
  constraint preview_links_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE INDEX preview_links_created_at_idx ON public.preview_links USING btree (created_at);
CREATE INDEX preview_links_newsletter_id_idx ON public.preview_links USING btree (team_id, newsletter_id);

create table previews (
  api_key_id id,
  html text not null,
  id id not null,
  member_id id,
  newsletter_id id not null,
  queued_at timestamp with time zone not null,
  subject text not null,
  team_id id not null,
  text text not null,
  constraint previews_check CHECK ((num_nonnulls(api_key_id, member_id) = 1)),
  constraint previews_pkey PRIMARY KEY (team_id, id),
  constraint previews_team_id_api_key_id_fkey FOREIGN KEY (team_id, api_key_id) REFERENCES api_keys(team_id, id),
  constraint previews_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint previews_team_id_member_id_fkey FOREIGN KEY (team_id, member_id) REFERENCES members(team_id, id)
);
CREATE INDEX previews_queued_at_idx ON public.previews USING btree (queued_at);
CREATE INDEX previews_team_id_newsletter_id_idx ON public.previews USING btree (team_id, newsletter_id);
CREATE INDEX previews_team_id_queued_at_idx ON public.previews USING btree (team_id, queued_at);

create table prompt_channels (
  channel text not null,
  connection_id id not null,
  muted_at timestamp with time zone,
  muted_by text,
  muted_by_name text,
  team_id id not null,
  constraint prompt_channels_channel_check CHECK (((length(channel) >= 1) AND (length(channel) <= 255))),
  constraint prompt_channels_pkey PRIMARY KEY (team_id, connection_id, channel),
  constraint prompt_channels_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES prompt_schedules(team_id, connection_id)
);

create table prompt_replies (
  block_id id not null,
  message_id id not null,
  team_id id not null,
  constraint prompt_replies_pkey PRIMARY KEY (team_id, message_id, block_id),
  constraint prompt_replies_team_id_message_id_fkey FOREIGN KEY (team_id, message_id) REFERENCES prompts(team_id, message_id) ON DELETE CASCADE
);

create table prompt_schedules (
  anchor_date date not null,
  connection_id id not null,
  days_off date[] not null,
  every_weeks smallint not null,
  holiday_region text,
  is_active boolean not null,
  minute_of_day smallint not null,
  question text,
  reminds_contributors boolean not null,
  team_id id not null,
  time_zone text not null,
  updated_at timestamp with time zone not null,
  weekday smallint not null,
  constraint prompt_schedules_days_off_check CHECK ((cardinality(days_off) <= 100)),
  constraint prompt_schedules_every_weeks_check CHECK (((every_weeks >= 1) AND (every_weeks <= 8))),
  constraint prompt_schedules_holiday_region_check CHECK (((length(holiday_region) >= 2) AND (length(holiday_region) <= 16))),
  constraint prompt_schedules_minute_of_day_check CHECK (((minute_of_day >= 0) AND (minute_of_day <= 1439))),
  constraint prompt_schedules_pkey PRIMARY KEY (team_id, connection_id),
  constraint prompt_schedules_question_check CHECK (((length(question) >= 1) AND (length(question) <= 300))),
  constraint prompt_schedules_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES connections(team_id, id),
  constraint prompt_schedules_time_zone_check CHECK (((length(time_zone) >= 1) AND (length(time_zone) <= 64))),
  constraint prompt_schedules_weekday_check CHECK (((weekday >= 1) AND (weekday <= 7)))
);

create table prompts (
  channel text not null,
  connection_id id not null,
  created_at timestamp with time zone not null,
  day date not null,
  message_id id not null,
  question text,
  reminded_at timestamp with time zone,
  team_id id not null,
  constraint prompts_pkey PRIMARY KEY (team_id, message_id),
  constraint prompts_team_id_connection_id_channel_day_key UNIQUE (team_id, connection_id, channel, day),
  constraint prompts_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES connections(team_id, id)
);
CREATE INDEX prompts_created_at_idx ON public.prompts USING btree (created_at);
CREATE INDEX prompts_team_id_connection_id_message_id_idx ON public.prompts USING btree (team_id, connection_id, message_id DESC);

create table rate_limits (
  subject bytea not null,
  tat timestamp with time zone not null,
  constraint rate_limits_pkey PRIMARY KEY (subject)
);
CREATE INDEX rate_limits_tat_idx ON public.rate_limits USING btree (tat);

create table receipts (
  block_id id not null,
  created_at timestamp with time zone not null,
  team_id id not null,
  token text not null,
  withdrawn_at timestamp with time zone,
  constraint receipts_pkey PRIMARY KEY (team_id, block_id),
  constraint receipts_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint receipts_team_id_token_key UNIQUE (team_id, token),
  constraint receipts_token_check CHECK ((length(token) >= 32))
);
CREATE INDEX receipts_created_at_idx ON public.receipts USING btree (created_at);

create table rollup_items (
  block_id id not null,
  connection_id id not null,
  external_id text not null,
  heading text not null,
  sort_key text collate "C" not null,
  team_id id not null,
  constraint rollup_items_pkey PRIMARY KEY (team_id, connection_id, external_id),
  constraint rollup_items_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES connections(team_id, id),
  constraint rollup_items_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX rollup_items_connection_id_block_id_idx ON public.rollup_items USING btree (connection_id, block_id);
CREATE INDEX rollup_items_sort_key_idx ON public.rollup_items USING btree (sort_key);

create table rollups (
  block_id id not null,
  connection_id id not null,
  group_key text not null,
  team_id id not null,
  title text not null,
  week text not null,
  constraint rollups_pkey PRIMARY KEY (team_id, connection_id, group_key, week),
  constraint rollups_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES connections(team_id, id),
  constraint rollups_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX rollups_week_idx ON public.rollups USING btree (week);

create table sample_content (
  block_ids text[] not null,
  created_at timestamp with time zone not null,
  newsletter_id id not null,
  team_id id not null,
  constraint sample_content_pkey PRIMARY KEY (team_id),
  constraint sample_content_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);

create table saved_filters (
  created_at timestamp with time zone not null,
  member_id id not null,
  name text not null,
  query text not null,
  team_id id not null,
  constraint saved_filters_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint saved_filters_pkey PRIMARY KEY (team_id, member_id, name),
  constraint saved_filters_query_check CHECK (((length(query) >= 1) AND (length(query) <= 4000))),
  constraint saved_filters_team_id_member_id_fkey FOREIGN KEY (team_id, member_id) REFERENCES members(team_id, id)
);

create table sessions (
  account_id id not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  id id not null,
  identity_provider boolean default false not null,
  ip_address text,
  team_id id,
  token text not null,
  updated_at timestamp with time zone not null,
  user_agent text,
  constraint sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE SET NULL,
  constraint sessions_token_key UNIQUE (token)
);
CREATE INDEX sessions_account_id_idx ON public.sessions USING btree (account_id);
CREATE INDEX sessions_expires_at_idx ON public.sessions USING btree (expires_at);
CREATE TRIGGER sessions_access AFTER DELETE ON public.sessions FOR EACH STATEMENT EXECUTE FUNCTION notify_access();

create table setup_links (
  created_at timestamp with time zone not null,
  token_hash bytea not null,
  constraint setup_links_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX setup_links_created_at_idx ON public.setup_links USING btree (created_at);

create table signed_out_submissions (
  created_at timestamp with time zone not null,
  hash bytea not null,
  response bytea,
  constraint signed_out_submissions_hash_check CHECK ((octet_length(hash) = 32)),
  constraint signed_out_submissions_pkey PRIMARY KEY (hash)
);
CREATE INDEX signed_out_submissions_created_at_idx ON public.signed_out_submissions USING btree (created_at);

create table socket_leases (
  connection_id id not null,
  held_until timestamp with time zone not null,
  holder text not null,
  problem text,
  team_id id not null,
  constraint socket_leases_pkey PRIMARY KEY (team_id, connection_id),
  constraint socket_leases_team_id_connection_id_fkey FOREIGN KEY (team_id, connection_id) REFERENCES connections(team_id, id)
);

create table submission_links (
  created_at timestamp with time zone not null,
  requires_sign_in boolean not null,
  team_id id not null,
  token text not null,
  constraint submission_links_pkey PRIMARY KEY (team_id),
  constraint submission_links_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint submission_links_token_check CHECK ((length(token) >= 32))
);

create table teams (
  archive text default 'off'::text not null,
  archive_feed_token text,
  archive_token text,
  brand_color text default '#8b5cf6'::text not null,
  contact text,
  created_at timestamp with time zone not null,
  example_texts text[] default '{}'::text[] not null,
  first_steps_done_at timestamp with time zone,
  id id not null,
  language text default 'en'::text not null,
  logo_alt text,
  logo_url text,
  name text not null,
  newsletter_cadence text default 'weekly'::text not null,
  plan_key text default 'self_hosted'::text not null,
  requires_approval boolean default false not null,
  requires_second_factor boolean default false not null,
  share_url text,
  slug text not null,
  tone text,
  words_to_avoid text[] default '{}'::text[] not null,
  constraint teams_archive_check CHECK ((archive = ANY (ARRAY['off'::text, 'link'::text, 'members'::text]))),
  constraint teams_archive_feed_token_check CHECK ((length(archive_feed_token) >= 32)),
  constraint teams_archive_token_check CHECK ((length(archive_token) >= 32)),
  constraint teams_brand_color_check CHECK ((brand_color ~ '^#[0-9a-f]{6}$'::text)),
  constraint teams_check CHECK (((archive = 'off'::text) OR (archive_token IS NOT NULL))),
  constraint teams_language_check CHECK ((language ~ '^[a-z]{2}$'::text)),
  constraint teams_newsletter_cadence_check CHECK ((newsletter_cadence = ANY (ARRAY['weekly'::text, 'biweekly'::text, 'monthly'::text, 'quarterly'::text, 'ad_hoc'::text]))),
  constraint teams_pkey PRIMARY KEY (id),
  constraint teams_plan_key_fkey FOREIGN KEY (plan_key) REFERENCES plans(key),
  constraint teams_slug_key UNIQUE (slug)
);
CREATE UNIQUE INDEX teams_archive_feed_token_idx ON public.teams USING btree (sha256((archive_feed_token)::bytea));
CREATE UNIQUE INDEX teams_archive_token_idx ON public.teams USING btree (sha256((archive_token)::bytea));
CREATE TRIGGER teams_access AFTER UPDATE OF requires_second_factor ON public.teams FOR EACH STATEMENT EXECUTE FUNCTION notify_access();

create table templates (
  base text not null,
  category text not null,
  created_at timestamp with time zone not null,
  description text not null,
  name text not null,
  premium boolean not null,
  sections jsonb not null,
  slug text collate "C" not null,
  style jsonb,
  team_id id not null,
  updated_at timestamp with time zone not null,
  constraint templates_base_check CHECK ((base = ANY (ARRAY['clean'::text, 'bold'::text, 'digest'::text]))),
  constraint templates_pkey PRIMARY KEY (team_id, slug),
  constraint templates_slug_check CHECK ((slug <> ALL (ARRAY['clean'::text, 'bold'::text, 'digest'::text]))),
  constraint templates_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);

create table trashed_blocks (
  api_key_id id,
  block jsonb not null,
  deleted_at timestamp with time zone not null,
  deleted_by text,
  external_id text,
  id id not null,
  team_id id not null,
  constraint trashed_blocks_pkey PRIMARY KEY (team_id, id),
  constraint trashed_blocks_team_id_api_key_id_fkey FOREIGN KEY (team_id, api_key_id) REFERENCES api_keys(team_id, id),
  constraint trashed_blocks_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX trashed_blocks_api_key_id_external_id_idx ON public.trashed_blocks USING btree (api_key_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX trashed_blocks_deleted_at_idx ON public.trashed_blocks USING btree (deleted_at);
CREATE INDEX trashed_blocks_team_id_deleted_at_idx ON public.trashed_blocks USING btree (team_id, deleted_at);

create table two_factors (
  account_id text not null,
  backup_codes text not null,
  failed_verifications integer default 0 not null,
  id text not null,
  locked_until timestamp with time zone,
  secret text not null,
  verified boolean default false not null,
  constraint two_factors_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint two_factors_account_id_key UNIQUE (account_id),
  constraint two_factors_pkey PRIMARY KEY (id)
);
