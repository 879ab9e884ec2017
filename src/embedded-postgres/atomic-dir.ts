import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf, friendlyError, withFriendlyErrors } from './failure.ts'
import { isRoot } from './system-user.ts'

const temporaryPrefix = '.tidings-new-'
const maxTemporaryAgeMs = 60 * 60 * 1000

/**
 * Creates a folder completely or not at all: `fill` writes into a temporary folder beside `path`, which
 * is then renamed. When two processes create the same folder, the first one succeeds and the other
 * uses its folder.
 */
export async function createAtomically(
  path: string,
  mode: number,
  fill: (folder: string) => Promise<void>,
): Promise<void> {
  const parent = dirname(path)
  const temporary = join(parent, temporaryPrefix + randomBytes(8).toString('hex'))
  try {
    await mkdir(temporary)
    await chmod(temporary, mode)
    await fill(temporary)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    if (!['EEXIST', 'ENOTEMPTY'].includes(codeOf(error)))
      throw friendlyError(error, parent) ?? error
  }
}

/**
 * Creates the folder in which `createAtomically` works, unless it exists. Deletes temporary
 * folders that killed processes left there more than an hour ago.
 */
export async function createParent(path: string): Promise<void> {
  await withFriendlyErrors(path, async () => {
    const made = await mkdir(path, { recursive: true })
    if (made !== undefined) await chmod(path, folderMode())
    for (const name of await readdir(path))
      if (name.startsWith(temporaryPrefix)) await removeOldFolder(join(path, name))
  })
}

/**
 * The mode of a folder that Tidings creates. As root it allows other users to enter, because
 * PostgreSQL runs as another user.
 */
export const folderMode = () => (isRoot() ? 0o711 : 0o700)

async function removeOldFolder(folder: string): Promise<void> {
  // Another process may have renamed it by now.
  const found = await stat(folder).catch(() => undefined)
  if (found !== undefined && Date.now() - found.mtimeMs > maxTemporaryAgeMs)
    await rm(folder, { recursive: true, force: true })
}
