import { type Db, PgBoss, type QueueOptions } from 'pg-boss'
import type { Logger } from 'pino'
import type { DatabaseAddress, Tx } from './db.ts'
import { withDeadline } from './db.ts'

/** A kind of job and how it is retried; kept by pg-boss, in PostgreSQL. */
export interface JobType extends QueueOptions {
  name: string
}

/** A job taken from the queue: under way until it is completed or failed. */
export interface Job {
  id: string
  data: unknown
  /** Attempts before this one. */
  retryCount: number
}

export interface JobQueue {
  /** Adds a job in the caller's own transaction: both are there, or neither. `group` is a fairness group. */
  add(tx: Tx, kind: JobType, data: object, group: string): Promise<void>
  /** Takes up to `limit` jobs, oldest first, leaving out some groups and more than `perGroup` at once of any. */
  take(
    kind: JobType,
    limit: number,
    groups: { perGroup: number; except: readonly string[] },
  ): Promise<Job[]>
  /** Ends a job in the caller's own transaction. */
  complete(tx: Tx, kind: JobType, job: Job): Promise<void>
  /** Gives a job back for a later attempt, as its kind says. */
  retry(kind: JobType, job: Job): Promise<void>
  /** Makes jobs that a dead process held fetchable at once; gives how many. `mine` are spared. */
  release(kind: JobType, mine: readonly string[]): Promise<number>
  /** Runs `work` at the times of a cron expression (UTC), in one process of all. */
  schedule(name: string, cron: string, work: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

export interface QueueSettings {
  database: DatabaseAddress
  kinds: readonly JobType[]
  log: Logger
  /** This process keeps the queue tidy and runs what is scheduled; one that only adds jobs need not. */
  supervise: boolean
}

/**
 * pg-boss on this database, with a pool of its own. Its tables are made at the first start, under
 * its own lock, so that several processes may start at once.
 */
export async function startQueue(settings: QueueSettings): Promise<JobQueue> {
  const { kinds, log, supervise } = settings
  const boss = new PgBoss({
    ...poolOf(settings.database),
    application_name: 'tidings queue',
    max: 4,
    connectionTimeoutMillis: 5_000,
    supervise,
    schedule: supervise,
  })
  boss.on('error', (error) => log.error({ err: error }, 'queue'))
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'queue'))
  await boss.start()
  for (const { name, ...options } of kinds) await boss.createQueue(name, options)
  return jobQueue(boss)
}

function poolOf(address: DatabaseAddress) {
  if (typeof address === 'string') return { connectionString: address }
  const { username, ...rest } = address
  return { ...rest, user: username }
}

/** pg-boss's statements on a transaction of ours; they are its own text, never anybody's input. */
const within = (tx: Tx): Db => ({
  executeSql: async (text, values = []) => ({
    rows: await tx.unsafe(text, values.map(asParameter), { prepare: true }),
  }),
})

/** pg-boss sends strings, numbers and lists of them, which is what the driver takes as it is. */
const asParameter = (value: unknown) => value as string | number | string[] | null

function jobQueue(boss: PgBoss): JobQueue {
  return {
    async add(tx, { name }, data, group) {
      // UUIDv7, so that jobs of one moment are taken in the order they came.
      await boss.send(name, data, { id: Bun.randomUUIDv7(), group: { id: group }, db: within(tx) })
    },
    async take({ name }, limit, { perGroup, except }) {
      const jobs = await withDeadline(
        boss.fetch<unknown>(name, {
          batchSize: limit,
          groupConcurrency: perGroup,
          ignoreGroups: [...except],
        }),
      )
      return jobs.map(({ id, data, retryCount }) => ({ id, data, retryCount }))
    },
    async complete(tx, { name }, { id, retryCount }) {
      await boss.complete(name, { id, retryCount }, null, { db: within(tx) })
    },
    async retry({ name }, { id, retryCount }) {
      await withDeadline(boss.fail(name, { id, retryCount }))
    },
    async release({ name }, mine) {
      // pg-boss itself would wait until the job expires.
      const { rows } = await withDeadline(
        boss.getDb().executeSql(
          `update pgboss.job set state = 'retry', start_after = now()
           where name = $1 and state = 'active' and id <> all($2::uuid[]) returning 1`,
          [name, mine],
        ),
      )
      return rows.length
    },
    async schedule(name, cron, work) {
      await boss.createQueue(name)
      await boss.schedule(name, cron)
      await boss.work(name, { pollingIntervalSeconds: 60 }, work)
    },
    stop: () => boss.stop({ graceful: false }),
  }
}
