import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import postgres from 'postgres'
import { connect, type Sql, type Tx, transaction } from '../../../src/lib/database/db.ts'
import { createDatabase, type TestDatabase } from '../../support/database/database.ts'
import { until } from '../../support/until.ts'

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
  let written = (_text: string) => {}
  const open = async ({ host: [host = ''] = [], port: [port = 0] = [] }) => {
    socket = host.startsWith('/')
      ? connectTcp(join(host, `.s.PGSQL.${port}`))
      : connectTcp(port, host)
    await once(socket, 'connect')
    const { write } = socket
    socket.write = (bytes: Buffer, ...rest: never[]) => {
      const isWritten = write.call(socket, bytes, ...rest)
      written(bytes.toString())
      return isWritten
    }
    return socket
  }
  const options = { max: 1, socket: open }
  const sql: Sql =
    typeof address === 'string' ? postgres(address, options) : postgres({ ...address, ...options })
  const closed = () => once(socket, 'close')
  const onWrite = (listener: typeof written) => {
    written = listener
  }
  return { sql, socket: () => socket, onWrite, disconnect: () => socket.destroy(), closed }
}

const connectionReset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })

/** The number of statements that are waiting in `pg_sleep`. */
const sleeping = async () =>
  (
    await database.sql`
      select from pg_stat_activity
      where query like 'select pg_sleep%' and state = 'active' and datname = current_database()`
  ).count

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

  test('after an error, also a statement that came before the close fails, and the next connection works', async () => {
    const { sql, socket } = driver()
    await one(sql)
    const reset = connectionReset()
    const running = sql`select pg_sleep(60)`.execute()
    const sent = running.catch(() => sql`select 2`)
    // The statement is being executed.
    await until(async () => (await sleeping()) > 0)
    socket().emit('error', reset)
    await expect(running).rejects.toThrow('ECONNRESET')
    await Promise.resolve()
    socket().destroy(reset)
    await expect(sent).rejects.toThrow('CONNECTION_CLOSED')
    expect(await one(sql)).toBe(1)
    await sql.end({ timeout: 1 })
  })

  test('no further statement of the transaction is executed, also when the connection is open again', async () => {
    const { sql, disconnect } = driver()
    await database.sql`create table names (name text)`
    const isOpenAgain = Promise.withResolvers<void>()
    const outcome = Promise.withResolvers<unknown>()
    const interrupted = transaction(sql, async (tx) => {
      await tx`insert into names values ('interrupted, first')`
      disconnect()
      await isOpenAgain.promise
      await tx`insert into names values ('interrupted, second')`.then(
        outcome.resolve,
        outcome.resolve,
      )
      throw new Error('rolls back')
    })
    await expect(interrupted).rejects.toThrow('does not answer')
    await transaction(sql, async (tx) => {
      await tx`insert into names values ('other, first')`
      isOpenAgain.resolve()
      expect(await outcome.promise).toMatchObject({ code: 'CONNECTION_CLOSED' })
      await tx`insert into names values ('other, second')`
    })
    const names = await database.sql<{ name: string }[]>`select name from names`
    expect(names.map(({ name }) => name)).toEqual(['other, first', 'other, second'])
    await sql.end({ timeout: 1 })
  })

  test('the statements of the transaction that waited for their turn fail as well', async () => {
    const { sql, disconnect } = driver()
    const outcomes = Promise.withResolvers<PromiseSettledResult<unknown>[]>()
    const transacted = transaction(sql, async (tx) => {
      const statements = [1, 2, 3].map((n) => tx`select pg_sleep(60), ${n}::int`.execute())
      await until(async () => (await sleeping()) > 0)
      disconnect()
      outcomes.resolve(await Promise.allSettled(statements))
    })
    await expect(transacted).rejects.toThrow('does not answer')
    expect((await outcomes.promise).map(({ status }) => status)).toEqual(Array(3).fill('rejected'))
    await sql.end({ timeout: 1 })
  })

  test('while it opens, only the statement that waits for it fails', async () => {
    const { sql, onWrite, socket } = driver()
    onWrite((text) => {
      // Before its first statement, a connection reads the types of arrays.
      if (text.includes('pg_catalog.pg_type')) socket().destroy(connectionReset())
    })
    // The error of the driver's own statement, which nobody handles, would end the test as well.
    await expect(one(sql)).rejects.toThrow('The database does not answer')
    onWrite(() => {})
    expect(await one(sql)).toBe(1)
    await sql.end({ timeout: 1 })
  })
})

describe('A server that closes each new connection', () => {
  /** What a server that is starting sends: FATAL, 57P03. */
  const startingUp = Buffer.from('E\0\0\0\x28SFATAL\0C57P03\0Mthe database starts\0\0', 'latin1')

  /** A server that sends `reply` to each new connection and closes it. */
  async function closingServer(reply: Buffer) {
    const connections: Socket[] = []
    const server = createServer((socket) => {
      connections.push(socket)
      socket.end(reply)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const address = { host: '127.0.0.1', port, database: 'any', username: 'any', password: 'any' }
    return { address, connections, close: () => server.close() }
  }

  const replies = {
    'a proxy without a database': Buffer.alloc(0),
    'a server that is starting': startingUp,
  }

  test.each(Object.entries(replies))('is not asked again for a statement: %s', async (_, reply) => {
    const { address, connections, close } = await closingServer(reply)
    const sql = connect(address, { name: 'tidings outage test', max: 1 })
    const attempts = [one(sql), one(sql), one(sql)]
    for (const attempt of attempts) await expect(attempt).rejects.toThrow('does not answer')
    expect(connections).toHaveLength(3)
    await sql.end({ timeout: 1 })
    close()
  })

  test.each(Object.entries(replies))(
    'is asked ever less often for notifications: %s',
    async (_, reply) => {
      const { address, close } = await closingServer(reply)
      const attempts: number[] = []
      const backoff = (attempt: number) => {
        attempts.push(attempt)
        return 0
      }
      const sql = postgres({ ...address, max: 1, backoff })
      const listening = sql.listen('news', () => {})
      await expect(listening).rejects.toThrow()
      await until(async () => attempts.length > 4)
      expect(attempts.slice(0, 5)).toEqual([1, 2, 3, 4, 5])
      await sql.end({ timeout: 1 })
      close()
    },
  )
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
