import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { dayMs } from '../../../lib/clock.ts'

/** A file of the storage. */
export interface StoredFile {
  name: string
  modifiedAt: Date
}

/** The storage of image files. A file is either complete or not there. */
export interface ImageStorage {
  /** Stores a file. An existing file with the same name has the same content and stays. */
  write(name: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** The content of a file, or null. */
  read(name: string): Promise<Uint8Array<ArrayBuffer> | null>
  delete(name: string): Promise<void>
  /** All files, in no particular order. */
  list(): AsyncIterable<StoredFile>
}

const incomingPrefix = 'incoming-'
const abandonedAfterMs = dayMs

/** Images in a folder, in subfolders by the first two characters of their names. */
export function folderStorage(folder: string): ImageStorage {
  const folderOf = (name: string) => join(folder, name.slice(0, 2))
  const pathOf = (name: string) => join(folderOf(name), name)
  return {
    async write(name, bytes) {
      if (await Bun.file(pathOf(name)).exists()) return
      await mkdir(folderOf(name), { recursive: true, mode: 0o700 })
      // A file gets its name only when all of it is on the disk.
      const incoming = join(folderOf(name), `${incomingPrefix}${Bun.randomUUIDv7()}`)
      await writeToDisk(incoming, bytes)
      await rename(incoming, pathOf(name))
    },
    async read(name) {
      const file = Bun.file(pathOf(name))
      return (await file.exists()) ? await file.bytes() : null
    },
    delete: (name) => rm(pathOf(name), { force: true }),
    async *list() {
      for (const name of await filesIn(folder)) {
        const path = join(folder, name)
        const { mtime: modifiedAt } = await stat(path)
        if (!basename(name).startsWith(incomingPrefix)) yield { name: basename(name), modifiedAt }
        else if (Date.now() - modifiedAt.getTime() > abandonedAfterMs) await rm(path)
      }
    },
  }
}

/** The paths of the files below a folder; none before the first image. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
}

async function writeToDisk(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}
