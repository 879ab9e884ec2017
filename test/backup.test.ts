import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createReadStream } from 'node:fs'
import { rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { openEmbedded } from '../src/embedded-postgres/index.ts'
import { connect, type Sql } from '../src/lib/db.ts'
import { createLog } from '../src/lib/log.ts'
import { startApp, type TestApp, testSecret } from './support/app.ts'
import { type Installation, install } from './support/cli.ts'
import { type Bulletin, bulletin, bulletinAdapter } from './support/fake-provider.ts'
import { temporaryFolder } from './support/test-run.ts'

const passphrase = 'long boats on a cold lake'

let at: Installation
let folder: string
let news: Bulletin
beforeAll(async () => {
  at = await install({ adapters: [bulletinAdapter().adapter], forward: false })
  folder = await temporaryFolder('backups')
  await at.tidings('demo')
  news = await bulletin(at.app, await at.app.team('harbour'))
}, 60_000)
afterAll(async () => {
  await at.remove()
  await rm(folder, { recursive: true, force: true })
})

const backup = (file: string) => at.tidingsWith({ BACKUP_PASSPHRASE: passphrase }, 'backup', file)

/** Restores into a new installation, which knows no secret. */
async function restore(file: string, env: Record<string, string> = {}) {
  const dataDir = await temporaryFolder('restored')
  const settings = { DATA_DIR: dataDir, TIDINGS_SECRET: '', BACKUP_PASSPHRASE: passphrase, ...env }
  return { dataDir, ...(await at.tidingsWith(settings, 'restore', file)) }
}

/** Runs work on the database of a data folder. */
async function onDatabase<Result>(dataDir: string, work: (sql: Sql) => Promise<Result>) {
  const embedded = await openEmbedded({ dataDir, log: createLog('silent') })
  const sql = connect(embedded.connection, { name: 'test of backups', max: 2 })
  try {
    return await work(sql)
  } finally {
    await sql.end()
    await embedded.close()
  }
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
  const file = join(folder, 'quiet.backup')
  expect(await backup(file)).toMatchObject({ code: 0, err: '' })
  const before = await rowsOf(at.app.sql)
  expect(before['jobs']).toHaveLength(5)

  const restored = await restore(file)
  expect(restored.err).toBe('')
  await onDatabase(restored.dataDir, async (sql) => {
    const after = await rowsOf(sql)
    for (const [table, rows] of Object.entries(before))
      expect({ table, rows: after[table] }).toEqual({ table, rows })
    expect(Object.keys(after)).toEqual(Object.keys(before))
    await expect(sql`update audit_log set action = 'nothing'`.execute()).rejects.toThrow(
      'never changed',
    )
  })
  // The next start finds the secret that the backup contained.
  expect((await Bun.file(join(restored.dataDir, 'secret')).text()).trim()).toBe(testSecret)
  expect((await stat(join(restored.dataDir, 'secret'))).mode & 0o777).toBe(0o600)
}, 120_000)

test('a backup under load contains all that was acknowledged before it, and each delivery has its job', async () => {
  const acknowledged: string[] = []
  const send = async (writer: number) => {
    for (let n = 0; n < 280; n++) {
      const id = `load-${writer}-${n}`
      if ((await news.send({ id, items: [{ title: id }] })).ok) acknowledged.push(id)
    }
  }
  const load = [1, 2, 3, 4].map(send)
  const file = join(folder, 'load.backup')
  while (acknowledged.length < 50) await Promise.race([...load, Bun.sleep(10)])
  const early = [...acknowledged]
  const { code } = await backup(file)
  await Promise.all(load)
  expect(code).toBe(0)
  expect(acknowledged.length).toBeGreaterThan(early.length)

  const { dataDir } = await restore(file)
  await onDatabase(dataDir, async (sql) => {
    const stored = await sql<{ id: string; delivery_id: string }[]>`
      select id, delivery_id from deliveries where status = 'waiting'`
    const ids = new Set(stored.map(({ delivery_id }) => delivery_id))
    expect(early.filter((id) => !ids.has(id))).toEqual([])
    const jobs = await sql<
      { job: string }[]
    >`select data::text as job from pgboss.job where name = 'forward' and state < 'completed'`
    const missing = stored.filter(({ id }) => !jobs.some(({ job }) => job.includes(id)))
    expect(missing).toEqual([])
    expect(jobs).toHaveLength(stored.length)
  })
}, 120_000)

test('a restored installation forwards what waited', async () => {
  const file = join(folder, 'waiting.backup')
  await backup(file)
  const { dataDir } = await restore(file)
  const embedded = await openEmbedded({ dataDir, log: createLog('silent') })
  const { adapter } = bulletinAdapter()
  const app: TestApp = await startApp({
    on: { database: { address: embedded.connection } },
    adapters: [adapter],
  })
  const { block } = await waitForBlock(app)
  expect(block).toBe('News 0 \\ "x"')
  await app.close()
  await embedded.close()
}, 120_000)

async function waitForBlock({ sql }: TestApp): Promise<{ block: string }> {
  for (let waited = 0; waited < 2_000; waited++) {
    const [row] = await sql<{ block: string }[]>`
      select title as block from content_blocks where title like 'News 0%'`
    if (row) return row
    await Bun.sleep(20)
  }
  throw new Error('no block')
}

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
}, 60_000)

test('a backup without a passphrase is refused, with what to do', async () => {
  const { code, err } = await at.tidings('backup', join(folder, 'refused.backup'))
  expect(code).toBe(1)
  expect(err).toContain('set BACKUP_PASSPHRASE')
}, 60_000)

test('a backup that was cut off or changed is refused and leaves the installation empty', async () => {
  const file = join(folder, 'cut.backup')
  await backup(file)
  await truncate(file, (await stat(file)).size - 30)
  const cut = await restore(file)
  expect(cut).toMatchObject({ code: 1, out: '' })
  expect(cut.err).toContain('is incomplete or damaged: restore another one')
  const counts = await onDatabase(cut.dataDir, (sql) => sql`select from teams`)
  expect(counts).toHaveLength(0)
  await writeFile(file, 'no backup')
  expect((await restore(file)).err).toContain('damaged')
}, 60_000)

test('a backup is not restored into an installation that somebody uses', async () => {
  const file = join(folder, 'used.backup')
  await backup(file)
  const env = { BACKUP_PASSPHRASE: passphrase }
  const { code, err } = await at.tidingsWith(env, 'restore', file)
  expect(code).toBe(1)
  expect(err).toContain('already: restore into an empty one')
}, 60_000)
