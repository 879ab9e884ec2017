import { afterAll, beforeAll, expect, test } from 'bun:test'
import { getDatabaseState } from '../../../src/lib/database/database-health.ts'
import {
  connect,
  endDatabaseSessions,
  type Sql,
  type Tx,
  transaction,
} from '../../../src/lib/database/db.ts'
import { AppError } from '../../../src/lib/errors.ts'
import { createDatabase, type TestDatabase } from '../../support/database/database.ts'

let database: TestDatabase
let sql: Sql

beforeAll(async () => {
  database = await createDatabase()
  sql = database.sql
  await sql`create table rows_to_change (id integer primary key, changes integer not null default 0)`
  await sql`insert into rows_to_change (id) values (1), (2)`
})

afterAll(() => database.drop())

/** What a failed transaction says; `undefined` when it succeeds. */
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error
      return { code: error.code, message: error.message, retry: error.details.retryAfterSeconds }
    },
  )

const changesOf = async (id: number) =>
  (await sql<{ changes: number }[]>`select changes from rows_to_change where id = ${id}`)[0]
    ?.changes

const change = (tx: Tx, id: number) =>
  tx`update rows_to_change set changes = changes + 1 where id = ${id}`

test('only lib/database/db.ts starts transactions', async () => {
  const found: string[] = []
  for await (const path of new Bun.Glob('src/**/*.{ts,tsx}').scan()) {
    if (/\bsql\.begin\(/.test(await Bun.file(path).text())) found.push(path)
  }
  expect(found).toEqual(['src/lib/database/db.ts'])
})

test('a transaction whose deadline passes says that nothing was stored, and nothing is stored later', async () => {
  const release = Promise.withResolvers<void>()
  const running = transaction(
    sql,
    async (tx) => {
      await change(tx, 1)
      await release.promise
      await change(tx, 2)
    },
    50,
  )
  const failure = await failureOf(running)
  release.resolve()
  expect(failure).toEqual({
    code: 'database_unavailable',
    message: 'The database does not answer at the moment. Nothing was stored; try again shortly.',
    retry: 2,
  })
  // A later transaction on both rows waits until the first one has ended.
  await sql`select id from rows_to_change order by id for update`
  expect([await changesOf(1), await changesOf(2)]).toEqual([0, 0])
})

test('a transaction whose deadline passes during the commit says that the change may have been stored', async () => {
  await sql`create table slow_to_commit (id integer primary key)`
  await sql`
    create function sleep() returns trigger language plpgsql as
      $$ begin perform pg_sleep(0.5); return null; end $$`
  await sql`
    create constraint trigger at_commit after insert on slow_to_commit
      deferrable initially deferred for each row execute function sleep()`
  const running = transaction(
    sql,
    async (tx) => {
      await tx`insert into slow_to_commit (id) values (1)`
    },
    200,
  )
  expect((await failureOf(running))?.message).toContain('A change may have been stored')
})

test('transactions that lock the same rows in opposite orders are retried and both succeed', async () => {
  const bothHaveOne = Promise.withResolvers<void>()
  let waiting = 0
  const changeBoth = (first: number, second: number) =>
    transaction(sql, async (tx) => {
      await change(tx, first)
      if (++waiting === 2) bothHaveOne.resolve()
      await bothHaveOne.promise
      await change(tx, second)
    })
  await Promise.all([changeBoth(1, 2), changeBoth(2, 1)])
  expect([await changesOf(1), await changesOf(2)]).toEqual([2, 2])
  expect(waiting).toBeGreaterThan(2)
})

test('a transaction inside another one is part of it and is rolled back with it', async () => {
  const outer = transaction(sql, async (tx) => {
    await transaction(tx, async (inner) => {
      await change(inner, 1)
    })
    throw new AppError('not_found', 'stop')
  })
  expect((await failureOf(outer))?.code).toBe('not_found')
  expect(await changesOf(1)).toBe(2)
})

test('a read-only database is reported with the time to retry, and is used again once it is writable', async () => {
  const pool = connect(database.address, { name: 'tidings read-only test', max: 3 })
  const [{ name } = { name: '' }] = await sql<{ name: string }[]>`select current_database() as name`
  const write = () =>
    transaction(pool, async (tx) => {
      await change(tx, 1)
    })
  await write()
  await sql`alter database ${sql(name)} set default_transaction_read_only = on`
  await endDatabaseSessions(pool)
  expect(await failureOf(write())).toEqual({
    code: 'database_unavailable',
    message: 'The database is read-only at the moment. Nothing was stored; try again shortly.',
    retry: 2,
  })
  expect(await getDatabaseState(pool)).toBe('database_read_only')
  // The service ends the idle sessions whose names begin with `tidings`, at a moment of its own.
  const operator = connect(database.address, { name: 'operator', max: 1 })
  await operator`set default_transaction_read_only = off`
  await operator`alter database ${sql(name)} reset default_transaction_read_only`
  await operator.end()
  // The first attempts can meet a session that is just being ended.
  while (await failureOf(write()));
  expect(await getDatabaseState(pool)).toBe('ready')
  await pool.end({ timeout: 1 })
})

test('a database whose host name is not found is unavailable', async () => {
  const address = {
    host: 'database.invalid',
    port: 5432,
    database: 'a',
    username: 'a',
    password: '',
  }
  const pool = connect(address, { name: 'tidings test', max: 1 })
  const failure = await failureOf(transaction(pool, async (tx) => await tx`select 1`))
  expect(failure?.code).toBe('database_unavailable')
  await pool.end({ timeout: 1 })
})
