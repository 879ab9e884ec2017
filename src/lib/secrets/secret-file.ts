import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../errors.ts'

/**
 * The installation's secret from `dataDir/secret` (mode 0600), which is created at the first start.
 * Processes that start at the same time get the same secret.
 */
export async function loadOrCreateSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret')
  const stored = await loadSecret(dataDir)
  if (stored !== null) return stored
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeDurably(draft, `${newSecret()}\n`)
    // Unlike a rename, a link never replaces a file: the second process uses the secret of the
    // first.
    await link(draft, path).catch(unless('EEXIST'))
  } finally {
    await unlink(draft).catch(unless('ENOENT'))
  }
  const created = await loadSecret(dataDir)
  if (created === null)
    throw new Error(`The secret in ${path} was deleted while it was being created.`)
  return created
}

/** A new secret of 32 random bytes in hexadecimal. */
export const newSecret = (): string => randomBytes(32).toString('hex')

/** The file of the next secret while a rotation or a restore is not complete. */
const nextName = 'secret.next'

/**
 * The secret in `dataDir/secret`, or null when the file does not exist. Throws when it is damaged
 * or unreadable.
 */
export const loadSecret = (dataDir: string): Promise<string | null> => loadFrom(dataDir, 'secret')

/** The secret that `saveNextSecret` stored, or null. */
export const loadNextSecret = (dataDir: string): Promise<string | null> =>
  loadFrom(dataDir, nextName)

async function loadFrom(dataDir: string, name: string): Promise<string | null> {
  const path = join(dataDir, name)
  const text = await readFile(path, 'utf8')
    .catch(unless('ENOENT'))
    .catch((error: unknown) => {
      throw new Error(
        `The secret in ${path} cannot be read: give the user who starts Tidings permission to read it.`,
        { cause: error },
      )
    })
  if (text === undefined) return null
  const secret = text.trim()
  if (secret.length < 32) {
    throw new Error(`The secret in ${path} is damaged. Restore the file from a backup.`)
  }
  return secret
}

/** Stores the next secret beside the present one, for `promoteNextSecret`. */
export async function saveNextSecret(dataDir: string, secret: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = join(dataDir, `${nextName}.${randomBytes(6).toString('hex')}`)
  await writeDurably(draft, `${secret}\n`)
  await rename(draft, join(dataDir, nextName))
  await syncFolder(dataDir)
}

/**
 * Makes the next secret the present one. The former one is kept as `secret.<time>`, because older
 * backups need it. Can be repeated after a crash at any point.
 */
export async function promoteNextSecret(dataDir: string): Promise<void> {
  const path = join(dataDir, 'secret')
  await link(path, `${path}.${Date.now()}`).catch(unless('ENOENT'))
  await rename(join(dataDir, nextName), path)
  await syncFolder(dataDir)
}

/** Writes the names in a folder to the disk, so that they survive a power failure. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Returns undefined for errors with this code and throws all others. */
const unless = (code: string) => (error: unknown) => {
  if (codeOf(error) === code) return undefined
  throw error
}
