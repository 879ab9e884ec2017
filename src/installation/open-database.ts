import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from '../config/index.ts'
import { type EmbeddedPostgres, openEmbedded } from '../embedded-postgres/index.ts'
import { connect, type DatabaseAddress } from '../lib/database/db.ts'
import { migrate } from '../lib/database/migrate.ts'
import { requireUsableDatabase } from '../lib/database/require-database.ts'

export interface Database {
  address: DatabaseAddress
  /** Null when the operator runs PostgreSQL. */
  embedded: EmbeddedPostgres | null
  /** Names of the migrations that were applied when it was opened. */
  migrated: readonly string[]
  /** Applies the migrations after `lastMigration`. */
  migrate(): Promise<readonly string[]>
  close(): Promise<void>
}

/**
 * The connections of one process (DB_POOL) by use: `keyChecks` checks keys and rate limits, `ingest` does
 * so and stores blocks, `queue` is for jobs, `main` for everything else.
 */
export function poolSizes(total: number) {
  const [queue, ingest] = total < 12 ? [2, 1] : [4, 2]
  const checks = Math.min(10, Math.floor((total - queue) / 2))
  return { main: total - queue - checks, keyChecks: checks - ingest, ingest, queue }
}

const migrations = fileURLToPath(new URL('../migrations', import.meta.url))

/**
 * The database of the configuration, migrated to the newest migration or to `lastMigration`. Starts
 * the embedded PostgreSQL when DATABASE_URL is not set.
 */
export async function openDatabase(
  config: Config,
  log: Logger,
  { lastMigration }: { lastMigration?: number } = {},
): Promise<Database> {
  const embedded =
    config.databaseUrl === null ? await openEmbedded({ dataDir: config.dataDir, log }) : null
  const close = async () => await embedded?.close()
  try {
    if (config.databaseUrl !== null) await requireUsableDatabase(config.databaseUrl)
    const address = embedded?.connection ?? config.databaseUrl ?? ''
    const migrated = await migrateAt(address, log, lastMigration)
    return { address, embedded, migrated, migrate: () => migrateAt(address, log), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function migrateAt(
  address: DatabaseAddress,
  log: Logger,
  lastMigration?: number,
): Promise<string[]> {
  const sql = connect(address, { name: 'tidings migrate', max: 1 })
  try {
    const applied = await migrate(sql, migrations, lastMigration)
    if (applied.length > 0) log.info({ applied }, 'database migrated')
    return applied
  } finally {
    await sql.end({ timeout: 5 })
  }
}
