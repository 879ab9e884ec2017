import { connect, type DatabaseAddress, type Sql } from '../../src/lib/database/db.ts'
import { currentRun, databaseOn } from './test-run.ts'

export interface TestDatabase {
  address: DatabaseAddress
  sql: Sql
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

/** A database that no Tidings has used yet. */
export const createEmptyDatabase = (): Promise<TestDatabase> => cloneDatabase('template1')

async function cloneDatabase(source: string, connections?: number): Promise<TestDatabase> {
  const { admin, address, template } = await server()
  const clone = `${template}_${process.pid}_${++cloned}`
  // Copying the files takes a tenth of the time of the default, which writes them to the log.
  await admin`create database ${admin(clone)} template ${admin(source)} strategy file_copy`
  const own = databaseOn(address, clone)
  const sql = connect(own, {
    name: 'tidings test',
    ...withoutTimeLimits,
    ...(connections && { max: connections }),
  })
  return {
    address: own,
    sql,
    async drop() {
      await sql.end({ timeout: 1 })
      await admin`drop database if exists ${admin(clone)} with (force)`
    },
  }
}

/** Closes the connection that creates databases, which would keep a program other than `bun test` alive. */
export async function closeServer(): Promise<void> {
  if (connected) await (await connected).admin.end({ timeout: 1 })
}
