-- The language in which a person reads the console; null: the language of the browser.
alter table accounts
  add column language text check (length(language) between 2 and 10);
