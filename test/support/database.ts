import { fileURLToPath } from 'node:url'
import { connect, type DatabaseAddress, type Sql } from '../../src/lib/db.ts'
import { migrate } from '../../src/lib/migrate.ts'

/** The folder of the migrations, for tests that apply them. */
export const migrationsFolder = fileURLToPath(new URL('../../src/migrations', import.meta.url))

/** The PostgreSQL that tests run on: a given one. */
async function server(): Promise<DatabaseAddress> {
  const given = process.env['DATABASE_URL']
  if (given) return given
  throw new Error('Set DATABASE_URL')
}

/** The same server, another database. */
function databaseOn(address: DatabaseAddress, database: string): DatabaseAddress {
  if (typeof address !== 'string') return { ...address, database }
  const url = new URL(address)
  url.pathname = `/${database}`
  return url.toString()
}

let template: Promise<{ admin: Sql; address: DatabaseAddress; name: string }> | undefined

/** Migrates one template database per test run; clones of it take about 0.1 s. */
function migratedTemplate() {
  template ??= (async () => {
    const address = await server()
    const admin = connect(address, { name: 'tidings tests', max: 1 })
    const name = `tidings_template_${process.pid}`
    await admin`drop database if exists ${admin(name)} with (force)`
    await admin`create database ${admin(name)}`
    const sql = connect(databaseOn(address, name), { name: 'tidings tests', max: 1 })
    await migrate(sql, migrationsFolder)
    await sql.end()
    return { admin, address, name }
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
  const { admin, address, name } = await migratedTemplate()
  const clone = `tidings_test_${process.pid}_${++cloned}`
  await admin`create database ${admin(clone)} template ${admin(name)}`
  const own = databaseOn(address, clone)
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

/** Drops what the run left on the server; for the end of the run. */
export async function dropTemplate(): Promise<void> {
  if (!template) return
  const { admin, name } = await template
  await admin`drop database if exists ${admin(name)} with (force)`
  await admin.end({ timeout: 1 })
}
