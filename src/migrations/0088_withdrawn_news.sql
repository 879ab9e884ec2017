-- The page of news that its sender has withdrawn says so; without this, it would say that the editors did not use it.
alter table receipts add column withdrawn_at timestamptz;
