-- The language of the texts that adapters and templates add, as an ISO 639-1 code; what people write is
-- not translated.
alter table teams
  add column language text not null default 'en' check (language ~ '^[a-z]{2}$');
