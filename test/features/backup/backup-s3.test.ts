import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadConfig } from '../../../src/config/index.ts'
import { getBackupState, readHeader, s3Destination } from '../../../src/features/backups/index.ts'
import { folderStorage } from '../../../src/features/images/index.ts'
import { scheduleBackups } from '../../../src/jobs/backups.ts'
import { transaction } from '../../../src/lib/database/db.ts'
import { createLog } from '../../../src/lib/log.ts'
import { type JobQueue, startQueue } from '../../../src/lib/queue/index.ts'
import { createDatabase, type TestDatabase } from '../../support/database/database.ts'
import { type FakeS3, startS3 } from '../../support/providers/s3.ts'
import { temporaryFolder } from '../../support/run/test-run.ts'
import { until } from '../../support/until.ts'

let database: TestDatabase
let store: FakeS3
let dataDir: string
const queues: JobQueue[] = []
beforeAll(async () => {
  database = await createDatabase()
  dataDir = await temporaryFolder('backups')
})
beforeEach(() => {
  store = startS3({ pageSize: 2 })
})
afterEach(async () => {
  for (const queue of queues.splice(0)) await queue.stop()
  await database.sql`delete from pgboss.job`
  await store.close()
})
afterAll(() => database.drop())

let hour = 0
const now = () => new Date(Date.UTC(2026, 10, 22, hour))
const keys = () => [...store.objects.keys()].toSorted()
const nameOf = (at: number) =>
  `acme/tidings-2026-11-22T${String(at).padStart(2, '0')}-00-00Z.backup`

/** A process that writes backups into the bucket. Returns the function that starts the next backup. */
async function startProcess(changes: Record<string, string> = {}): Promise<() => Promise<void>> {
  const { sql, address } = database
  const log = createLog('silent')
  const settings = { database: address, types: [], log, supervise: true, pollSeconds: 0.5 }
  const queue = await startQueue(settings)
  queues.push(queue)
  const config = loadConfig({
    BACKUP_TO: 's3://tidings/acme',
    BACKUP_PASSPHRASE: 'long boats on a cold lake',
    BACKUP_KEEP: '3',
    DATA_DIR: dataDir,
    BACKUP_S3_ENDPOINT: store.settings.endpoint,
    BACKUP_S3_REGION: store.settings.region,
    BACKUP_S3_ACCESS_KEY_ID: store.settings.accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: store.settings.secretAccessKey,
    ...changes,
  })
  const storage = folderStorage(join(dataDir, 'media'))
  await scheduleBackups({ config, queue, sql, now, log, secret: 'x'.repeat(32), storage })
  return () => transaction(sql, (tx) => queue.add(tx, { name: 'backup' }, {}))
}

/** Why the attempt under way is retried. */
const failure = () => until(async () => (await getBackupState(database.sql)).reason)

test('scheduled backups are kept in a bucket, the newest ones, however many pages its list has', async () => {
  const scratch = join(dataDir, 'backup-scratch')
  await mkdir(scratch)
  const longAgo = new Date(Date.now() - 3_600_000)
  for (const ending of ['', '.incomplete']) {
    const path = join(scratch, `tidings-2026-11-21T10-00-00Z.backup${ending}`)
    await writeFile(path, 'half')
    await utimes(path, longAgo, longAgo)
  }
  for (let old = 0; old < 7; old++) store.objects.set(nameOf(old), Buffer.from('old'))
  store.objects.set('acme/notes.txt', Buffer.from('of somebody else'))
  store.objects.set('other/tidings-2020-01-01T00-00-00Z.backup', Buffer.from('elsewhere'))
  const backUp = await startProcess()
  hour = 7
  await backUp()
  await until(async () => keys().length === 5)
  expect(store.listings).toBeGreaterThan(3)
  expect(keys()).toEqual([
    'acme/notes.txt',
    ...[5, 6, 7].map(nameOf),
    'other/tidings-2020-01-01T00-00-00Z.backup',
  ])
  const file = join(dataDir, 'downloaded.backup')
  await writeFile(file, store.objects.get(nameOf(7)) ?? '')
  expect(await readHeader(file)).toMatchObject({ created_at: '2026-11-22T07:00:00.000Z' })
  expect(await readdir(scratch)).toEqual([])
})

