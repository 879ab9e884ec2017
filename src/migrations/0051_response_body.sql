-- The body of a stored response has the term that the API uses.
alter table idempotency_keys rename column answer to response_body;
