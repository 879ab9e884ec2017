import type { PgBoss } from 'pg-boss'

/** The ids of the workers of this process, by the name of their job type. */
export type WorkersByType = Map<string, string[]>

const selectDueTypes = `
  select name from pgboss.queue
  where name = any($1::text[]) and exists (
    select from pgboss.job
    where job.name = queue.name and state < 'active' and not blocked and start_after < now()
  )`

/**
 * Looks every `pollSeconds` for jobs that were delayed and are due now, and wakes the workers of their
 * types. One statement serves all workers of the process; without it, each of them would poll.
 * Returns the function that ends this.
 */
export function wakeWorkers(boss: PgBoss, workers: WorkersByType, pollSeconds: number): () => void {
  let isPolling = false
  const wake = async () => {
    if (isPolling || workers.size === 0) return
    isPolling = true
    try {
      const { rows } = await boss.getDb().executeSql(selectDueTypes, [[...workers.keys()]])
      for (const { name } of rows) {
        for (const worker of workers.get(name) ?? []) boss.notifyWorker(worker)
      }
    } catch {
      // The database is unavailable. The workers poll by themselves, and pg-boss reports their errors.
    } finally {
      isPolling = false
    }
  }
  // PostgreSQL sends no notification when a delayed job becomes due.
  const timer = setInterval(wake, pollSeconds * 1000)
  return () => clearInterval(timer)
}
