-- The first of the keys that replaced each other by rotation; null for a key that replaced none. Ingested items belong to it.
alter table api_keys
  add column first_key_id id,
  add foreign key (team_id, first_key_id) references api_keys (team_id, id);
