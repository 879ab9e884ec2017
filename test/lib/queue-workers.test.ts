import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as v from 'valibot'
import { transaction } from '../../src/lib/database/db.ts'
import { createLog } from '../../src/lib/log.ts'
import {
  FinalError,
  type JobQueue,
  RetryAfterError,
  startQueue,
} from '../../src/lib/queue/index.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database/database.ts'
import { until } from '../support/until.ts'

const type = { name: 'forward', retryLimit: 5, retryDelay: 1 }
const workers = 40

const Wanted = v.object({ error: v.picklist(['soon', 'late', 'never']) })

let database: TestDatabase
let queue: JobQueue
let attempts = 0
beforeAll(async () => {
  database = await createEmptyDatabase()
  const settings = { database: database.address, types: [type], log: createLog('silent') }
  queue = await startQueue({ ...settings, supervise: true })
  await queue.work(type, { concurrency: workers }, async () => {
    attempts += 1
    if (attempts === 1) throw new Error('Try again.')
  })
})
afterAll(async () => {
  await queue.stop()
  await database.drop()
})

/** When the queue was looked after last, and the transactions on the database so far. */
async function observe(): Promise<{ at: string; transactions: number }> {
  await database.sql`select pg_stat_force_next_flush()`
  const [row] = await database.sql<{ at: string; transactions: number }[]>`
    select coalesce(monitor_on::text, '') as at, (
        select (xact_commit + xact_rollback)::int from pg_stat_database
        where datname = current_database()
      ) as transactions
    from pgboss.queue where name = ${type.name}`
  return row ?? { at: '', transactions: 0 }
}

/** Waits until the queue is looked after, which happens every 5 seconds. Returns the transactions of others. */
async function nextPass(): Promise<number> {
  const before = await observe()
  let own = 0
  const after = await until(async () => {
    own += 2
    const now = await observe()
    return now.at !== before.at && now
  })
  return after.transactions - before.transactions - own
}

test('new jobs start at once, and as many at the same time as there are workers', async () => {
  const announced = { name: 'announced' }
  const log = createLog('silent')
  const settings = { database: database.address, types: [announced], log, supervise: true }
  // They look for jobs by themselves too late for this test.
  const other = await startQueue({ ...settings, pollSeconds: 3_600 })
  const running = new Set<string>()
  const { promise: allRun, resolve } = Promise.withResolvers<void>()
  await other.work(announced, { concurrency: 6, concurrencyPerGroup: 2 }, async ({ id }) => {
    running.add(id)
    if (running.size === 6) resolve()
    await allRun
  })
  for (let n = 0; n < 6; n++) {
    await transaction(database.sql, (tx) => other.add(tx, announced, {}))
  }
  await allRun
  await other.stop()
})

test('a job that has waited for weeks, while nothing ran, is not deleted', async () => {
  const waiting = { name: 'waiting' }
  const settings = { database: database.address, types: [waiting], log: createLog('silent') }
  const adding = await startQueue({ ...settings, supervise: false })
  await transaction(database.sql, (tx) => adding.add(tx, waiting, {}))
  await adding.stop()
  await database.sql`
    update pgboss.job set created_on = created_on - interval '60 days',
      start_after = start_after - interval '60 days', keep_until = keep_until - interval '60 days'
    where name = ${waiting.name}`
  await database.sql`update pgboss.queue set maintain_on = null where name = ${waiting.name}`
  const later = await startQueue({ ...settings, supervise: true })
  await until(async () => {
    const [row] = await database.sql`
      select maintain_on is not null as done from pgboss.queue where name = ${waiting.name}`
    return row?.['done'] === true
  })
  const { promise, resolve } = Promise.withResolvers<string>()
  await later.work(waiting, { concurrency: 1 }, async ({ id }) => resolve(id))
  expect(await promise).toMatch(/^[0-9a-f-]{36}$/)
  await later.stop()
})

test('a delayed attempt at a job starts although its workers do not look for it by themselves', async () => {
  await transaction(database.sql, (tx) => queue.add(tx, type, {}))
  await until(async () => attempts === 2)
})

test('an error says when the next attempt at a job can start, which is never before the delay of its type, or that none follows', async () => {
  const slow = { name: 'slow', retryLimit: 5, retryDelay: 600 }
  const settings = { database: database.address, types: [slow], log: createLog('silent') }
  const other = await startQueue({ ...settings, supervise: true })
  const cause = new Error('The provider is busy.')
  const errors = {
    soon: new RetryAfterError(1, cause),
    late: new RetryAfterError(3_600, cause),
    never: new FinalError('The channel does not exist.'),
  }
  await other.work(slow, { concurrency: 1 }, async ({ data }) => {
    throw errors[v.parse(Wanted, data).error]
  })
  for (const error of ['soon', 'late', 'never'] as const) {
    await transaction(database.sql, (tx) => other.add(tx, slow, { error }))
  }
  const jobs = await until(async () => {
    const rows = await database.sql`
      select data ->> 'error' as error, state, retry_count as "retries",
        round(extract(epoch from start_after - coalesce(started_on, created_on)) / 600)::integer as delays
      from pgboss.job where name = ${slow.name} and output is not null
      order by error`
    return rows.length === 3 && [...rows]
  })
  await other.stop()
  expect(jobs).toMatchObject([
    { error: 'late', state: 'retry', delays: 6 },
    { error: 'never', state: 'failed', retries: 0 },
    { error: 'soon', state: 'retry', delays: 1 },
  ])
})

test('between two passes over the queue, an idle process makes fewer transactions than it has workers', async () => {
  // PostgreSQL reports transactions late, so one pass can contain those of an earlier one.
  let fewest = await nextPass()
  for (let n = 0; n < 5 && fewest >= workers; n++) fewest = Math.min(fewest, await nextPass())
  expect(fewest).toBeLessThan(workers)
})

test('a new job makes few of the idle workers look for it', async () => {
  const jobs = 20
  const addJobs = async () => {
    for (let n = 1; n <= jobs; n++) {
      const before = attempts
      await transaction(database.sql, (tx) => queue.add(tx, type, {}))
      await until(async () => attempts > before)
    }
  }
  const [during] = await Promise.all([nextPass(), addJobs()])
  const transactions = during + (await nextPass())
  expect(transactions).toBeLessThan((jobs * workers) / 4)
})
