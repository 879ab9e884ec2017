import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadConfig } from '../../../src/config/index.ts'
import { folderStorage } from '../../../src/features/images/index.ts'
import { scheduleBackups } from '../../../src/jobs/backups.ts'
import { transaction } from '../../../src/lib/database/db.ts'
import { createLog } from '../../../src/lib/log.ts'
import { type JobQueue, startQueue } from '../../../src/lib/queue/index.ts'
import { createDatabase, type TestDatabase } from '../../support/database/database.ts'
import { temporaryFolder } from '../../support/run/test-run.ts'
import { until } from '../../support/until.ts'

let database: TestDatabase
const queues: JobQueue[] = []
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(async () => {
  for (const queue of queues) await queue.stop()
  await database.drop()
})

/** A process that runs schedules, with this destination. */
async function startProcess(backupTo: string | null, now: () => Date): Promise<void> {
  const log = createLog('silent')
  const settings = { database: database.address, types: [], log, supervise: true }
  const queue = await startQueue({ ...settings, pollSeconds: 0.5 })
  queues.push(queue)
  const { sql } = database
  const config = loadConfig({
    ...(backupTo && { BACKUP_TO: backupTo, BACKUP_PASSPHRASE: 'long boats on a cold lake' }),
    BACKUP_KEEP: '2',
  })
  const storage = folderStorage(await temporaryFolder('media'))
  await scheduleBackups({ config, queue, sql, now, log, secret: 'x'.repeat(32), storage })
}

const scheduled = () => database.sql`select cron from pgboss.schedule where name = 'backup'`

test('of two processes one writes each scheduled backup, the newest are kept, and of unfinished files only one that is being written', async () => {
  const folder = join(await temporaryFolder('backups'), 'kept')
  await mkdir(folder)
  // What `kill -9` leaves, and a file that somebody writes by hand.
  const interrupted = join(folder, 'tidings-2026-11-21T10-00-00Z.backup.incomplete')
  await writeFile(interrupted, 'half')
  const longAgo = new Date(Date.now() - 3_600_000)
  await utimes(interrupted, longAgo, longAgo)
  // What another process writes at this moment.
  await writeFile(join(folder, 'tidings-2026-11-22T09-00-00Z.backup.incomplete'), 'half')
  await writeFile(join(folder, 'by-hand.backup.incomplete'), 'half')
  let hour = 10
  const now = () => new Date(`2026-11-22T${hour}:00:00Z`)
  await startProcess(folder, now)
  await startProcess(folder, now)
  expect(await scheduled()).toHaveLength(1)
  for (hour = 10; hour < 13; hour++) {
    // As the schedule does when its time comes.
    await transaction(database.sql, async (tx) => await queues[0]?.add(tx, { name: 'backup' }, {}))
    await until(async () => {
      const jobs =
        await database.sql`select from pgboss.job where name = 'backup' and state = 'completed'`
      return jobs.length === hour - 9
    })
  }
  const kept = [
    'by-hand.backup.incomplete',
    'tidings-2026-11-22T09-00-00Z.backup.incomplete',
    'tidings-2026-11-22T11-00-00Z.backup',
    'tidings-2026-11-22T12-00-00Z.backup',
  ]
  expect((await readdir(folder)).toSorted()).toEqual(kept)
})

test('only a process without BACKUP_TO ends the schedule of backups, when nobody has taken one for two hours', async () => {
  const { sql } = database
  const now = () => new Date('2026-11-22T14:00:00Z')
  const waiting = () => sql`select from pgboss.job where name = 'backup' and state < 'completed'`
  const checks = async () =>
    await sql`select from pgboss.job where name = 'purge-backup-schedule' and state = 'completed'`
  /** As the schedule does every hour. */
  const check = async () => {
    const before = (await checks()).length
    const type = { name: 'purge-backup-schedule' }
    await transaction(sql, async (tx) => await queues.at(-1)?.add(tx, type, {}))
    await until(async () => (await checks()).length > before)
  }
  // A job from before a long pause, which the process with BACKUP_TO is about to take.
  await sql`
    insert into pgboss.job (name, state, start_after, blocked)
    values ('backup', 'retry', now() - interval '3 hours', true)`
  await check()
  expect(await scheduled()).toHaveLength(1)
  await sql`
    update pgboss.job set blocked = false, start_after = now() + interval '1 hour'
    where name = 'backup' and state = 'retry'`

  await startProcess(null, now)
  expect(await scheduled()).toHaveLength(1)
  await check()
  expect(await scheduled()).toHaveLength(1)
  expect(await waiting()).toHaveLength(1)

  for (const queue of queues.splice(0, 2)) await queue.stop()
  await sql`update pgboss.job set start_after = now() - interval '3 hours' where name = 'backup' and state = 'retry'`
  await check()
  expect(await scheduled()).toHaveLength(0)
  expect(await waiting()).toHaveLength(0)
})

test('a scheduled backup needs a passphrase, and a bucket its credentials', () => {
  expect(() => loadConfig({ BACKUP_TO: '/backups' })).toThrow('BACKUP_PASSPHRASE is required')
  const bucket = { BACKUP_TO: 's3://acme/tidings', BACKUP_PASSPHRASE: 'long boats on a lake' }
  expect(() => loadConfig(bucket)).toThrow('BACKUP_S3_ACCESS_KEY_ID')
  const keys = { BACKUP_S3_ACCESS_KEY_ID: 'k', BACKUP_S3_SECRET_ACCESS_KEY: 's' }
  expect(loadConfig({ ...bucket, ...keys }).backup).toMatchObject({
    to: { bucket: { bucket: 'acme' }, prefix: 'tidings/' },
    everyHours: 24,
    keep: 7,
  })
})
