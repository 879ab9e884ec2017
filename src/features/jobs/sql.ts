import type { Sql, Tx } from '../../lib/database/db.ts'

/** The jobs of one queue that a team may see: its own, and those of the installation. */
export interface QueueRow {
  queue: string
  waiting: number
  active: number
  retrying: number
  failed: number
  /** The number of jobs that were completed in the last 24 hours. */
  completed: number
  /** When the oldest job that is not done was created. */
  oldest_at: Date | null
}

/**
 * Counts jobs by queue. Reads at most `limit` jobs of all teams in each state, so the counts are lower
 * bounds beyond it. The order has the index `tidings_job_state_idx`.
 */
export async function selectQueues(
  sql: Sql | Tx,
  teamId: string,
  limit: number,
): Promise<QueueRow[]> {
  return await sql<QueueRow[]>`
    select name as queue,
      count(*) filter (where state = 'created')::int as waiting,
      count(*) filter (where state = 'active')::int as active,
      count(*) filter (where state = 'retry')::int as retrying,
      count(*) filter (where state = 'failed')::int as failed,
      count(*) filter (where state = 'completed')::int as completed,
      min(created_on) filter (where state < 'completed') as oldest_at
    from (
      select job.* from unnest(array['created', 'retry', 'active', 'failed']::pgboss.job_state[]) in_state
      cross join lateral (
        select name, state, created_on, dead_letter, data->>'teamId' as team_id from pgboss.job
        where state = in_state order by completed_on desc limit ${limit}
      ) job
      union all (
        select name, state, created_on, dead_letter, data->>'teamId' from pgboss.job
        where state = 'completed' and completed_on > now() - interval '1 day'
        order by completed_on desc limit ${limit}
      )
    ) job
    where left(name, 2) <> '__' and (team_id is null or team_id = ${teamId})
      -- A failed job with a dead letter queue goes on there.
      and not (state = 'failed' and dead_letter is not null)
    group by name order by name`
}

export interface FailedJobRow {
  id: string
  queue: string
  reason: string | null
  attempts: number
  failed_at: Date
}

const failedJob = (sql: Sql | Tx) => sql`
  select id, name as queue, retry_count + 1 as attempts, completed_on as failed_at,
    coalesce(output->>'message', output->'value'->>'message', output->>'value') as reason
  from pgboss.job
  where state = 'failed' and dead_letter is null and left(name, 2) <> '__'`

/** The failed jobs that a team may see, the newest first. */
export async function selectFailedJobs(
  sql: Sql | Tx,
  teamId: string,
  limit: number,
): Promise<FailedJobRow[]> {
  return await sql<FailedJobRow[]>`
    ${failedJob(sql)} and (data->>'teamId' is null or data->>'teamId' = ${teamId})
    order by completed_on desc, id limit ${limit}`
}

/** One failed job that a team may see. */
export async function selectFailedJob(
  sql: Sql | Tx,
  teamId: string,
  { queue, id }: { queue: string; id: string },
): Promise<FailedJobRow | undefined> {
  const [row] = await sql<FailedJobRow[]>`
    ${failedJob(sql)} and name = ${queue} and id = ${id}
      and (data->>'teamId' is null or data->>'teamId' = ${teamId})`
  return row
}
