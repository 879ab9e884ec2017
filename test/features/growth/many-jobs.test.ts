import { afterAll, beforeAll, expect, test } from 'bun:test'
import { selectJobFacts } from '../../../src/features/health/sql.ts'
import { listFailedJobs, listJobStates } from '../../../src/features/jobs/index.ts'
import { selectQueues } from '../../../src/features/jobs/sql.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { connect, type Sql } from '../../../src/lib/database/db.ts'
import { createLog } from '../../../src/lib/log.ts'
import { type JobQueue, startQueue } from '../../../src/lib/queue/index.ts'
import { selectWaitingDeliveries } from '../../../src/metrics/sql.ts'
import { createDatabase, type TestDatabase } from '../../support/database/database.ts'
import { rowsRead } from '../../support/database/rows-read.ts'

// Rows and index entries read are counted, so the result does not depend on the machine.

let database: TestDatabase
let queue: JobQueue
let sql: Sql
beforeAll(async () => {
  database = await createDatabase()
  const types = [{ name: 'forward' }, { name: 'send-preview-email' }]
  const log = createLog('silent')
  queue = await startQueue({ database: database.address, types, log, supervise: false })
  // One connection: its statistics are complete when it has flushed them.
  sql = connect(database.address, {
    name: 'tidings test',
    max: 1,
    session: { statement_timeout: 0 },
  })
  // PostgreSQL must not refresh the statistics by itself.
  await sql`alter table pgboss.job_common set (autovacuum_enabled = false)`
})
afterAll(async () => {
  await sql.end({ timeout: 1 })
  await queue.stop()
  await database.drop()
})

/** Jobs of a team in a state. */
async function addJobs(team: string, state: string, count: number, name = 'forward') {
  await sql`
    insert into pgboss.job (name, data, state, created_on, completed_on)
    select ${name}, ${sql.json({ teamId: team })}, ${state}::text::pgboss.job_state, now(),
      case when ${state} in ('completed', 'failed') then now() - interval '2 days' end
    from generate_series(1, ${count})`
  await sql`analyze pgboss.job_common`
}

async function readBy(table: string, work: () => Promise<unknown>): Promise<number> {
  const before = await rowsRead(sql, table)
  await work()
  return (await rowsRead(sql, table)) - before
}

const jobLimits = { failed: 1_000, idleSeconds: 300 }

const context = () => systemContext({ sql, now: systemClock }, 'team_own')

test('the jobs page and the health checks read none of the jobs that are done, and of the others no more than their limit', async () => {
  await addJobs('team_own', 'created', 3, 'send-preview-email')
  await addJobs('team_own', 'failed', 2, 'send-preview-email')
  await addJobs('team_other', 'completed', 20_000)
  const few = await readBy('job_common', () => listJobStates(context()))
  expect(few).toBeLessThan(100)
  await addJobs('team_other', 'created', 30_000)
  expect(await readBy('job_common', () => listJobStates(context()))).toBeLessThan(30_100)
  expect(await readBy('job_common', () => selectQueues(sql, 'team_own', 100))).toBeLessThan(1_000)
  expect(await readBy('job_common', () => listFailedJobs(context()))).toBeLessThan(20)
  expect(await readBy('job_common', () => selectJobFacts(sql, jobLimits))).toBeLessThan(2_000)
  expect(await listFailedJobs(context())).toHaveLength(2)
})

test('whether a process works on a queue with late jobs is read from its oldest waiting jobs and its newest ones only', async () => {
  await addJobs('team_other', 'created', 5_000)
  await addJobs('team_other', 'completed', 5_000)
  await sql`
    update pgboss.job set start_after = now() - interval '10 minutes'
    where name = 'forward' and state = 'created'`
  await sql`analyze pgboss.job_common`
  const facts = () => selectJobFacts(sql, jobLimits)
  expect(await readBy('job_common', facts)).toBeLessThan(3_000)
  expect((await facts())?.overdue_seconds).toBeGreaterThanOrEqual(600)
  await sql`
    update pgboss.job set completed_on = now() where id = (
      select id from pgboss.job where name = 'forward' and state = 'completed' limit 1
    )`
  expect(await facts()).toMatchObject({ overdue_seconds: 0 })
  expect((await facts())?.waited_seconds).toBeGreaterThanOrEqual(600)
})

test('a scrape of the metrics reads waiting deliveries only, whatever the statistics say', async () => {
  await sql`insert into teams (id, slug, name, created_at) values ('team_own', 'own', 'Own', now())`
  await sql`
    insert into api_keys (id, team_id, name, prefix, token_hash, scopes, created_at)
    values ('key_1', 'team_own', 'k', 'tidings_x', '\\x00', '{write}', now())`
  await sql`
    insert into connections (id, team_id, adapter, api_key_id, webhook_token_hash, encrypted, settings, created_at)
    values ('cn_1', 'team_own', 'fake-provider', 'key_1', '\\x00', '\\x00', '{}', now())`
  await sql`alter table deliveries set (autovacuum_enabled = false)`
  const add = (status: string, count: number) => sql`
    insert into deliveries (id, team_id, connection_id, delivery_id, status, received_at)
    select ${status} || n, 'team_own', 'cn_1', ${status} || n, ${status}, now()
    from generate_series(1, ${count}::int) n`
  await add('waiting', 5)
  await sql`analyze deliveries`
  await add('delivered', 20_000)
  const limits = { deliveries: 10_000, connections: 500 }
  expect(await readBy('deliveries', () => selectWaitingDeliveries(sql, limits))).toBeLessThan(20)
  expect(await selectWaitingDeliveries(sql, limits)).toMatchObject([{ count: 5 }])
})
