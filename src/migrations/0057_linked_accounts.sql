-- The accounts in chats that a member has linked.
create index on chat_people (team_id, member_id) where member_id is not null;
