import type { Readable } from 'node:stream'
import { type JobInsert, PgBoss } from 'pg-boss'
import * as v from 'valibot'
import type { DatabaseAddress, Tx } from '../database/db.ts'
import { connectionOf, transactionDb, waitingJobs } from './queue.ts'

/** A queue of pg-boss with the settings that cannot be changed after its creation. */
export interface StoredQueue {
  name: string
  policy: string
  partition: boolean
}

/**
 * All queues; none before the first start. The names of pg-boss's own queues begin with two
 * underscores.
 */
export async function selectStoredQueues(tx: Tx): Promise<StoredQueue[]> {
  if (!(await hasQueues(tx))) return []
  return await tx<StoredQueue[]>`
    select name, policy, partition from pgboss.queue where left(name, 2) <> '__' order by name`
}

/**
 * All jobs that are not done, as lines of JSON that COPY has escaped; null before the first start.
 */
export async function dumpJobs(tx: Tx): Promise<Readable | null> {
  if (!(await hasQueues(tx))) return null
  // pg-boss takes no null for an option; the data of a job can contain one.
  return await tx`
    copy (
      select jsonb_build_object('queue', name, 'job', jsonb_build_object('data', data) || jsonb_strip_nulls(jsonb_build_object(
        'id', id, 'priority', priority, 'startAfter', start_after,
        'singletonKey', singleton_key, 'group', case when group_id is not null then
          jsonb_build_object('id', group_id, 'tier', group_tier) end,
        'retryLimit', retry_limit, 'retryDelay', retry_delay, 'retryBackoff', retry_backoff,
        'retryDelayMax', retry_delay_max, 'expireInSeconds', expire_seconds,
        'deleteAfterSeconds', deletion_seconds, 'heartbeatSeconds', heartbeat_seconds,
        'deadLetter', dead_letter)))
      from pgboss.job
      where state < 'completed' and left(name, 2) <> '__'
      order by name, created_on, id
    ) to stdout`.readable()
}

async function hasQueues(tx: Tx): Promise<boolean> {
  const [row] = await tx<{ found: boolean }[]>`
    select to_regclass('pgboss.queue') is not null as found`
  return row?.found ?? false
}

/** A job of a backup. pg-boss checks its members when it is added. */
export const StoredJob = v.object({
  queue: v.string(),
  job: v.custom<JobToInsert>((value) => typeof value === 'object' && value !== null),
})
export type JobToInsert = JobInsert

/** Adds the jobs of one queue in the caller's transaction. */
export type InsertJobs = (tx: Tx, queue: string, jobs: JobToInsert[]) => Promise<void>

/** Creates pg-boss's tables and these queues, and lets `work` add jobs from a backup. */
export async function withQueues<Result>(
  database: DatabaseAddress,
  queues: readonly StoredQueue[],
  work: (insertJobs: InsertJobs) => Promise<Result>,
): Promise<Result> {
  const boss = new PgBoss({ ...connectionOf(database), max: 1, supervise: false, schedule: false })
  await boss.start()
  try {
    for (const { name, policy, partition } of queues) {
      await boss.createQueue(name, { policy, partition, ...waitingJobs })
    }
    return await work(async (tx, queue, jobs) => {
      await boss.insert(queue, jobs, { db: transactionDb(tx) })
    })
  } finally {
    await boss.stop({ graceful: false })
  }
}
