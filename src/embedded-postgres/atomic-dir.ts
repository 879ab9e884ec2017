import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isRoot } from './account.ts'
import { codeOf, friendlyError, isFriendlyError } from './failure.ts'

const draftPrefix = '.tidings-new-'
const draftsKept_ms = 60 * 60 * 1000

/**
 * Makes a folder that is there whole or not at all: `fill` works on a draft beside it, which then
 * gets the name. Two at once are fine, the first one wins.
 */
export async function createAtomically(
  path: string,
  mode: number,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  const parent = dirname(path)
  const draft = join(parent, draftPrefix + randomBytes(8).toString('hex'))
  try {
    await mkdir(draft)
    await chmod(draft, mode)
    await fill(draft)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!['EEXIST', 'ENOTEMPTY'].includes(codeOf(error)))
      throw friendlyError(error, parent) ?? error
  }
}

/**
 * Makes the folder where `makeWhole` is to work, unless it is there. Clears it of drafts that
 * killed processes left behind an hour ago or more.
 */
export async function createParent(path: string) {
  await isFriendlyError(path, async () => {
    const made = await mkdir(path, { recursive: true })
    if (made !== undefined) await chmod(path, closedMode())
    for (const name of await readdir(path))
      if (name.startsWith(draftPrefix)) await removeOldDraft(join(path, name))
  })
}

/** The mode of folders that are ours: root's let other users pass through to what is theirs inside. */
export const closedMode = () => (isRoot() ? 0o711 : 0o700)

async function removeOldDraft(draft: string) {
  // Another process may have given it its name by now.
  const found = await stat(draft).catch(() => undefined)
  if (found !== undefined && Date.now() - found.mtimeMs > draftsKept_ms)
    await rm(draft, { recursive: true, force: true })
}
