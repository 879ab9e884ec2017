import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createReadStream } from 'node:fs'
import { copyFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createGunzip, gunzipSync, gzipSync } from 'node:zlib'
import { openEmbedded } from '../../src/embedded-postgres/index.ts'
import { decryptSecret, readHeader } from '../../src/features/backups/index.ts'
import { folderStorage } from '../../src/features/images/index.ts'
import { connect, type Sql } from '../../src/lib/database/db.ts'
import { createLog } from '../../src/lib/log.ts'
import { startApp, testSecret } from '../support/app.ts'
import {
  createEmptyDatabase,
  type TestDatabase,
  withoutTimeLimits,
} from '../support/database/database.ts'
import { type Installation, install } from '../support/processes/cli.ts'
import {
  connectFakeProvider,
  createFakeAdapter,
  type FakeConnection,
} from '../support/providers/fake-provider.ts'
import { temporaryFolder, urlOf } from '../support/run/test-run.ts'
import { until } from '../support/until.ts'

const passphrase = 'long boats on a cold lake'

let at: Installation
let folder: string
let news: FakeConnection
const databases: TestDatabase[] = []
beforeAll(async () => {
  at = await install({ adapters: [createFakeAdapter().adapter], forward: false })
  folder = await temporaryFolder('backups')
  await at.tidings('demo')
  news = await connectFakeProvider(at.app, await at.app.team('harbour'))
})
afterAll(async () => {
  await at.remove()
  for (const database of databases) await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const backup = (file: string) => at.tidingsWith({ BACKUP_PASSPHRASE: passphrase }, 'backup', file)

/** What the environment of an installation that knows no secret contains. */
const newInstallation = async (database: TestDatabase | null) => ({
  DATA_DIR: await temporaryFolder('restored'),
  TIDINGS_SECRET: '',
  DATABASE_URL: database === null ? '' : urlOf(database.address),
  BACKUP_PASSPHRASE: passphrase,
})

/** Restores into a new installation, which is on the PostgreSQL that all tests share. */
async function restore(file: string, env: Record<string, string> = {}) {
  const database = await createEmptyDatabase()
  databases.push(database)
  const settings = await newInstallation(database)
  return { database, ...(await at.tidingsWith({ ...settings, ...env }, 'restore', file)) }
}

/** Every row of every table as PostgreSQL prints it, and the jobs that wait. */
async function rowsOf(sql: Sql): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'`
  const rows: Record<string, string[]> = {}
  for (const { name } of tables) {
    const copied = await text(await sql`copy (select * from ${sql(name)}) to stdout`.readable())
    rows[name] = copied.split('\n').toSorted()
  }
  const jobs = await sql<{ job: string }[]>`
    select json_build_array(id, name, data, priority, group_id, retry_limit, dead_letter)::text as job
    from pgboss.job where state < 'completed' and left(name, 2) <> '__' order by id`
  return { ...rows, jobs: jobs.map(({ job }) => job) }
}

test('a restored backup has every row and every waiting job, and the triggers that it had', async () => {
  for (let n = 0; n < 5; n++)
    await news.send({ id: `quiet-${n}`, items: [{ title: `News ${n} \\ "x"` }] })
  // Data of jobs can contain null, as that of emails to people without a team.
  await at.app.sql`
    update pgboss.job set data = data || '{"nothing": null}' where state < 'completed'`
  const file = join(folder, 'quiet.backup')
  expect(await backup(file)).toMatchObject({ code: 0, err: '' })
  const before = await rowsOf(at.app.sql)
  expect(before['jobs']).toHaveLength(5)

  // Into the PostgreSQL that Tidings brings, as on a new machine.
  const settings = await newInstallation(null)
  expect((await at.tidingsWith(settings, 'restore', file)).err).toBe('')
  const embedded = await openEmbedded({ dataDir: settings.DATA_DIR, log: createLog('silent') })
  const sql = connect(embedded.connection, {
    name: 'test of backups',
    max: 2,
    ...withoutTimeLimits,
  })
  const after = await rowsOf(sql)
  for (const [table, rows] of Object.entries(before))
    expect({ table, rows: after[table] }).toEqual({ table, rows })
  expect(Object.keys(after)).toEqual(Object.keys(before))
  await expect(sql`update audit_log set action = 'nothing'`.execute()).rejects.toThrow(
    'never changed',
  )
  await sql.end()
  await embedded.close()
  // The next start finds the secret that the backup contained.
  const secret = join(settings.DATA_DIR, 'secret')
  expect((await Bun.file(secret).text()).trim()).toBe(testSecret)
  expect((await stat(secret)).mode & 0o777).toBe(0o600)
})

test('a backup under load contains all that was acknowledged before it, and each delivery has its job', async () => {
  const acknowledged: string[] = []
  const underway = Promise.withResolvers<void>()
  let saved = false
  const send = async (writer: number) => {
    // A connection takes 1,200 events a minute.
    for (let n = 0; n < 280 && !saved; n++) {
      const id = `load-${writer}-${n}`
      if ((await news.send({ id, items: [{ title: id }] })).ok) acknowledged.push(id)
      if (acknowledged.length === 50) underway.resolve()
    }
  }
  const load = Promise.all([1, 2, 3, 4].map(send))
  const file = join(folder, 'load.backup')
  await underway.promise
  const early = [...acknowledged]
  const { code } = await backup(file)
  saved = true
  await load
  expect(code).toBe(0)
  expect(acknowledged.length).toBeGreaterThan(early.length)

  const { sql } = (await restore(file)).database
  const stored = await sql<{ id: string; delivery_id: string }[]>`
    select id, delivery_id from deliveries where status = 'waiting'`
  const ids = new Set(stored.map(({ delivery_id }) => delivery_id))
  expect(early.filter((id) => !ids.has(id))).toEqual([])
  const jobs = await sql<{ job: string }[]>`
    select data::text as job from pgboss.job where name = 'forward' and state < 'completed'`
  expect(stored.filter(({ id }) => !jobs.some(({ job }) => job.includes(id)))).toEqual([])
  expect(jobs).toHaveLength(stored.length)
})

test('a restored installation forwards what waited', async () => {
  const file = join(folder, 'waiting.backup')
  // A scheduled backup contains the job that writes it.
  await at.app.sql`select pgboss.create_queue('backup', '{"policy": "standard"}')`
  await at.app.sql`insert into pgboss.job (name, state) values ('backup', 'active')`
  await backup(file)
  const { database } = await restore(file)
  expect(await database.sql`select from pgboss.job where name = 'backup'`).toHaveLength(0)
  // Also those of a backup that is weeks old.
  const [job] = await database.sql`
    select min(keep_until - start_after) > interval '1 year' as kept from pgboss.job`
  expect(job).toEqual({ kept: true })
  const app = await startApp({ on: { database }, adapters: [createFakeAdapter().adapter] })
  const [block] = await until(async () => {
    const rows = await app.sql<{ title: string }[]>`
      select title from content_blocks where title like 'News 0%'`
    return rows.length > 0 && rows
  })
  expect(block?.title).toBe('News 0 \\ "x"')
  await app.close()
})

test('a backup is readable by its owner alone, and the secret in it by its passphrase alone', async () => {
  const file = join(folder, 'closed.backup')
  await backup(file)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const plain = await text(createReadStream(file).pipe(createGunzip()))
  expect(plain).toContain('Harbour'.toLowerCase())
  expect(plain).not.toContain(testSecret)
  const wrong = await restore(file, { BACKUP_PASSPHRASE: 'another passphrase' })
  expect(wrong).toMatchObject({ code: 1, out: '' })
  expect(wrong.err).toContain('BACKUP_PASSPHRASE is not the passphrase of this backup')
})

test('the key of a passphrase is derived while the process does other work', async () => {
  const file = join(folder, 'derived.backup')
  await backup(file)
  const decrypting = decryptSecret(await readHeader(file), passphrase)
  expect(Bun.peek.status(decrypting)).toBe('pending')
  expect(await decrypting).toBe(testSecret)
})

test('a backup without a passphrase is refused, with what to do', async () => {
  const { code, err } = await at.tidings('backup', join(folder, 'refused.backup'))
  expect(code).toBe(1)
  expect(err).toContain('set BACKUP_PASSPHRASE')
})

test('a backup into a folder that does not exist or is a file says what to do', async () => {
  const env = { BACKUP_PASSPHRASE: passphrase }
  const missing = await at.tidingsWith(env, 'backup', join(folder, 'missing', 'a.backup'))
  expect(missing).toMatchObject({
    code: 1,
    err: `error: The folder ${join(folder, 'missing')} does not exist: create it, or name another one.\n`,
  })
  await writeFile(join(folder, 'file'), '')
  const { err } = await at.tidingsWith(env, 'backup', join(folder, 'file', 'a.backup'))
  expect(err).toContain('allow the user of this command to write there, or name another folder.')
})

test('a backup that was cut off or changed is refused and leaves the installation empty', async () => {
  const file = join(folder, 'cut.backup')
  await backup(file)
  await truncate(file, (await stat(file)).size - 30)
  const cut = await restore(file)
  expect(cut).toMatchObject({ code: 1, out: '' })
  expect(cut.err).toContain('is incomplete or damaged: restore another one')
  expect(await cut.database.sql`select from teams`).toHaveLength(0)
  await backup(file)
  await truncate(file, Math.floor((await stat(file)).size / 2))
  const half = await restore(file)
  expect(half).toMatchObject({
    code: 1,
    err: `error: The backup ${file} is incomplete or damaged: restore another one.\n`,
  })
  expect(await half.database.sql`select from teams`).toHaveLength(0)
  await writeFile(file, 'no backup')
  expect((await restore(file)).err).toContain('damaged')
})

test('a restore that fails leaves the secret of the installation, and one that was interrupted after it was stored is completed', async () => {
  const file = join(folder, 'secret.backup')
  await backup(file)
  const cut = join(folder, 'secret-cut.backup')
  await copyFile(file, cut)
  await truncate(cut, Math.floor((await stat(cut)).size / 2))
  const database = await createEmptyDatabase()
  databases.push(database)
  const settings = await newInstallation(database)
  const listTeams = async () => (await at.tidingsWith(settings, 'team', 'list')).err
  // The first command creates the secret.
  expect(await listTeams()).toBe('')
  const secret = join(settings.DATA_DIR, 'secret')
  const created = await Bun.file(secret).text()
  expect((await at.tidingsWith(settings, 'restore', cut)).code).toBe(1)
  expect(await listTeams()).toBe('')
  expect(await Bun.file(secret).text()).toBe(created)

  expect((await at.tidingsWith(settings, 'restore', file)).err).toBe('')
  expect((await Bun.file(secret).text()).trim()).toBe(testSecret)
  // What a process leaves that ends as soon as the rows are stored.
  await rename(secret, `${secret}.next`)
  await writeFile(secret, created)
  expect(await listTeams()).toBe('')
  expect((await Bun.file(secret).text()).trim()).toBe(testSecret)
})

test('a backup of a newer Tidings is refused with what to do', async () => {
  const file = join(folder, 'newer.backup')
  await backup(file)
  const lines = gunzipSync(await Bun.file(file).bytes()).toString()
  await writeFile(file, gzipSync(lines.replace(/"migration":\d+/, '"migration":9999')))
  const { code, err, database } = await restore(file)
  expect(code).toBe(1)
  expect(err).toContain('A newer Tidings has written this backup: restore it with that version')
  expect(await database.sql`select from teams`).toHaveLength(0)
})

test('a backup is not restored into an installation that somebody uses', async () => {
  const file = join(folder, 'used.backup')
  await backup(file)
  const env = { BACKUP_PASSPHRASE: passphrase }
  const { code, err } = await at.tidingsWith(env, 'restore', file)
  expect(code).toBe(1)
  expect(err).toContain('already: restore into an empty one')
})

test('a restored backup has every image, and a missing file is named', async () => {
  const dataDir = await temporaryFolder('with-images')
  const storage = folderStorage(join(dataDir, 'media'))
  const [team] = await at.app.sql<{ id: string }[]>`select id from teams limit 1`
  const images = ['one', 'two \\ \n \t three', 'missing'].map((content) => {
    const bytes = Buffer.from([0, 255, 10, 9, ...Buffer.from(content.repeat(20_000))])
    return { bytes, hash: new Bun.CryptoHasher('sha256').update(bytes).digest('hex') }
  })
  for (const [index, { bytes, hash }] of images.entries()) {
    await at.app.sql`
      insert into images (id, team_id, hash, type, width, height, bytes, created_at)
      values (${`im_${hash}`}, ${team?.id ?? ''}, ${hash}, 'jpeg', 1, 1, ${bytes.length}, now())`
    if (index < 2) await storage.write(`${hash}.jpg`, bytes, 'image/jpeg')
  }
  const file = join(folder, 'images.backup')
  const env = { BACKUP_PASSPHRASE: passphrase, DATA_DIR: dataDir }
  const written = await at.tidingsWith(env, 'backup', file)
  expect(written).toMatchObject({ code: 0, out: expect.stringContaining('and 2 images.') })
  expect(written.err).toContain(`The image ${images[2]?.hash}.jpg is missing`)

  const restoredDir = await temporaryFolder('restored-images')
  expect((await restore(file, { DATA_DIR: restoredDir })).err).toBe('')
  const restored = folderStorage(join(restoredDir, 'media'))
  for (const { bytes, hash } of images.slice(0, 2)) {
    expect(Buffer.from((await restored.read(`${hash}.jpg`)) ?? []).equals(bytes)).toBe(true)
  }
  await at.app.sql`delete from images`
})
