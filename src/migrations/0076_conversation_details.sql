-- The people whom each text of a conversation mentions, and its image: {"people": [...], "file": "...", "file_alt": "..."}.
alter table chat_conversations add column details jsonb not null default '[]';
