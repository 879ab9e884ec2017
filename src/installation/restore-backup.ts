import type { Logger } from 'pino'
import type { Config } from '../config/index.ts'
import {
  BackupError,
  decryptSecret,
  type Header,
  loadBackup,
  readHeader,
  requireEmpty,
  requireUnusedDatabase,
} from '../features/backups/index.ts'
import type { ImageStorage } from '../features/images/index.ts'
import { connect, type DatabaseAddress } from '../lib/database/db.ts'
import { withQueues } from '../lib/queue/index.ts'
import { loadSecret, promoteNextSecret, saveNextSecret } from '../lib/secrets/secret-file.ts'
import { imageStorageOf } from './image-storage.ts'
import { openDatabase } from './open-database.ts'

export interface Restored {
  header: Header
  /** The number of rows of each table; `jobs` is the number of jobs. */
  rows: Record<string, number>
}

/**
 * Restores a backup into the empty installation of the configuration, and migrates it to this
 * version. Throws an error that says what to do when that is impossible; the installation is still
 * empty then.
 */
export async function restoreBackup(config: Config, log: Logger, path: string): Promise<Restored> {
  const header = await readHeader(path)
  const secret = await decryptSecret(header, config.backupPassphrase)
  if (secret !== null && config.secret !== null && secret !== config.secret) {
    throw new BackupError(
      'TIDINGS_SECRET is not the secret of this backup: remove it, or set it to the right one.',
    )
  }
  const database = await openDatabase(config, log, { lastMigration: header.migration })
  try {
    const backup = { path, storage: imageStorageOf(config) }
    const isNew =
      secret !== null && config.secret === null && secret !== (await loadSecret(config.dataDir))
    // Until the rows are stored, the present secret stays; after a crash, `requireSecret` takes the right one.
    const rows = await load(database.address, header, backup, async () => {
      if (isNew) await saveNextSecret(config.dataDir, secret)
    })
    if (isNew) await promoteNextSecret(config.dataDir)
    await database.migrate()
    return { header, rows }
  } finally {
    await database.close()
  }
}

async function load(
  address: DatabaseAddress,
  { queues, migration }: Header,
  backup: { path: string; storage: ImageStorage },
  onReady: () => Promise<void>,
): Promise<Restored['rows']> {
  const sql = connect(address, { name: 'tidings restore', max: 1 })
  try {
    await requireEmpty(sql, migration)
    await requireUnusedDatabase(sql)
    await onReady()
    return await withQueues(address, queues, (insertJobs) => loadBackup(sql, backup, insertJobs))
  } finally {
    await sql.end({ timeout: 5 })
  }
}
