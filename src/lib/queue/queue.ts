import { setTimeout } from 'node:timers/promises'
import { type Db, PgBoss, type SendOptions } from 'pg-boss'
import type { Logger } from 'pino'
import type { DatabaseAddress, Tx } from '../database/db.ts'
import type { Job, JobType } from './attempt.ts'
import { createJobIndex } from './job-index.ts'
import { type JobTraces, noTraces, withReference } from './job-traces.ts'
import { type Running, startWorkers } from './start-workers.ts'
import { wakeWorkers } from './wake-workers.ts'

interface Concurrency {
  /** The maximum number of jobs that run at the same time in this process. */
  concurrency: number
  /** The maximum number of jobs of one group that run at the same time in this process. */
  concurrencyPerGroup?: number
}

/** A job among many. */
interface NewJob {
  data: object
  group?: string
}

export interface JobQueue {
  /**
   * Adds a job in the caller's own transaction. A worker runs at most `concurrencyPerGroup` jobs of
   * one `group` at the same time.
   */
  add(tx: Tx, type: JobType, data: object, group?: string): Promise<void>
  /** Adds many jobs, a few hundred at most, in one statement. */
  addAll(tx: Tx, type: JobType, jobs: readonly NewJob[]): Promise<void>
  /** Adds a job that starts at `at`, or a little later. */
  addAt(tx: Tx, type: JobType, data: object, start: { at: Date; group?: string }): Promise<void>
  /**
   * Runs `handler` for the jobs of a type, the oldest first. When it throws, the job is retried
   * according to its type; after the last attempt it moves to the dead letter queue of the type, if
   * there is one. When the process dies, another process starts the job again within about 20 s.
   */
  work(type: JobType, options: Concurrency, handler: (job: Job) => Promise<void>): Promise<Workers>
  /**
   * Runs `work` at the times of a cron expression (UTC), in one of all processes. When it throws,
   * the error is logged and the job is retried for about two hours.
   */
  schedule(
    name: string,
    cron: string,
    work: () => Promise<unknown>,
    options?: Omit<JobType, 'name'>,
  ): Promise<void>
  /**
   * Retries a failed job once more, in the caller's transaction. Does nothing for a job in another
   * state.
   */
  retry(tx: Tx, name: string, id: string): Promise<void>
  /** Deletes a schedule that is not used any more, and its jobs that wait. */
  unschedule(name: string): Promise<void>
  /** Stops all workers. A job that still runs is retried by the next process. */
  stop(): Promise<void>
}

export interface Workers {
  /** Starts no further job and waits up to 3 s for those that run. */
  stop(): Promise<void>
}

export interface QueueSettings {
  database: DatabaseAddress
  types: readonly JobType[]
  log: Logger
  /**
   * True for a process that retries the jobs of dead processes and runs schedules; false for one
   * that only adds jobs.
   */
  supervise: boolean
  /** Without them, attempts at jobs have no spans. */
  traces?: JobTraces
  /** The maximum number of database connections, including the one that listens for new jobs. */
  connections?: number
  /** How often an idle worker looks for delayed jobs. It starts a new job at once. */
  pollSeconds?: number
}

/** How long pg-boss keeps jobs that wait: ten years. After its default, two weeks, it deletes those of a service that was off. */
export const waitingJobs = { retentionSeconds: 10 * 365 * 24 * 3_600 }

const superviseSeconds = 5
// Only in case that neither a notification nor `wakeWorkers` has woken a worker.
const idlePollSeconds = 30
const scheduledRetries = { retryLimit: 7, retryDelay: 60, retryBackoff: true }
const stopTimeoutMs = 3_000
// A start must not fail because the machine is busy, such as while PostgreSQL recovers from a crash.
const connectTimeoutMs = 30_000

/**
 * Starts pg-boss on this database with a connection pool of its own. The first start creates its
 * tables under a lock, so that several processes can start at the same time.
 */
export async function startQueue(settings: QueueSettings): Promise<JobQueue> {
  const { types, log, supervise, connections = 4, pollSeconds = 2, traces = noTraces } = settings
  const boss = new PgBoss({
    ...connectionOf(settings.database),
    application_name: 'tidings queue',
    max: supervise ? connections - 1 : connections,
    connectionTimeoutMillis: connectTimeoutMs,
    supervise,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    schedule: supervise,
  })
  boss.on('error', logOncePerMinute(log))
  boss.on('warning', ({ message }) =>
    log.warn({ warning: message }, 'the job queue reported a warning'),
  )
  await boss.start()
  await createJobIndex(boss)
  await createQueues(boss, types)
  const workers: Running['workers'] = new Map()
  const stopWaking = supervise
    ? await wakeWorkers({ boss, workers, log, pollSeconds })
    : async () => {}
  const queue = jobQueue({ boss, workers, traces }, log, pollSeconds)
  return {
    ...queue,
    async stop() {
      await stopWaking()
      await queue.stop()
    },
  }
}

