import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { S3Client } from 'bun'
import type { S3Settings } from '../images/index.ts'

/** Where scheduled backups are kept. */
export interface BackupDestination {
  /** Stores a backup that `write` writes to a path. It is listed when it is complete. */
  create(name: string, write: (path: string) => Promise<unknown>): Promise<void>
  /** The names of all files there. */
  list(): Promise<string[]>
  delete(name: string): Promise<void>
}

/** Backups in a folder, which is created. */
export function folderDestination(folder: string): BackupDestination {
  return {
    async create(name, write) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await write(join(folder, name))
    },
    list: () => readdir(folder),
    delete: (name) => rm(join(folder, name), { force: true }),
  }
}

const maxListed = 1000

/** Backups in a bucket below `prefix`. Each is first written to a file in `scratch`. */
export function s3Destination(
  { endpoint, region, ...settings }: S3Settings,
  { prefix, scratch }: { prefix: string; scratch: string },
): BackupDestination {
  const client = new S3Client({
    ...settings,
    ...(endpoint && { endpoint }),
    ...(region && { region }),
  })
  return {
    async create(name, write) {
      const path = join(scratch, name)
      await mkdir(scratch, { recursive: true, mode: 0o700 })
      try {
        await write(path)
        await client.write(prefix + name, Bun.file(path))
      } finally {
        await rm(path, { force: true })
      }
    },
    async list() {
      const { contents = [] } = await client.list({ prefix, maxKeys: maxListed })
      return contents.map(({ key }) => key.slice(prefix.length))
    },
    delete: (name) => client.delete(prefix + name),
  }
}
