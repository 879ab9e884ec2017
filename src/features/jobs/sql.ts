import type { Sql, Tx } from '../../lib/db.ts'

/** The jobs of one queue that a team may see: its own, and those of the installation. */
export interface QueueRow {
  queue: string
  waiting: number
  active: number
  retrying: number
  failed: number
  /** In the last 24 hours. */
  completed: number
  /** When the oldest job that is not done was created. */
  oldest_at: Date | null
}

/** Counts jobs by queue. Reads at most `limit` jobs of all teams, so the counts are lower bounds beyond it. */
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
      select name, state, created_on, data->>'teamId' as team_id from pgboss.job
      where left(name, 2) <> '__'
        and (state in ('created', 'retry', 'active', 'failed')
          or state = 'completed' and completed_on > now() - interval '1 day')
        -- A failed job with a dead letter queue goes on there.
        and not (state = 'failed' and dead_letter is not null)
      limit ${limit}
    ) job
    where team_id is null or team_id = ${teamId}
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
