-- Why the provider does not accept the token of a connection, until a message is sent or the token is replaced.
alter table connections add column token_problem text;

-- Why the provider does not exchange the refresh token of an app, while its present token is still valid.
alter table app_installations add column refresh_problem text;