const repeatLogMs = 60_000

/** While the database is unreachable, every worker reports the same error at every poll. */
function logOncePerMinute(log: Logger): (error: Error) => void {
  const loggedAt = new Map<string, number>()
  return (error) => {
    const { code = error.name } = error as { code?: unknown } & Error
    const at = performance.now()
    if (at - (loggedAt.get(String(code)) ?? -repeatLogMs) < repeatLogMs) return
    loggedAt.set(String(code), at)
    log.error({ err: error }, 'the job queue reported an error')
  }
}

/** Creates the queues of job types that do not exist, and updates those that have other settings. */
async function createQueues(boss: PgBoss, types: readonly JobType[]): Promise<void> {
  const existing = await boss.getQueues(types.map(({ name }) => name))
  for (const { name, ...options } of types) {
    // PostgreSQL announces each new job, for `wakeWorkers`.
    const wanted = { ...waitingJobs, ...options, notify: true }
    const queue = existing.find((one) => one.name === name)
    if (!queue) await boss.createQueue(name, wanted)
    else if (!Bun.deepMatch(wanted, queue)) await boss.updateQueue(name, wanted)
  }
}

/** A database address in the form that the driver of pg-boss accepts. */
export function connectionOf(address: DatabaseAddress) {
  if (typeof address === 'string') return { connectionString: address }
  if ('url' in address) return { connectionString: address.url, ssl: address.ssl }
  const { username, ...rest } = address
  return { ...rest, user: username }
}

/**
 * Runs pg-boss's statements in our transaction. Their text comes from pg-boss, never from a user.
 */
export const transactionDb = (tx: Tx): Db => ({
  executeSql: async (text, values = []) => ({
    rows: await tx.unsafe(text, values.map(asParameter), { prepare: true }),
  }),
})

/** pg-boss passes strings, numbers and lists of them, which the driver accepts unchanged. */
const asParameter = (value: unknown) => value as string | number | string[] | null

function jobQueue(running: Running, log: Logger, pollSeconds: number): JobQueue {
  const { boss } = running
  // A UUIDv7, so that jobs created in the same millisecond keep their order.
  const send = (name: string, data: object, options: SendOptions) =>
    boss.send(name, withReference(data, running.traces), { id: Bun.randomUUIDv7(), ...options })
  return {
    async add(tx, { name }, data, group) {
      await send(name, data, { ...groupOption(group), db: transactionDb(tx) })
    },
    async addAll(tx, { name }, jobs) {
      const rows = jobs.map(({ data, group }) => ({
        id: Bun.randomUUIDv7(),
        data: withReference(data, running.traces),
        ...groupOption(group),
      }))
      await boss.insert(name, rows, { db: transactionDb(tx) })
    },
    async addAt(tx, { name }, data, { at, group }) {
      await send(name, data, { startAfter: at, ...groupOption(group), db: transactionDb(tx) })
    },
    async work(type, { concurrency, concurrencyPerGroup: perGroup = 0 }, handler) {
      const polling = { pollingIntervalSeconds: Math.max(pollSeconds, idlePollSeconds) }
      const options = perGroup
        ? { ...polling, localConcurrency: perGroup, localGroupConcurrency: perGroup }
        : polling
      for (let workers = 0; workers < concurrency; workers += perGroup || 1) {
        await startWorkers(running, type, options, handler)
      }
      return {
        stop() {
          running.workers.delete(type.name)
          // A job that hangs must not keep the service from stopping; another process repeats it.
          return Promise.race([boss.offWork(type.name), setTimeout(stopTimeoutMs)])
        },
      }
    },
    async schedule(name, cron, work, options = {}) {
      const type = { name, ...scheduledRetries, ...options }
      await createQueues(boss, [type])
      await boss.schedule(name, cron)
      await startWorkers(running, type, { pollingIntervalSeconds: 60 }, async () => {
        try {
          await work()
        } catch (error) {
          log.error({ err: error, job: name }, 'a scheduled job failed')
          throw error
        }
      })
    },
    async unschedule(name) {
      await boss.unschedule(name)
      if (await boss.getQueue(name)) await boss.deleteQueuedJobs(name)
    },
    retry: async (tx, name, id) => void (await boss.retry(name, id, { db: transactionDb(tx) })),
    stop: () => boss.stop({ timeout: 0 }),
  }
}

const groupOption = (group: string | undefined) => group !== undefined && { group: { id: group } }
