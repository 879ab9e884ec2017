-- The names and ids with which a chat finds a message are its reference.
alter table chat_messages rename column place to reference;
