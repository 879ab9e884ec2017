-- The archive of a team: its sent newsletters on pages. The tokens are in the addresses; they can be
-- read here, because emails and the settings show the addresses.
alter table teams
  add column archive text not null default 'off' check (archive in ('off', 'link', 'members')),
  add column archive_token text check (length(archive_token) >= 32),
  add column archive_feed_token text check (length(archive_feed_token) >= 32),
  add check (archive = 'off' or archive_token is not null);

-- A token is found by its hash, so that the time of a look-up says nothing about the token.
create unique index teams_archive_token_idx on teams (sha256(archive_token::bytea));
create unique index teams_archive_feed_token_idx on teams (sha256(archive_feed_token::bytea));

-- What finds a text by its words, also in scripts without spaces.
create function word_lexemes(content text) returns tsvector
language sql immutable strict parallel safe as $$
  select case
    when cardinality(unspaced_lexemes(content)) > 0 then mixed_lexemes(content)
    else to_tsvector('simple', content)
  end
$$;

-- The words of a sent newsletter. A tsvector has at most 1 MB, so that only the first 60,000 characters
-- of a longer newsletter are found. The column is computed once, for the newsletters that were sent before.
-- A place in the archive is a time in milliseconds and an id: the column must not be more exact.
alter table newsletters
  alter column sent_at type timestamptz(3),
  add column search tsvector generated always as (
    case when status = 'sent' then
      word_lexemes(left(title || ' ' || coalesce(subject_line, '') || ' ' || sent_text, 60000))
        || array_to_tsvector(array[team_id::text])
    end
  ) stored;
-- Without a list of pending entries, which every search would read: newsletters are sent rarely.
create index newsletters_search_idx on newsletters using gin (search) with (fastupdate = off)
  where search is not null;

-- The archive and its neighbors, newest first.
create index newsletters_sent_idx on newsletters (team_id, sent_at desc, id desc) where status = 'sent';
