import type { Sql } from '../../lib/database/db.ts'

export interface DatabaseFacts {
  /** Such as 180000. */
  version: number
  encoding: string
  collation: string
  /** The limit on connections that leaves the fewest: of the server for users without special rights, of this user, or of the database. */
  max_connections: number
  /** The connections that count towards that limit. */
  connections: number
  size: string
  at: Date
}

/** What the database says of itself. */
export async function selectFacts(sql: Sql): Promise<DatabaseFacts | undefined> {
  // Of the sessions of other users, PostgreSQL does not show the type to a user without special rights.
  const [facts] = await sql<DatabaseFacts[]>`
    with client as materialized (
      select usename, datname from pg_stat_activity
      where coalesce(backend_type, 'client backend') = 'client backend' and usesysid is not null and datid is not null
    ), connection_limit as (
      select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
        (select count(*)::int from client) as used
      union all
      select rolconnlimit, (select count(*)::int from client where usename = current_user)
      from pg_roles where rolname = current_user and rolconnlimit >= 0
      union all
      select datconnlimit, (select count(*)::int from client where datname = current_database())
      from pg_database where datname = current_database() and datconnlimit >= 0
    )
    select current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding,
      (select datcollate from pg_database where datname = current_database()) as collation,
      most as max_connections, used as connections,
      pg_size_pretty(pg_database_size(current_database())) as size,
      clock_timestamp() as at
    from connection_limit order by most - used limit 1`
  return facts
}

export interface JobFacts {
  /** Seconds since the oldest job was due that no process has started. */
  waited_seconds: number
  /** The same for the jobs that no process takes. */
  overdue_seconds: number
  failed: number
}

/**
 * The number of oldest waiting jobs of a queue among which the next one of each group is searched, and of newest jobs
 * among which one is searched that a process has worked on.
 */
const searchedJobs = 1_000

/**
 * Jobs of the whole installation that wait or have failed; failed ones are counted up to `limits.failed`. No process takes
 * the next job of a group when, in the last `limits.idleSeconds`, none worked on a job of the group or, for the first
 * time, on an older one of the queue: jobs of a group that is busy, or after older ones, only wait for their turn.
 */
export async function selectJobFacts(
  sql: Sql,
  limits: { failed: number; idleSeconds: number },
): Promise<JobFacts | undefined> {
  const [facts] = await sql<JobFacts[]>`
    with next as (
      select queue.name, job.group_id, job.created_on,
        extract(epoch from now() - job.start_after)::float8 as waited
      from pgboss.queue
      cross join lateral (
        select distinct on (group_id) group_id, created_on, start_after from (
          select group_id, created_on, start_after, priority from pgboss.job
          where job.name = queue.name and state < 'active' and not blocked and start_after < now()
          order by priority desc, created_on limit ${searchedJobs}
        ) oldest order by group_id, priority desc, created_on
      ) job
      where left(queue.name, 2) <> '__'
    ), worked as materialized (
      select name, group_id, created_on, retry_count from unnest(array['active', 'completed', 'failed']::pgboss.job_state[]) in_state
      cross join lateral (
        select name, group_id, created_on, retry_count, coalesce(completed_on, heartbeat_on) as at from pgboss.job
        where state = in_state order by completed_on desc limit ${searchedJobs}
      ) job
      where at > now() - make_interval(secs => ${limits.idleSeconds})
    )
    select coalesce(max(waited), 0) as waited_seconds,
      coalesce(max(waited) filter (where waited > ${limits.idleSeconds} and not exists (
        select from worked
        where worked.name = next.name
          and (worked.group_id is not distinct from next.group_id
            or (worked.retry_count = 0 and worked.created_on <= next.created_on))
      )), 0) as overdue_seconds,
      (select count(*)::int from (
        select from pgboss.job
        where state = 'failed' and dead_letter is null and left(name, 2) <> '__' limit ${limits.failed}
      ) failed) as failed
    from next`
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
