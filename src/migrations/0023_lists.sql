-- Japanese, Chinese, Thai and other scripts have no spaces between words. Each of their characters and
-- each pair of neighbors is a lexeme of its own, so that any part of such a text is found by an index.
create function unspaced_lexemes(content text) returns text[]
language sql immutable strict parallel safe as $$
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
$$;

-- The lexemes of a text that has such scripts. Their punctuation is removed, because the
-- C locale takes it for letters.
create function mixed_lexemes(content text) returns tsvector
language sql immutable strict parallel safe as $$
  select array_to_tsvector(unspaced_lexemes(content)) || to_tsvector('simple',
    regexp_replace(content, '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u303f\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff9f\U00020000-\U0003ffff]+', ' ', 'g'))
$$;

-- What finds the blocks that contain all words of a text, in any order. Of unspaced text, pairs are
-- enough where there are any.
create function search_query(words text) returns tsquery
language sql immutable strict parallel safe as $$
  select plainto_tsquery('simple', regexp_replace(words, '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u303f\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff9f\U00020000-\U0003ffff]+', ' ', 'g'))
    && coalesce((select string_agg(quote_literal(lexeme), ' & ') from unnest(unspaced_lexemes(words)) as lexemes (lexeme)
      where not exists (select from unnest(unspaced_lexemes(words)) as pairs (pair) where pair <> lexeme and strpos(pair, lexeme) > 0)), '')::tsquery
$$;

-- A cursor contains `updated_at` in milliseconds: the column must not be more exact. Both changes
-- rewrite the table once.
alter table content_blocks
  drop column search,
  alter column updated_at type timestamptz(3),
  add column search tsvector not null generated always as (
    case when title || ' ' || body ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]'
      then mixed_lexemes(title || ' ' || body)
      else to_tsvector('simple', title || ' ' || body)
    end || array_to_tsvector(array[team_id::text])
  ) stored;
create index content_blocks_search_idx on content_blocks using gin (search);
alter table newsletters alter column updated_at type timestamptz(3);

-- The same index finds the item of a key, and the items of all keys of a team.
create unique index content_blocks_external_id_idx on content_blocks (team_id, external_id, api_key_id)
  where external_id is not null;
drop index content_blocks_api_key_id_external_id_idx;

-- Lists by the time of the last change, in both directions, as 0017 does by id.
create index content_blocks_updated_idx
  on content_blocks (team_id, status, block_type, source, updated_at, id);
create index content_blocks_event_updated_idx
  on content_blocks (team_id, event_slug, updated_at, id) where event_slug is not null;
create index newsletters_updated_idx on newsletters (team_id, status, updated_at, id);
