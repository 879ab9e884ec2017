import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import postgres from 'postgres'
import { type EmbeddedPostgres, openEmbedded } from '../../../src/embedded-postgres/index.ts'
import { temporaryFolder } from '../../support/run/test-run.ts'
import { until } from '../../support/until.ts'

const log = pino({ level: 'silent' })
const isRoot = process.getuid?.() === 0
const nobody = () => undefined

let base: string
let dataDir: string
let stagingDir: string

beforeAll(async () => {
  base = await temporaryFolder('embedded')
  dataDir = join(base, 'data')
  stagingDir = join(base, 'staging')
})

afterAll(() => rm(base, { recursive: true, force: true }))

const open = (folder = dataDir) => openEmbedded({ dataDir: folder, log, stagingDir })

/** Opens the database in another process, which says who the service is and lives until it is killed. */
function elsewhere(folder = dataDir) {
  const module = import.meta.resolve('../../../src/embedded-postgres/index.ts')
  const parentModule = import.meta.resolve('../../../src/lib/parent-process.ts')
  const program = `
    const { openEmbedded } = await import('${module}')
    const { onParentExit } = await import('${parentModule}')
    onParentExit(() => process.exit())
    const log = (await import('pino')).default({ level: 'silent' })
    const [dataDir, stagingDir] = process.argv.slice(-2)
    const embedded = await openEmbedded({ dataDir, log, stagingDir })
    const holder = await embedded.becomeService(3000, () => {})
    console.log(holder ?? 'service')
    process.once('SIGTERM', () => embedded.close())`
  const child = Bun.spawn([process.execPath, '-e', program, folder, stagingDir], {
    cwd: join(import.meta.dir, '../../..'),
    stdout: 'pipe',
  })
  const read = async () => {
    const { value } = await child.stdout.getReader().read()
    return new TextDecoder().decode(value).trim()
  }
  return { child, said: read() }
}

