import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { join } from 'node:path'
import postgres from 'postgres'
import { connect, type Sql, type Tx, transaction } from '../../../src/lib/database/db.ts'
import { createDatabase, type TestDatabase } from '../../support/database/database.ts'

// patches/postgres@3.4.9.patch repairs the driver for these cases. Without it, each test fails.

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

/** The driver with one connection, whose socket a test can close as an outage does. */
function driver() {
  const { address } = database
  let socket: Socket
  const open = async ({ host: [host = ''] = [], port: [port = 0] = [] }) => {
    socket = host.startsWith('/')
      ? connectTcp(join(host, `.s.PGSQL.${port}`))
      : connectTcp(port, host)
    await once(socket, 'connect')
    return socket
  }
  const options = { max: 1, socket: open }
  const sql: Sql =
    typeof address === 'string' ? postgres(address, options) : postgres({ ...address, ...options })
  return { sql, disconnect: () => socket.destroy(), closed: () => once(socket, 'close') }
}

const one = (sql: Sql) =>
  transaction(sql, async (tx: Tx) => (await tx`select 1 as n`)[0]?.['n'], 5_000)

describe('When the connection to the database closes', () => {
  test('a statement fails when the connection closes before it is written, and the next connection works', async () => {
    const { sql, disconnect } = driver()
    expect(await one(sql)).toBe(1)
    const unwritten = sql.begin(async (tx) => {
      await tx`select 1`
      const statement = tx`select 2`.execute()
      disconnect()
      await statement
    })
    await expect(unwritten).rejects.toThrow('CONNECTION_CLOSED')
    expect(await one(sql)).toBe(1)
    await sql.end({ timeout: 1 })
  })

  test('inside a transaction, its next statement fails and the next connection works', async () => {
    const { sql, disconnect, closed } = driver()
    const outcome = Promise.withResolvers<unknown>()
    const transacted = sql.begin(async (tx) => {
      await tx`select 1`
      const closing = closed()
      disconnect()
      await closing
      await tx`select 2`.then(outcome.resolve, outcome.resolve)
    })
    await expect(transacted).rejects.toThrow('CONNECTION_CLOSED')
    expect(await outcome.promise).toMatchObject({ code: 'CONNECTION_CLOSED' })
    expect(await one(sql)).toBe(1)
    await sql.end({ timeout: 1 })
  })
})

describe('statements that fail after their first rows', () => {
  /** Fails after two rows. */
  const fail = (sql: Sql) => sql`select 1 / (3 - n) as x from generate_series(1, 5) n`

  test('a statement that fails after its first rows leaves no trace in the result of the next statement', async () => {
    const { sql } = driver()
    await expect(fail(sql)).rejects.toThrow('division by zero')
    expect([...(await sql`select 1 as n`)]).toEqual([{ n: 1 }])
    expect([...(await sql`select 1 as n where false`)]).toEqual([])
    await sql.end({ timeout: 1 })
  })

  test('a statement whose session ends after its first rows leaves no trace in the results of the next session', async () => {
    const sql = connect(database.address, { name: 'tidings outage test', max: 1 })
    const ended = sql`select n, case n when 3 then pg_terminate_backend(pg_backend_pid()) end from generate_series(1, 5) n`
    await expect(ended).rejects.toThrow()
    expect([...(await sql`select 1 as n`)]).toEqual([{ n: 1 }])
    await sql.end({ timeout: 1 })
  })
})
