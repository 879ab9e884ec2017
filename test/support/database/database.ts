import { keyBatchSession, keyCheckSession } from '../../../src/features/api-keys/index.ts'
import { connect, type DatabaseAddress, type Sql } from '../../../src/lib/database/db.ts'
import { currentRun, databaseOn } from '../run/test-run.ts'
import { emptyDatabase, readFirstState } from './empty-database.ts'

export interface TestDatabase {
  address: DatabaseAddress
  sql: Sql
  /** The pool that checks API keys. */
  keyCheckSql: Sql
  ingestSql: Sql
  drop(): Promise<void>
}

let connected: Promise<{ admin: Sql; address: DatabaseAddress; template: string }> | undefined

function server() {
  connected ??= currentRun().then(({ address, template }) => ({
    admin: connect(address, { name: 'tidings tests', max: 1, ...withoutTimeLimits }),
    address,
    template,
  }))
  return connected
}

/** Options of pools whose connections and statements may take as long as a busy machine needs. */
export const withoutTimeLimits = {
  connectTimeoutSeconds: 250,
  session: { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 },
}

let cloned = 0

/**
 * A fresh, migrated database of its own: a clone of the run's template. `connections` limits the pool
 * of `sql`, as `rowsRead` needs it.
 */
export const createDatabase = async (connections?: number): Promise<TestDatabase> =>
  await cloneDatabase((await server()).template, connections)

/** Empty databases of tests that are over, with the connections of their pools. */
const reusable: TestDatabase[] = []

// Every connection prepares the statements that it executes, which takes longer than to execute them.
const connectionsOfTests = 3

/**
 * Like `createDatabase`, or the database of an earlier test of this process, emptied. Its connections have
 * prepared most statements already.
 */
export async function reuseDatabase(): Promise<TestDatabase> {
  const used = reusable.pop()
  if (used) return used
  const database = await createDatabase(connectionsOfTests)
  const first = await readFirstState(database.sql)
  const again: TestDatabase = {
    ...database,
    async drop() {
      const isEmpty = await emptyDatabase(database.sql, first).catch(() => false)
      if (isEmpty) reusable.push(again)
      else await database.drop()
    },
  }
  return again
}

/** The pools of a service, without its time limits. */
export const connectPools = (address: DatabaseAddress, connections?: number) => ({
  sql: connect(address, {
    name: 'tidings test',
    ...withoutTimeLimits,
    ...(connections && { max: connections }),
  }),
  keyCheckSql: connect(address, {
    name: 'tidings test key checks',
    ...withoutTimeLimits,
    session: { ...keyCheckSession, ...withoutTimeLimits.session },
  }),
  ingestSql: connect(address, {
    name: 'tidings test ingest',
    ...withoutTimeLimits,
    session: { ...keyBatchSession, ...withoutTimeLimits.session },
  }),
})

type Pools = ReturnType<typeof connectPools>

export const closePools = ({ sql, keyCheckSql, ingestSql }: Pools) =>
  Promise.all([sql, keyCheckSql, ingestSql].map((pool) => pool.end({ timeout: 1 })))

/** A database that no Tidings has used yet. */
export const createEmptyDatabase = (): Promise<TestDatabase> => cloneDatabase('template1')

async function cloneDatabase(source: string, connections?: number): Promise<TestDatabase> {
  const { admin, address, template } = await server()
  const clone = `${template}_${process.pid}_${++cloned}`
  // Copying the files takes a tenth of the time of the default, which writes them to the log.
  await admin`create database ${admin(clone)} template ${admin(source)} strategy file_copy`
  const own = databaseOn(address, clone)
  const pools = connectPools(own, connections)
  return {
    address: own,
    ...pools,
    async drop() {
      await closePools(pools)
      await admin`drop database if exists ${admin(clone)} with (force)`
    },
  }
}

/** Closes all connections, which would keep a program other than `bun test` alive. */
export async function closeServer(): Promise<void> {
  await Promise.all(reusable.splice(0).map(closePools))
  if (connected) await (await connected).admin.end({ timeout: 1 })
}
