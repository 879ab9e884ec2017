-- What belongs to the installation as a whole; it has one row at most.
create table installation (
  only_row boolean primary key default true check (only_row),
  -- Shows that a process has the secret under which values are encrypted; it does not reveal the secret.
  secret_fingerprint text not null
);
