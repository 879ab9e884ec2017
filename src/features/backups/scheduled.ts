import type { BackupDestination } from './destination.ts'
import { type BackupDeps, writeBackup } from './write.ts'

const isBackup = (name: string) => /^tidings-[0-9TZ-]+\.backup$/.test(name)

/** Writes a backup and deletes the oldest ones, so that `keep` stay. Returns its name. */
export async function writeScheduledBackup(
  deps: BackupDeps,
  { destination, keep }: { destination: BackupDestination; keep: number },
): Promise<string> {
  const name = `tidings-${deps.now().toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`
  await destination.create(name, (path) => writeBackup(deps, path))
  // The names contain the time, so that their order is that of the backups.
  const names = (await destination.list()).filter(isBackup).toSorted()
  for (const old of names.slice(0, -keep)) await destination.delete(old)
  return name
}
