-- The conversation that a person has continued last.
create index on chat_conversations (team_id, connection_id, user_id, updated_at);