/** Runs work with a pool on the database and closes the pool. */
async function using<Result>(
  { connection }: EmbeddedPostgres,
  work: (sql: postgres.Sql) => Promise<Result>,
) {
  const sql = postgres({ ...connection, max: 2 })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

const serverStart = (embedded: EmbeddedPostgres) =>
  using(embedded, async (sql) => {
    const [row] = await sql<{ at: string }[]>`select pg_postmaster_start_time()::text as at`
    return row?.at
  })

async function serverPid(folder = dataDir) {
  const text = await Bun.file(join(folder, 'postgres/data/postmaster.pid')).text()
  return Number(text.split('\n')[0])
}

const serverRuns = (folder = dataDir) =>
  Bun.file(join(folder, 'postgres/data/postmaster.pid')).exists()

async function kill(child: { kill(signal: 'SIGKILL'): void; exited: Promise<number> }) {
  child.kill('SIGKILL')
  await child.exited
}

test('processes that open a new database at the same moment share it, and the last one stops it', async () => {
  const { child, said } = elsewhere()
  const one = await open()
  const two = await open()
  expect(await said).toBe('service')
  const start = await serverStart(one)
  await one.close()
  child.kill('SIGTERM')
  await child.exited
  expect(await serverStart(two)).toBe(start)
  await two.close()
  expect(await serverRuns()).toBe(false)
})

test('the database is reachable only through its socket, and only by its owner with the password', async () => {
  const embedded = await open()
  await using(embedded, async (sql) => {
    expect(await sql`show listen_addresses`).toMatchObject([{ listen_addresses: '' }])
    expect(await sql`select rolsuper from pg_roles where rolname = current_user`).toMatchObject([
      { rolsuper: false },
    ])
  })
  const { connection } = embedded
  expect((await stat(connection.host)).mode & 0o777).toBe(0o700)
  expect((await stat(join(dataDir, 'postgres/data'))).mode & 0o777).toBe(0o700)
  expect((await stat(join(dataDir, 'postgres/access.json'))).mode & 0o777).toBe(0o600)
  for (const wrong of [{ password: 'guess' }, { username: 'postgres' }]) {
    const other = { ...embedded, connection: { ...connection, ...wrong } }
    await expect(using(other, (sql) => sql`select 1`)).rejects.toThrow()
  }
  await embedded.close()
})

test('text is sorted by code point and folded by Unicode, also in full-text search', async () => {
  const embedded = await open()
  const [row] = await using(
    embedded,
    (sql) => sql`select 'Z' < 'a' as by_code, lower('ÄÖ') as lower,
                        to_tsvector('simple', 'École') @@ to_tsquery('simple', 'école') as found`,
  )
  expect(row).toEqual({ by_code: true, lower: 'äö', found: true })
  await embedded.close()
})

test('after kill -9 of the service, the next one takes over its server with everything that was acknowledged', async () => {
  const { child, said } = elsewhere()
  expect(await said).toBe('service')
  const beside = await open()
  const start = await serverStart(beside)
  await using(beside, (sql) => sql`create table kept as select 1 as n`)
  expect(await beside.becomeService(3001, nobody)).toBe(
    `tidings service, process ${child.pid}, port 3000`,
  )
  await beside.close()
  await kill(child)

  const next = await open()
  expect(await next.becomeService(3001, nobody)).toBeUndefined()
  expect(await serverStart(next)).toBe(start)
  expect(await using(next, (sql) => sql`select n from kept`)).toMatchObject([{ n: 1 }])
  await next.close()
  expect(await serverRuns()).toBe(false)
})

test('after kill -9 of PostgreSQL, a process that uses it starts it again', async () => {
  const embedded = await open()
  await using(embedded, (sql) => sql`create table survives as select 1 as n`)
  const before = await serverStart(embedded)
  process.kill(await serverPid(), 'SIGKILL')
  // The killed server's sessions may answer for a moment still.
  let start = before
  while (start === before) start = await serverStart(embedded).catch(() => before)
  expect(await using(embedded, (sql) => sql`select n from survives`)).toMatchObject([{ n: 1 }])
  await embedded.close()
})

test('a stale pid file whose number belongs to another program does not prevent the start', async () => {
  const { child, said } = elsewhere()
  await said
  const server = await serverPid()
  await kill(child)
  const { uid, gid } = await stat(join(dataDir, 'postgres/data'))
  // PostgreSQL looks at processes of its own user only.
  const other = Bun.spawn(['sleep', '60'], { cwd: '/', ...(isRoot ? { uid, gid } : {}) })
  const file = join(dataDir, 'postgres/data/postmaster.pid')
  const text = await Bun.file(file).text()
  process.kill(server, 'SIGKILL')
  await writeFile(file, text.replace(/^\d+/, String(other.pid)))

  const embedded = await open()
  expect(await serverPid()).not.toBe(other.pid)
  await embedded.close()
  await kill(other)
})

test('a service that is replaced while its connection is broken is notified of the new service', async () => {
  const embedded = await open()
  const lost = Promise.withResolvers<string>()
  await embedded.becomeService(3000, lost.resolve)
  const connection = { application_name: 'another service' }
  const rival = postgres({ ...embedded.connection, max: 2, connection })
  const [service] = await rival<{ pid: number; space: number; key: number }[]>`
    select pid, classid::int4 as space, objid::int4 as key
      from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and application_name like 'tidings service%'
       and mode = 'ExclusiveLock'`
  const next = await rival.reserve()
  const taken =
    next`select pg_advisory_lock(${service?.space ?? 0}, ${service?.key ?? 0})`.execute()
  let waiting = false
  while (!waiting) waiting = (await rival`select from pg_locks where not granted`).count > 0
  await rival`select pg_terminate_backend(${service?.pid ?? 0})`
  await taken
  expect(await lost.promise).toBe('another service')
  next.release()
  await rival.end()
  await embedded.close()
})

test('an initialization that was killed halfway does not prevent the next one', async () => {
  const folder = join(base, 'killed')
  await mkdir(folder)
  const { child } = elsewhere(folder)
  await until(async () =>
    (await readdir(folder, { recursive: true }).catch(() => [])).some((name) =>
      name.endsWith('PG_VERSION'),
    ),
  )
  await kill(child)

  const embedded = await open(folder)
  expect(await using(embedded, (sql) => sql`select 1 as n`)).toMatchObject([{ n: 1 }])
  await embedded.close()
})

test('a deep data folder that is closed to other users works, and its database is new after it was deleted', async () => {
  const closed = join(base, 'closed')
  const folder = join(closed, 'deep'.repeat(30), 'data')
  await mkdir(closed, { mode: 0o700 })
  const embedded = await open(folder)
  await using(embedded, (sql) => sql`create table gone (n int)`)
  await embedded.close()
  // PostgreSQL does not run as root, and nobody else enters that folder.
  const home = await realpath(join(folder, 'postgres'))
  expect(home).toStartWith(isRoot ? stagingDir : folder)

  await rm(folder, { recursive: true })
  const again = await open(folder)
  expect(await using(again, (sql) => sql`select to_regclass('gone') as found`)).toMatchObject([
    { found: null },
  ])
  await again.close()
  // A path this deep has its socket in /tmp, where it would stay.
  await rm(again.connection.host, { recursive: true, force: true })
})

test('a database of another PostgreSQL version is refused with both versions', async () => {
  const version = join(dataDir, 'postgres/data/PG_VERSION')
  const ours = (await Bun.file(version).text()).trim()
  await writeFile(version, '9\n')
  await expect(open()).rejects.toThrow(
    `created by PostgreSQL 9, and this version of Tidings contains PostgreSQL ${ours}`,
  )
  await writeFile(version, `${ours}\n`)
})

test('a data folder that cannot be created is refused with a sentence', async () => {
  const file = join(base, 'file')
  await writeFile(file, '')
  await expect(open(file)).rejects.toThrow(`${file} is not a folder`)
  const long = join(base, 'x'.repeat(300))
  await expect(open(long)).rejects.toThrow(`${long} cannot be created: set DATA_DIR`)
  const empty = join(base, 'empty')
  await mkdir(join(empty, 'postgres'), { recursive: true })
  await expect(open(empty)).rejects.toThrow('There is no database behind')
})