test('a backup that is older than those in the bucket, because the clock was set back, stays', async () => {
  for (const later of [20, 21, 22]) store.objects.set(nameOf(later), Buffer.from('later'))
  const backUp = await startProcess()
  hour = 3
  await backUp()
  await until(async () => keys().length === 3 && keys().includes(nameOf(3)))
  expect(keys()).toEqual([3, 21, 22].map(nameOf))
})

test.each([
  ['the key', { BACKUP_S3_ACCESS_KEY_ID: 'unknown' }],
  ['the secret', { BACKUP_S3_SECRET_ACCESS_KEY: 'wrong' }],
])(
  'when %s of the bucket is wrong, the failed job says which settings to correct',
  async (_, changes) => {
    store.objects.set(nameOf(1), Buffer.from('good'))
    const backUp = await startProcess(changes)
    hour = 8
    await backUp()
    expect(await failure()).toContain('correct BACKUP_S3_ACCESS_KEY_ID')
    expect(keys()).toEqual([nameOf(1)])
  },
)

test('while the store is down, a backup fails and every earlier one stays', async () => {
  for (const good of [1, 2, 3]) store.objects.set(nameOf(good), Buffer.from('good'))
  store.requestsLeft = 0
  const backUp = await startProcess()
  hour = 9
  await backUp()
  expect(await failure()).toContain('The store of BACKUP_TO failed (ServiceUnavailable)')
  expect(keys()).toEqual([1, 2, 3].map(nameOf))
})

test('when the store goes down after the upload, no earlier backup is deleted', async () => {
  for (const good of [1, 2, 3]) store.objects.set(nameOf(good), Buffer.from('good'))
  store.requestsLeft = 1
  const backUp = await startProcess()
  hour = 10
  await backUp()
  expect(await failure()).toContain('The store of BACKUP_TO failed')
  expect(keys()).toEqual([1, 2, 3, 10].map(nameOf))
})

test('a large upload that breaks off in the middle leaves the object of the same name as it was', async () => {
  const destination = s3Destination(store.settings, { prefix: '', scratch: join(dataDir, 'large') })
  const write = (bytes: Buffer) => destination.create('a', (path) => writeFile(path, bytes))
  const large = randomBytes(30_000_000)
  await write(large)
  expect(Buffer.from(store.objects.get('a') ?? []).equals(large)).toBe(true)
  store.requestsLeft = 3
  await expect(write(randomBytes(30_000_000))).rejects.toThrow('The store of BACKUP_TO failed')
  expect(Buffer.from(store.objects.get('a') ?? []).equals(large)).toBe(true)
  expect(await readdir(join(dataDir, 'large'))).toEqual([])
})

test('the upload of a finished backup goes on when an overlapping backup deletes its file', async () => {
  const scratch = join(dataDir, 'overlapping')
  const names = [9, 10].map((hours) => nameOf(hours).replace('acme/', ''))
  const [name = '', later = ''] = names
  const large = randomBytes(30_000_000)
  const overlapping = s3Destination(store.settings, { prefix: '', scratch })
  /** The files that the overlapping backup leaves. */
  const seen: string[][] = []
  const slow = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const { method, headers } = request
      const body = await request.arrayBuffer()
      if (seen.length === 0) {
        const files: string[] = []
        seen.push(files)
        const longAgo = new Date(Date.now() - 3_600_000)
        await utimes(join(scratch, name), longAgo, longAgo)
        await overlapping.create(later, (path) => writeFile(path, 'small'))
        files.push(...(await readdir(scratch)))
      }
      return await fetch(store.settings.endpoint + pathname + search, { method, headers, body })
    },
  })
  const settings = { ...store.settings, endpoint: slow.url.origin }
  const destination = s3Destination(settings, { prefix: '', scratch })
  await destination.create(name, (path) => writeFile(path, large))
  await slow.stop(true)
  expect(seen).toEqual([[]])
  expect(keys()).toEqual(names)
  expect(Buffer.from(store.objects.get(name) ?? []).equals(large)).toBe(true)
})
