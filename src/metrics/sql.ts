import type { Sql } from '../lib/database/db.ts'

/** The deliveries that wait, by connection, those with the most first. */
export const selectWaitingDeliveries = (
  sql: Sql,
  limits: { deliveries: number; connections: number },
) =>
  // One look into the index of the waiting deliveries per connection, whatever the statistics say.
  sql<{ connection: string; count: number; age: number }[]>`
    select connections.id as connection, waiting.count,
      extract(epoch from now() - waiting.oldest)::float8 as age
    from connections cross join lateral (
      select count(*)::int as count, min(received_at) as oldest from (
        select received_at from deliveries
        where team_id = connections.team_id and connection_id = connections.id and status = 'waiting'
        order by id limit ${limits.deliveries}
      ) first
    ) waiting
    where waiting.count > 0 order by waiting.count desc limit ${limits.connections}`

interface QueueCounts {
  type: string
  ready: number
  delayed: number
  active: number
  failed: number
}

/** The numbers of jobs as pg-boss has counted them last. Reads one row per job type. */
export const selectQueueCounts = (sql: Sql) =>
  sql<QueueCounts[]>`
    select name as type, ready_count as ready, deferred_count as delayed, active_count as active,
      failed_count as failed
    from pgboss.queue where left(name, 2) <> '__' order by name`

/** The sessions of all processes of Tidings on this database. */
export const selectPoolSessions = (sql: Sql) =>
  sql<{ pool: string; state: string; count: number }[]>`
    select application_name as pool, coalesce(state, 'unknown') as state, count(*)::int as count
    from pg_stat_activity
    where datname = current_database() and application_name in ('tidings', 'tidings key checks', 'tidings queue')
    group by 1, 2`
