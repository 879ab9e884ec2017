-- The items of a delivery that failed stay when they are private, because their block can have been created.
create index deliveries_private_idx on deliveries (team_id)
  where status in ('waiting', 'failed') and items ->> 'fromPrivate' = 'true';
