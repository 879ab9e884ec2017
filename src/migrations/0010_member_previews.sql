-- A preview is sent with a key, or by a member at the console.
alter table previews
  alter column api_key_id drop not null,
  add column member_id id,
  add check (num_nonnulls(api_key_id, member_id) = 1);
