import type { Sql } from '../../lib/database/db.ts'

export interface DatabaseFacts {
  /** Such as 180000. */
  version: number
  encoding: string
  collation: string
  /** What a user without special rights can use. */
  max_connections: number
  connections: number
  size: string
  at: Date
}

/** What the database says of itself. */
export async function selectFacts(sql: Sql): Promise<DatabaseFacts | undefined> {
  const [facts] = await sql<DatabaseFacts[]>`
    select current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding,
      (select datcollate from pg_database where datname = current_database()) as collation,
      current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int as max_connections,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
      pg_size_pretty(pg_database_size(current_database())) as size,
      clock_timestamp() as at`
  return facts
}

export interface JobFacts {
  /** Seconds since the oldest job was due that no process has started. */
  overdue_seconds: number
  failed: number
}

/** Jobs of the whole installation that wait or have failed; failed ones are counted up to `limit`. */
export async function selectJobFacts(sql: Sql, limit: number): Promise<JobFacts | undefined> {
  const [facts] = await sql<JobFacts[]>`
    select coalesce((
        select max(extract(epoch from now() - next.start_after))::float8 from pgboss.queue
        cross join lateral (
          select start_after from pgboss.job
          where job.name = queue.name and state < 'active' and not blocked and start_after < now()
          order by priority desc, created_on limit 1
        ) next
        where left(queue.name, 2) <> '__'
      ), 0) as overdue_seconds,
      (select count(*)::int from (
        select from pgboss.job
        where state = 'failed' and dead_letter is null and left(name, 2) <> '__' limit ${limit}
      ) failed) as failed`
  return facts
}

/** Whether the job queue has been used: the first start of the service creates its tables. */
export async function existsQueue(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select to_regclass('pgboss.job') is not null as found`
  return row?.found ?? false
}

/** The first teams of the installation. */
export async function selectFirstTeams(
  sql: Sql,
  limit: number,
): Promise<{ id: string; slug: string }[]> {
  return await sql<{ id: string; slug: string }[]>`
    select id, slug from teams order by id limit ${limit}`
}
