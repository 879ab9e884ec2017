import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf, explain, explained } from './failure.ts'

const draftPrefix = '.tidings-new-'
const draftsKept_ms = 60 * 60 * 1000

/**
 * Makes a folder that is there whole or not at all: `fill` works on a draft beside it, which then
 * gets the name. Two at once are fine, the first one wins. A draft that a killed process left
 * behind goes after an hour.
 */
export async function makeWhole(
  path: string,
  mode: number,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  const parent = dirname(path)
  const draft = join(parent, draftPrefix + randomBytes(8).toString('hex'))
  try {
    await removeOldDrafts(parent)
    await mkdir(draft)
    await chmod(draft, mode)
    await fill(draft)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!['EEXIST', 'ENOTEMPTY'].includes(codeOf(error))) throw explain(error, parent) ?? error
  }
}

async function removeOldDrafts(parent: string) {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(draftPrefix)) continue
    const draft = join(parent, name)
    // Another process may have given it its name by now.
    const found = await stat(draft).catch(() => undefined)
    if (found !== undefined && Date.now() - found.mtimeMs > draftsKept_ms)
      await rm(draft, { recursive: true, force: true })
  }
}

/** Makes the folder, open for other users to pass through, whatever our umask; an existing one stays as it is. */
export async function makePublicFolder(path: string) {
  const made = await explained(path, () => mkdir(path, { recursive: true }))
  if (made !== undefined) await chmod(path, 0o755)
}
