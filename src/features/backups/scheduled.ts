import type { BackupDestination } from './destination.ts'
import { BackupError } from './format.ts'
import { type BackupDeps, writeBackup } from './write.ts'

const backupName = /^tidings-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/

const nameAt = (at: Date) => `tidings-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`

/** The time in the name of a backup, or null for another file. */
function backupTimeOf(name: string): Date | null {
  const [, day, hours, minutes, seconds] = backupName.exec(name) ?? []
  return day === undefined ? null : new Date(`${day}T${hours}:${minutes}:${seconds}Z`)
}

/**
 * Writes a backup and deletes the oldest ones, so that `keep` stay. Nothing is deleted before the new
 * one is listed at the destination, and the new one is never deleted, even when the clock was set back.
 * Returns its name.
 */
export async function writeScheduledBackup(
  deps: BackupDeps,
  { destination, keep }: { destination: BackupDestination; keep: number },
): Promise<string> {
  const name = nameAt(deps.now())
  await destination.create(name, (path) => writeBackup(deps, path))
  const names = await listBackups(destination)
  if (!names.includes(name)) {
    throw new BackupError('The backup was written, but its destination does not list it.')
  }
  const others = names.filter((other) => other !== name)
  for (const old of others.slice(0, Math.max(0, others.length - keep + 1))) {
    await destination.delete(old)
  }
  return name
}

/** When the newest backup at a destination was written, by its name; null when there is none. */
export async function findNewestBackup(destination: BackupDestination): Promise<Date | null> {
  return backupTimeOf((await listBackups(destination)).at(-1) ?? '')
}

/** The names contain the time, so that their order is that of the backups. */
const listBackups = async (destination: BackupDestination): Promise<string[]> =>
  (await destination.list()).filter((name) => backupName.test(name)).toSorted()
