import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectToBucket, listObjects, type S3Settings } from '../../lib/outbound/s3.ts'
import { folderError, storeError } from './destination-error.ts'

/** Where scheduled backups are kept. Its functions throw `BackupError` when that is not possible. */
export interface BackupDestination {
  /** Stores a backup that `write` writes to a path. It is listed when it is complete. */
  create(name: string, write: (path: string) => Promise<unknown>): Promise<void>
  /** The names of all files there. */
  list(): Promise<string[]>
  delete(name: string): Promise<void>
  /** Writes a small file and deletes it. Throws when that is impossible. */
  requireWritable(): Promise<void>
}

const probeName = 'tidings-write-test'

// A backup that is being written grows all the time.
const maxPauseMs = 10 * 60_000

/**
 * Deletes the files of backups that the end of a process has interrupted, and not those that another process
 * writes meanwhile.
 */
async function deleteInterrupted(folder: string, names: RegExp): Promise<void> {
  const found = (await readdir(folder)).filter((name) => names.test(name))
  for (const path of found.map((name) => join(folder, name))) {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (Date.now() - mtimeMs > maxPauseMs) await rm(path, { force: true })
  }
}

/** Backups in a folder, which is created. */
export function folderDestination(folder: string): BackupDestination {
  const create = () => mkdir(folder, { recursive: true, mode: 0o700 })
  return {
    async create(name, write) {
      await create().catch(folderError)
      await deleteInterrupted(folder, /^tidings-[\dTZ-]+\.backup\.incomplete$/).catch(folderError)
      await write(join(folder, name)).catch(folderError)
    },
    list: () => readdir(folder).catch(folderError),
    delete: (name) => rm(join(folder, name), { force: true }).catch(folderError),
    async requireWritable() {
      await create().catch(folderError)
      await writeFile(join(folder, probeName), 'test').catch(folderError)
      await rm(join(folder, probeName)).catch(folderError)
    },
  }
}

/** Backups in a bucket below `prefix`. Each is first written to a file in `scratch`. */
export function s3Destination(
  settings: S3Settings,
  { prefix, scratch }: { prefix: string; scratch: string },
): BackupDestination {
  const client = connectToBucket(settings)
  return {
    async create(name, write) {
      const path = join(scratch, name)
      await mkdir(scratch, { recursive: true, mode: 0o700 })
      await deleteInterrupted(scratch, /^tidings-[\dTZ-]+\.backup(?:\.incomplete)?$/)
      try {
        await write(path)
        // The file is open until all is sent: also without its name, it stays complete.
        await client.write(prefix + name, Bun.file(path)).catch(storeError)
      } finally {
        await rm(path, { force: true })
      }
    },
    async list() {
      const objects = await Array.fromAsync(listObjects(client, prefix)).catch(storeError)
      return objects.map(({ key }) => key.slice(prefix.length))
    },
    delete: (name) => client.delete(prefix + name).catch(storeError),
    async requireWritable() {
      await client.write(prefix + probeName, 'test').catch(storeError)
      await client.delete(prefix + probeName).catch(storeError)
    },
  }
}
