import { hourMs } from '../../lib/clock.ts'
import { toReason } from '../../lib/text/reason.ts'
import { type BackupDestination, findNewestBackup, getBackupState } from '../backups/index.ts'
import type { HealthCheckContext } from './context.ts'
import { type Finding, failing, ok, warning } from './finding.ts'
import { existsQueue } from './sql.ts'

const check = 'Backups'
const readReason = 'Read the reason under Settings → Jobs, correct the cause, and retry the job.'
const writeNow = 'Write one now: npx bun run tidings backup FILE'

/** Whether the destination of scheduled backups can be written, and how old the newest backup is. */
export async function checkBackups(ctx: HealthCheckContext): Promise<Finding[]> {
  const { sql, settings } = ctx
  const { backup, hasOwnDatabase } = settings
  if (backup === null) {
    return hasOwnDatabase
      ? [
          ok(
            check,
            'BACKUP_TO is not set: back up the database, the images and the secret yourself.',
          ),
        ]
      : [warning(check, 'No backups are written.', 'Set BACKUP_TO and BACKUP_PASSPHRASE.')]
  }
  const problem = await destinationProblem(backup.destination)
  if (problem !== null) {
    return [failing(check, problem, 'Until this is corrected, no backup is written.')]
  }
  const findings = [await checkAge(ctx, backup)]
  if (await existsQueue(sql)) {
    const { failures, reason } = await getBackupState(sql)
    if (failures > 0) {
      const message = `The last backup failed: ${toReason(reason ?? 'its process ended')}`
      findings.push(failing(check, message, readReason))
    } else if (reason !== null) {
      const message = `A backup is tried again: ${toReason(reason)}`
      findings.push(warning(check, message, 'Correct the cause; the job is retried by itself.'))
    }
  }
  return findings
}

async function destinationProblem(destination: BackupDestination): Promise<string | null> {
  try {
    await destination.requireWritable()
    return null
  } catch (error) {
    return toReason(error instanceof Error ? error.message : 'The destination cannot be written.')
  }
}

async function checkAge(
  { now }: HealthCheckContext,
  { destination, everyHours }: { destination: BackupDestination; everyHours: number },
): Promise<Finding> {
  const newest = await findNewestBackup(destination)
  if (newest === null) {
    const message = `There is no backup yet. The first one is written within ${everyHours} h.`
    return warning(check, message, writeNow)
  }
  const hours = Math.floor((now().getTime() - newest.getTime()) / hourMs)
  const message = `The newest backup is ${hours} h old.`
  // One missed backup is retried; two mean that nobody writes them.
  return hours < 2 * everyHours
    ? ok(check, message)
    : failing(check, message, 'Start a process with ROLE=worker or ROLE=all, or read its log.')
}
