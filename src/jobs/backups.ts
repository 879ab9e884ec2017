import { join } from 'node:path'
import type { Logger } from 'pino'
import packageJson from '../../package.json' with { type: 'json' }
import type { Config } from '../config/index.ts'
import {
  type BackupDestination,
  backupJob,
  folderDestination,
  isBackupAbandoned,
  s3Destination,
  writeScheduledBackup,
} from '../features/backups/index.ts'
import type { ImageStorage } from '../features/images/index.ts'
import type { Now } from '../lib/clock.ts'
import type { Sql } from '../lib/database/db.ts'
import type { JobQueue } from '../lib/queue/index.ts'

interface BackupScheduleDeps {
  config: Config
  queue: JobQueue
  sql: Sql
  now: Now
  log: Logger
  secret: string
  storage: ImageStorage
}

// A large backup takes long; the heartbeat detects a dead process sooner.
const jobOptions = { expireInSeconds: 12 * 3_600, heartbeatSeconds: 60 }

/**
 * Writes a backup at every interval (UTC), in one of all processes with BACKUP_TO. Another process can have
 * it, so one without it ends the schedule only when nobody takes its jobs.
 */
export async function scheduleBackups(deps: BackupScheduleDeps): Promise<void> {
  const { config, queue, sql, now, log, secret, storage } = deps
  const { backup, backupPassphrase: passphrase } = config
  const destination = backupDestinationOf(config)
  await queue.schedule('purge-backup-schedule', '17 * * * *', async () => {
    const mayEnd = backup === null && (await isBackupAbandoned(sql))
    if (mayEnd) await queue.unschedule(backupJob)
  })
  if (backup === null || destination === null) return
  const onMissingFile = (file: string) => log.warn({ file }, 'an image is missing in the backup')
  const { version } = packageJson
  const cron = `7 */${backup.everyHours} * * *`
  await queue.schedule(
    backupJob,
    cron,
    async () => {
      const work = { sql, now, secret, passphrase, version, storage, onMissingFile }
      const name = await writeScheduledBackup(work, { destination, keep: backup.keep })
      log.info({ backup: name }, 'backup written')
    },
    jobOptions,
  )
}

/** Where scheduled backups are kept, as the configuration says; null without BACKUP_TO. */
export function backupDestinationOf({ backup, dataDir }: Config): BackupDestination | null {
  if (backup === null) return null
  const { to } = backup
  if (typeof to === 'string') return folderDestination(to)
  return s3Destination(to.bucket, { prefix: to.prefix, scratch: join(dataDir, 'backup-scratch') })
}
