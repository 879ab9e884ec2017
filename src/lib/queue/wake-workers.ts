import { createHash } from 'node:crypto'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

/** Workers of this process that pg-boss has started together, for one job type. */
export interface WorkerGroup {
  /** Their ids. */
  workers: readonly string[]
  /** How many of them have a job. */
  busy: number
}

/** The workers of this process, by the name of their job type. */
type WorkersByType = ReadonlyMap<string, readonly WorkerGroup[]>

interface Waking {
  boss: PgBoss
  workers: WorkersByType
  log: Logger
  /** How often it looks for delayed jobs that are due. */
  pollSeconds: number
}

const selectDueTypes = `
  select name from pgboss.queue
  where name = any($1::text[]) and exists (
    select from pgboss.job
    where job.name = queue.name and state < 'active' and not blocked and start_after < now()
  )`

/** The channel on which pg-boss announces the jobs of its schema, which is derived as pg-boss does it. */
const channel = `pgboss_${createHash('sha224').update('pgboss').digest('hex').slice(0, 24)}`

/**
 * Wakes workers for new jobs, which PostgreSQL announces, and for delayed jobs that are due, for which
 * one statement looks every `pollSeconds`. pg-boss's own listener wakes all workers of a type for each job,
 * and each of them makes a statement. Returns the function that ends this.
 */
export async function wakeWorkers(waking: Waking): Promise<() => Promise<void>> {
  const stopPolling = wakeForDueJobs(waking)
  const stopListening = await wakeForNewJobs(waking)
  return async () => {
    stopPolling()
    await stopListening()
  }
}

/**
 * Wakes one group with an idle worker. When that worker gets a job, it wakes the next group, so that
 * as many workers work as there are jobs.
 */
export function wakeNext(boss: PgBoss, groups: readonly WorkerGroup[] = []): void {
  const next = groups.find(({ workers, busy }) => busy < workers.length)
  if (next) wakeGroup(boss, next)
}

/** Makes the workers of a group look for a job, the busy ones after the job that they have. */
export function wakeGroup(boss: PgBoss, { workers }: WorkerGroup): void {
  for (const worker of workers) boss.notifyWorker(worker)
}

async function wakeForNewJobs({ boss, workers, log }: Waking): Promise<() => Promise<void>> {
  const onNewJob = (name: string) => wakeNext(boss, workers.get(name))
  // Jobs that were added while the connection was lost were not announced here.
  const onConnect = () => {
    for (const groups of workers.values()) wakeNext(boss, groups)
  }
  try {
    const listener = await boss.getDb().listen?.(channel, onNewJob, onConnect)
    return async () => await listener?.close()
  } catch (error) {
    log.warn({ err: error }, 'new jobs start late, because PostgreSQL does not announce them')
    return async () => {}
  }
}

function wakeForDueJobs({ boss, workers, pollSeconds }: Waking): () => void {
  let isPolling = false
  const wake = async () => {
    if (isPolling || workers.size === 0) return
    isPolling = true
    try {
      const { rows } = await boss.getDb().executeSql(selectDueTypes, [[...workers.keys()]])
      for (const { name } of rows) wakeNext(boss, workers.get(name))
    } catch {
      // The database is unavailable. The workers poll by themselves, and pg-boss reports their errors.
    } finally {
      isPolling = false
    }
  }
  // PostgreSQL does not announce that a delayed job becomes due.
  const timer = setInterval(wake, pollSeconds * 1000)
  return () => clearInterval(timer)
}
