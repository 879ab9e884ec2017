import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { type EmbeddedPostgres, openEmbedded } from './embedded-postgres/index.ts'
import { connect, type DatabaseAddress } from './lib/db.ts'
import { migrate } from './lib/migrate.ts'

export interface Database {
  address: DatabaseAddress
  /** Null when the operator runs PostgreSQL. */
  embedded: EmbeddedPostgres | null
  /** Names of the migrations that opening it has applied. */
  migrated: readonly string[]
  close(): Promise<void>
}

const migrations = fileURLToPath(new URL('./migrations', import.meta.url))

/** The database of the configuration, started where it is ours to start, and migrated. */
export async function openDatabase(config: Config, log: Logger): Promise<Database> {
  if (config.databaseUrl !== null) {
    const migrated = await migrateAt(config.databaseUrl, log)
    return { address: config.databaseUrl, embedded: null, migrated, close: async () => {} }
  }
  const embedded = await openEmbedded({ dataDir: config.dataDir, log })
  try {
    const migrated = await migrateAt(embedded.connection, log)
    return { address: embedded.connection, embedded, migrated, close: () => embedded.close() }
  } catch (error) {
    await embedded.close()
    throw error
  }
}

async function migrateAt(address: DatabaseAddress, log: Logger): Promise<string[]> {
  const sql = connect(address, { name: 'tidings migrate', max: 1 })
  try {
    const applied = await migrate(sql, migrations)
    if (applied.length > 0) log.info({ applied }, 'database migrated')
    return applied
  } finally {
    await sql.end({ timeout: 5 })
  }
}
