-- When a member last got the new drafts by email, and the accounts that want that.
alter table members add column draft_digest_at timestamptz;
create index accounts_draft_digest_idx on accounts (id) where draft_digest <> 'off';
