import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openEmbedded } from '../../src/embedded-postgres/index.ts'
import { connect, type DatabaseAddress, type Sql } from '../../src/lib/db.ts'
import { createLog } from '../../src/lib/log.ts'
import { migrate } from '../../src/lib/migrate.ts'

/** The folder of the migrations, for tests that apply them. */
const migrationsFolder = fileURLToPath(new URL('../../src/migrations', import.meta.url))

interface Server {
  address: DatabaseAddress
  close(): Promise<void>
}

/** The PostgreSQL that tests run on: the one in `DATABASE_URL`, or an embedded one for this run. */
async function startServer(): Promise<Server> {
  const given = process.env['DATABASE_URL']
  if (given) return { address: given, close: async () => {} }
  const dataDir = await mkdtemp(join(tmpdir(), 'tidings-test-'))
  // Under root, PostgreSQL's own user has to get in, or the data would be kept elsewhere.
  await chmod(dataDir, 0o711)
  const embedded = await openEmbedded({ dataDir, log: createLog('silent') })
  return {
    address: embedded.connection,
    async close() {
      await embedded.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The same server, another database. */
function databaseOn(address: DatabaseAddress, database: string): DatabaseAddress {
  if (typeof address !== 'string') return { ...address, database }
  const url = new URL(address)
  url.pathname = `/${database}`
  return url.toString()
}

let template: Promise<{ admin: Sql; server: Server; name: string }> | undefined

/** Migrates one template database per test run; clones of it take about 0.1 s. */
function migratedTemplate() {
  template ??= (async () => {
    const server = await startServer()
    const admin = connect(server.address, { name: 'tidings tests', max: 1 })
    const name = `tidings_template_${process.pid}`
    await admin`drop database if exists ${admin(name)} with (force)`
    await admin`create database ${admin(name)}`
    const sql = connect(databaseOn(server.address, name), { name: 'tidings tests', max: 1 })
    await migrate(sql, migrationsFolder)
    await sql.end()
    return { admin, server, name }
  })()
  return template
}

export interface TestDatabase {
  address: DatabaseAddress
  sql: Sql
  drop(): Promise<void>
}

let cloned = 0

/** A fresh, migrated database of its own. */
export async function createDatabase(): Promise<TestDatabase> {
  const { admin, server, name } = await migratedTemplate()
  const clone = `tidings_test_${process.pid}_${++cloned}`
  await admin`create database ${admin(clone)} template ${admin(name)}`
  const own = databaseOn(server.address, clone)
  const sql = connect(own, { name: 'tidings test' })
  return {
    address: own,
    sql,
    async drop() {
      await sql.end({ timeout: 1 })
      await admin`drop database if exists ${admin(clone)} with (force)`
    },
  }
}

/** Leaves nothing behind; for the end of the run. */
export async function closeServer(): Promise<void> {
  if (!template) return
  const { admin, server, name } = await template
  await admin`drop database if exists ${admin(name)} with (force)`
  await admin.end({ timeout: 1 })
  await server.close()
}
