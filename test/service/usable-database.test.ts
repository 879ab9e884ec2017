import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:net'
import type { DatabaseAddress } from '../../src/lib/database/db.ts'
import { requireUsableDatabase } from '../../src/lib/database/require-database.ts'
import { createDatabase, type TestDatabase } from '../support/database/database.ts'
import { startPooler } from '../support/database/pooler.ts'
import { createDataDir, startProcess } from '../support/processes/process.ts'
import { databaseOn, urlOf } from '../support/run/test-run.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const nameOf = (address: DatabaseAddress) =>
  new URL(urlOf(address).replace('@/', '@localhost/')).pathname.slice(1)

const withPassword = (address: DatabaseAddress, password: string): DatabaseAddress =>
  typeof address === 'string'
    ? Object.assign(new URL(address), { password }).toString()
    : { ...address, password }

async function problemOf(address: DatabaseAddress): Promise<string> {
  try {
    await requireUsableDatabase(address, 2_000)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return ''
}

/** Makes the database of a test report something else, as only another server would. */
async function pretend(
  body: string,
  work: (address: DatabaseAddress) => Promise<void>,
): Promise<void> {
  const other = await createDatabase()
  await other.sql`create schema pretended`
  await other.sql.unsafe(
    `create function pretended.current_setting(name text) returns text language sql as $$ ${body} $$`,
  )
  await other.sql`alter database ${other.sql(nameOf(other.address))} set search_path = pretended, pg_catalog, public`
  await work(other.address)
  await other.drop()
}

test('a database that Tidings can use does not prevent the start', async () => {
  expect(await problemOf(database.address)).toBe('')
})

/** Starts the service with the address of a server that is no PostgreSQL, and requires the one sentence that it prints. */
async function requireRefusedStart(server: Server): Promise<void> {
  const at = server.listen(0).address()
  const port = typeof at === 'object' ? at?.port : 0
  const folder = await createDataDir()
  const url = `postgres://ada:canary@127.0.0.1:${port}/tidings`
  const service = startProcess(folder.path, { DATABASE_URL: url }, { hasTimeLimits: true })
  expect(await service.exited).toBe(1)
  expect(service.printed()).toBe(
    `The server at 127.0.0.1:${port} does not answer as PostgreSQL does: correct the port in DATABASE_URL.\n`,
  )
  server.close()
  await folder.remove()
}

test('a server that does not answer prevents the start with a sentence that does not contain the password', async () => {
  await requireRefusedStart(createServer(() => {}))
})

test('a web server at the port of DATABASE_URL is named as no PostgreSQL', async () => {
  const web = Bun.serve({ port: 0, fetch: () => new Response('hello') })
  expect(await problemOf(`postgres://ada@127.0.0.1:${web.port}/tidings`)).toContain(
    'does not answer as PostgreSQL does',
  )
  await web.stop(true)
})

test('a database of another kind at the port of DATABASE_URL prevents the start with one sentence', async () => {
  const greeting = Buffer.concat([
    Buffer.from([74, 0, 0, 0, 10]),
    Buffer.from('8.0.34'),
    Buffer.alloc(64),
  ])
  const mysql = createServer((socket) => {
    socket.on('error', () => {})
    socket.write(greeting)
  })
  await requireRefusedStart(mysql)
})

test('a pooler that refuses the settings of the sessions is named with what to do', async () => {
  // As PgBouncer does without `ignore_startup_parameters`.
  const message = Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter: lock_timeout\0\0')
  const head = Buffer.from([69, 0, 0, 0, message.length + 4])
  const pooler = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      // An SSLRequest has eight bytes.
      if (data.length === 8) socket.write('N')
      else socket.end(Buffer.concat([head, message]))
    })
  })
  const at = pooler.listen(0).address()
  const port = typeof at === 'object' ? at?.port : 0
  expect(await problemOf(`postgres://ada@127.0.0.1:${port}/tidings`)).toBe(
    `The server at 127.0.0.1:${port} refuses the settings of sessions, as PgBouncer does: set DATABASE_URL to PostgreSQL itself.`,
  )
  pooler.close()
})

test('a pooler that ignores the settings of the sessions prevents the start with what to do', async () => {
  const pooler = await startPooler(database.address)
  expect(await problemOf(pooler.url)).toBe(
    `The server at 127.0.0.1:${pooler.port} ignores the settings of sessions, as PgBouncer does with ignore_startup_parameters: set DATABASE_URL to PostgreSQL itself.`,
  )
  await pooler.stop()
})

test('a PostgreSQL that does not run, with its socket in a folder, is reported as on a closed port', async () => {
  const address = { host: '/nowhere', port: 5432, database: 'x', username: 'ada', password: '' }
  expect(await problemOf(address)).toBe(
    'No server accepts connections at /nowhere: start PostgreSQL there, or correct DATABASE_URL.',
  )
})

test('a closed port, an unknown host and a missing database each have their own message', async () => {
  // Another test may listen on a port that was free a moment ago; nobody listens on this one.
  expect(await problemOf('postgres://ada@127.0.0.1:1/x')).toStartWith('No server accepts')
  expect(await problemOf('postgres://ada@nowhere.invalid/x')).toContain('does not exist')
  const missing = databaseOn(database.address, 'not_there')
  expect(await problemOf(missing)).toContain('create database not_there')
})

test('the message about a wrong password does not contain the password', async () => {
  const problem = await problemOf(withPassword(database.address, 'canary'))
  expect(problem).toContain('refused the password of the user')
  expect(problem).not.toContain('canary')
})

test('a database of another encoding than UTF-8 prevents the start', async () => {
  const name = 'tidings_latin1'
  const { sql } = database
  await sql`drop database if exists ${sql(name)}`
  await sql.unsafe(
    `create database ${name} encoding 'LATIN1' template template0 locale_provider libc lc_collate 'C' lc_ctype 'C'`,
  )
  const problem = await problemOf(databaseOn(database.address, name))
  await sql`drop database ${sql(name)}`
  expect(problem).toContain(`The database ${name} has the encoding LATIN1`)
})

test('a server older than PostgreSQL 15 prevents the start', async () => {
  const body = `select case name when 'server_version_num' then '140011' when 'server_encoding' then 'UTF8' else 'off' end`
  await pretend(body, async (address) => {
    expect(await problemOf(address)).toContain(
      'leads to PostgreSQL 14, and Tidings needs 15 or newer',
    )
  })
})

test('a standby server in DATABASE_URL prevents the start', async () => {
  const body = `select case name when 'server_version_num' then '180000' when 'server_encoding' then 'UTF8' else 'on' end`
  await pretend(body, async (address) => {
    expect(await problemOf(address)).toContain(
      'is read-only: set DATABASE_URL to the primary server',
    )
  })
})
