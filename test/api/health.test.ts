import { afterAll, beforeAll, expect, test } from 'bun:test'
import packageJson from '../../package.json' with { type: 'json' }
import { startApp } from '../support/app.ts'
import { createDatabase, type TestDatabase } from '../support/database/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

/** What a fresh process on the database responds. */
async function reply(path: string) {
  const app = await startApp({ on: { database } })
  const response = await fetch(app.base + path)
  const body = await response.json()
  await app.close()
  return { status: response.status, body }
}

test('a process whose database works is ready', async () => {
  expect(await reply('/readyz')).toEqual({ status: 200, body: { status: 'ready' } })
})

test('the version of the program is public', async () => {
  const body = { version: packageJson.version }
  expect(await reply('/version')).toEqual({ status: 200, body })
})

test('a process is not ready while the disk of the database is full, and says so', async () => {
  const { sql } = database
  const [row] = await sql<{ name: string }[]>`select current_database() as name`
  const name = sql(row?.name ?? '')
  // Stands for PostgreSQL's own function, and fails as a sort does that finds no room on the disk.
  await sql`create schema full_disk`
  await sql`
    create function full_disk.generate_series(int, int) returns setof int language plpgsql as $$
    begin raise exception using errcode = 'disk_full'; end $$`
  await sql`alter database ${name} set search_path = full_disk, pg_catalog, public`
  expect(await reply('/readyz')).toEqual({
    status: 503,
    body: {
      status: 'disk_full',
      reason: 'The disk of the database is full: free some space there.',
    },
  })
  await sql`alter database ${name} reset search_path`
})

test('the responses without a key have a request id of their own', async () => {
  const app = await startApp({ on: { database } })
  const paths = [
    '/healthz',
    '/readyz',
    '/version',
    '/docs',
    '/openapi.json',
    '/unknown',
    '/healthz',
  ]
  const ids = await Promise.all(
    paths.map(async (path) => (await fetch(app.base + path)).headers.get('x-request-id')),
  )
  for (const id of ids) expect(id).toMatch(/^[\da-f-]{36}$/)
  expect(new Set(ids).size).toBe(paths.length)
  await app.close()
})

test.each(['/healthz', '/readyz', '/version', '/metrics'])(
  '%s is only read: another method gets a 405 that says which methods there are',
  async (path) => {
    const app = await startApp({ on: { database }, metricsToken: 'token' })
    const ask = (method: string) =>
      fetch(app.base + path, { method, headers: { authorization: 'Bearer token' } })
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await ask(method)
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('GET, HEAD')
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(await response.json()).toMatchObject({
        code: 'method_not_allowed',
        detail: 'This path allows GET, HEAD.',
        request_id: response.headers.get('x-request-id'),
      })
    }
    for (const method of ['GET', 'HEAD']) expect((await ask(method)).status).toBe(200)
    await app.close()
  },
)
