-- What finds the blocks with all words of a text that a person is typing: the last word may be the
-- beginning of one, from its second character on. The index of words finds beginnings, too. The cost is that of
-- search_query (0049).
create function typed_query(words text) returns tsquery
language sql immutable strict parallel safe cost 100000 as $$
  select case
    when words ~ '\S{2}$' then
      search_query(regexp_replace(words, '\S+$', ''))
        && regexp_replace(search_query(substring(words from '\S+$'))::text, '''(?= & |$)', ''':*', 'g')::tsquery
    else search_query(words)
  end
$$;
