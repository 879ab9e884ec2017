import type { PgBoss, WorkOptions } from 'pg-boss'
import { type Job, type JobType, runAttempt } from './attempt.ts'
import { type JobTraces, referenceOf } from './job-traces.ts'
import { type WorkerGroup, wakeGroup, wakeNext } from './wake-workers.ts'

/** pg-boss and its workers in this process. */
export interface Running {
  boss: PgBoss
  workers: Map<string, WorkerGroup[]>
  traces: JobTraces
}

/**
 * Starts `localConcurrency` workers, because pg-boss requires at least as many as the jobs of one
 * group. After a job, a worker looks for the next one without delay; pg-boss does so by itself only
 * for batches.
 */
export async function startWorkers(
  { boss, workers, traces }: Running,
  type: JobType,
  polling: WorkOptions,
  handler: (job: Job) => Promise<void>,
): Promise<void> {
  const group: WorkerGroup = { workers: [], busy: 0 }
  const groups = workers.get(type.name) ?? []
  workers.set(type.name, [...groups, group])
  const options = { ...polling, includeMetadata: true, perJobResults: true } as const
  const started = await boss.work<unknown, unknown, typeof options>(
    type.name,
    options,
    async ([job]) => {
      if (!job) return []
      group.busy += 1
      // There may be more jobs.
      wakeNext(boss, workers.get(type.name))
      const attempt = () => runAttempt(boss, type, job, handler)
      try {
        return [await traces.run(type.name, referenceOf(job.data), attempt)]
      } finally {
        group.busy -= 1
        wakeGroup(boss, group)
      }
    },
  )
  group.workers = boss.getWipData().flatMap(({ id, workId }) => (workId === started ? [id] : []))
}
