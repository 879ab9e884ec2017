-- How the texts of a team sound, for texts that a language model writes.
alter table teams
  add column tone text,
  add column words_to_avoid text[] not null default '{}',
  add column example_texts text[] not null default '{}';

-- Title, body and format of a block before a suggestion was accepted.
alter table content_blocks add column original jsonb;
