-- Ingest computes the words of a text itself, which is faster than PostgreSQL's parser; the stored
-- values stay as they are. A trigger does so for all other changes.
alter table content_blocks alter column search drop expression;

-- The same lexemes as before; texts without scripts that have no spaces, which are most, need one
-- pass instead of two.
create or replace function word_lexemes(content text) returns tsvector
language sql immutable strict parallel safe as $$
  select case
    when content ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]'
      then mixed_lexemes(content)
    else to_tsvector('simple', content)
  end
$$;

-- The search vector of a block: words that are lexemes as they are, all other parts of its text, and
-- its team.
create function block_lexemes(team id, words text[], others text) returns tsvector
language sql immutable strict parallel safe as $$
  select array_to_tsvector(words || team::text)
    || case when others = '' then ''::tsvector else word_lexemes(others) end
$$;

create function set_block_search() returns trigger language plpgsql as $$
begin
  new.search := block_lexemes(new.team_id, '{}', new.title || ' ' || new.body);
  return new;
end $$;
create trigger search_inserted before insert on content_blocks
  for each row when (new.search is null) execute function set_block_search();
create trigger search_updated before update of title, body on content_blocks
  for each row when (old.title <> new.title or old.body <> new.body)
  execute function set_block_search();
