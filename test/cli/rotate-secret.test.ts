import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { openEmbedded } from '../../src/embedded-postgres/index.ts'
import { encryptedColumns } from '../../src/installation/secret.ts'
import { connect } from '../../src/lib/database/db.ts'
import { createLog } from '../../src/lib/log.ts'
import { createDatabase, withoutTimeLimits } from '../support/database/database.ts'
import { runTidings, WithUrl } from '../support/processes/cli.ts'
import { createDataDir, startProcess, systemEnvironment } from '../support/processes/process.ts'
import { until } from '../support/until.ts'

const script = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
const tokenOfProvider = 'a token that the provider gave us'

let folder: Awaited<ReturnType<typeof createDataDir>>
let url = ''

beforeAll(async () => {
  folder = await createDataDir()
  await tidings({}, 'team', 'create', '--slug', 'acme', '--name', 'Acme')
  const made = ['--team', 'acme', '--adapter', 'github', '--set', `secret=${tokenOfProvider}`]
  url = (await tidings({}, 'connection', 'create', ...made, '--json')).as(WithUrl).url
  expect(url).toContain('/hooks/github/')
})
afterAll(() => folder.remove())

/** Runs a command on the installation. */
const tidings = (env: Record<string, string>, ...args: string[]) =>
  runTidings({ DATA_DIR: folder.path, ...env }, args)

/** The address of the connection, which is encrypted: only the right secret shows it. */
const shownUrl = async (env: Record<string, string> = {}) => {
  const printed = await tidings(env, 'connection', 'list', '--team', 'acme', '--json')
  return printed.code === 0 ? printed.as(v.array(WithUrl))[0]?.url : undefined
}

const fileAt = (name: string) => readFile(join(folder.path, name), 'utf8')
const earlierSecrets = async () =>
  (await readdir(folder.path)).filter((name) => /^secret\.\d+$/.test(name)).toSorted()

/** Runs `work` with a connection to the database of the installation. */
async function withSql<T>(work: (sql: ReturnType<typeof connect>) => Promise<T>): Promise<T> {
  const embedded = await openEmbedded({ dataDir: folder.path, log: createLog('silent') })
  const sql = connect(embedded.connection, { name: 'test', max: 2, ...withoutTimeLimits })
  try {
    return await work(sql)
  } finally {
    await sql.end()
    await embedded.close()
  }
}

test('a rotation encrypts every stored value with the new secret, and keeps the old secret beside it', async () => {
  const old = await fileAt('secret')
  const { code, json, err } = await tidings({}, 'secret', 'rotate', '--json')
  expect({ code, json, err }).toEqual({ code: 0, json: { reencrypted: 1, unreadable: 0 }, err: '' })
  expect(await fileAt('secret')).not.toBe(old)
  expect(await Promise.all((await earlierSecrets()).map(fileAt))).toEqual([old])
  expect(await shownUrl()).toBe(url)
  expect((await tidings({ TIDINGS_SECRET: old.trim() }, 'team', 'list')).code).toBe(1)
})

test('a rotation that ended between the database and the file is completed by the next start', async () => {
  const [old = ''] = await earlierSecrets()
  await rename(join(folder.path, 'secret'), join(folder.path, 'secret.next'))
  await rename(join(folder.path, old), join(folder.path, 'secret'))
  expect(await shownUrl()).toBe(url)
  expect(await readdir(folder.path)).not.toContain('secret.next')
})

test('a rotation that is killed before the database commits changes nothing', async () => {
  const before = await fileAt('secret')
  await withSql(async (sql) => {
    const blocking = await sql.reserve()
    await blocking`begin`
    await blocking`lock table account_emails in access exclusive mode`
    const rotation = Bun.spawn(['bun', script, 'secret', 'rotate'], {
      env: { ...systemEnvironment, DATA_DIR: folder.path },
    })
    await until(async () => {
      const [row] = await sql`
        select 1 from pg_stat_activity
        where application_name = 'tidings secret rotation' and wait_event_type = 'Lock'`
      return row
    })
    rotation.kill('SIGKILL')
    await rotation.exited
    await blocking`rollback`
    blocking.release()
  })
  expect(await readdir(folder.path)).toContain('secret.next')
  expect(await fileAt('secret')).toBe(before)
  expect(await shownUrl()).toBe(url)
  expect((await tidings({}, 'secret', 'rotate')).code).toBe(0)
  expect(await shownUrl()).toBe(url)
})

test('a rotation is refused while a service uses the database', async () => {
  const service = startProcess(folder.path, { TIDINGS_SECRET: '' })
  await service.ready()
  const { code, err } = await tidings({}, 'secret', 'rotate')
  expect(code).toBe(1)
  expect(err).toContain('Another process of Tidings uses this database. Stop all of them')
  service.process.kill('SIGTERM')
  expect(await service.exited).toBe(0)
  expect(await shownUrl()).toBe(url)
})

test('with TIDINGS_SECRET, the new secret is the one in TIDINGS_NEW_SECRET, which cannot be guessed', async () => {
  const present = (await fileAt('secret')).trim()
  const next = randomBytes(32).toString('base64')
  const rotateTo = (secret: string) =>
    tidings({ TIDINGS_SECRET: present, TIDINGS_NEW_SECRET: secret }, 'secret', 'rotate')
  expect((await rotateTo('')).err).toContain('Set TIDINGS_NEW_SECRET to the new secret')
  expect((await rotateTo('a'.repeat(32))).err).toContain('TIDINGS_NEW_SECRET can be guessed')
  expect((await rotateTo(present)).err).toContain('TIDINGS_NEW_SECRET is the present secret')
  expect((await rotateTo(next)).code).toBe(0)
  expect(await shownUrl({ TIDINGS_SECRET: next })).toBe(url)
  expect(await shownUrl({ TIDINGS_SECRET: present })).toBeUndefined()
})

test('a new installation does not start with a secret that can be guessed', async () => {
  const empty = await createDataDir()
  const service = startProcess(empty.path, { TIDINGS_SECRET: 'a'.repeat(32) })
  expect(await service.exited).toBe(1)
  expect(service.printed()).toContain(
    'The secret in TIDINGS_SECRET can be guessed. Use the output of: openssl rand -hex 32',
  )
  await empty.remove()
})

test('every column with encrypted values is part of the rotation', async () => {
  const database = await createDatabase()
  const rows = await database.sql<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' and column_name not like '%hash'
      and (table_name, column_name) not in (
        ('rate_limits', 'subject'),
        -- Encrypted with keys that only the forms give.
        ('signed_out_submissions', 'response')
      )`
  const rotated = encryptedColumns.map(({ table, column }) => `${table}.${column}`)
  expect(rotated).toEqual(expect.arrayContaining(rows.map(({ name }) => name)))
  await database.drop()
})
