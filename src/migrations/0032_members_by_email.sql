-- Who signs in with an identity provider is found by address in all teams.
create index members_email_idx on members (email) where removed_at is null;
