import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'

const cipher = 'aes-256-gcm'
const version = 1
const nonceBytes = 12
const tagBytes = 16

/** Seals values for storage: unreadable and unchangeable without the installation's secret. */
export interface Encryption {
  /** `place` says which row the value belongs to (`table/id`): encrypted for one, it opens for no other. */
  encrypt(place: string, value: unknown): Buffer
  /** The value as JSON gives it back. Throws when it was changed, moved, or encrypted under another secret. */
  decrypt(place: string, encrypted: Uint8Array): unknown
}

/**
 * AES-256-GCM under a key derived from the installation's secret (HKDF, RFC 5869), with a random
 * nonce per value and the row's place as associated data (NIST SP 800-38D).
 */
export function createEncryption(secret: string): Encryption {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'tidings sealed values', 32))
  return {
    encrypt(place, value) {
      const nonce = randomBytes(nonceBytes)
      const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(place))
      const text = Buffer.concat([sealing.update(JSON.stringify(value)), sealing.final()])
      return Buffer.concat([Buffer.of(version), nonce, text, sealing.getAuthTag()])
    },
    decrypt(place, encrypted) {
      const bytes = Buffer.from(encrypted)
      if (bytes[0] !== version || bytes.length < 1 + nonceBytes + tagBytes) throw cannotDecrypt()
      const opening = createDecipheriv(cipher, key, bytes.subarray(1, 1 + nonceBytes), {
        authTagLength: tagBytes,
      })
      opening.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-tagBytes))
      try {
        const text = opening.update(bytes.subarray(1 + nonceBytes, -tagBytes))
        return JSON.parse(Buffer.concat([text, opening.final()]).toString())
      } catch {
        throw cannotDecrypt()
      }
    },
  }
}

function cannotDecrypt(): Error {
  return new Error(
    'A stored secret cannot be opened: TIDINGS_SECRET (or the file "secret" in DATA_DIR) is not the one it was encrypted under.',
  )
}

/** Shows whether two processes have the same secret, and nothing about the secret (HKDF, RFC 5869). */
export const fingerprintOf = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'tidings secret fingerprint', 16)).toString('hex')

/**
 * The installation's secret, kept in `dataDir/secret` (mode 0600) and made at the first start. Of
 * several processes that start at once, all get the same one.
 */
export async function loadOrCreateSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret')
  const kept = await loadSecret(dataDir)
  if (kept !== null) return kept
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeDurably(draft, `${randomBytes(32).toString('hex')}\n`)
    // Unlike a rename, a link never replaces: whoever comes second finds the first one's secret.
    await link(draft, path).catch(unless('EEXIST'))
  } finally {
    await unlink(draft).catch(unless('ENOENT'))
  }
  const made = await loadSecret(dataDir)
  if (made === null) throw new Error(`The secret in ${path} vanished while it was being made.`)
  return made
}

/** The secret in `dataDir/secret`, or null when there is no such file. Throws when it is damaged or unreadable. */
export async function loadSecret(dataDir: string): Promise<string | null> {
  const path = join(dataDir, 'secret')
  const text = await readFile(path, 'utf8')
    .catch(unless('ENOENT'))
    .catch((error: unknown) => {
      throw new Error(
        `The secret in ${path} cannot be read: make it a file that the user who starts Tidings may read.`,
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

/**
 * Makes `secret` the one in `dataDir/secret`. Another one that is there is kept beside it, as
 * `secret.<time>`.
 */
export async function saveSecret(dataDir: string, secret: string): Promise<void> {
  const path = join(dataDir, 'secret')
  const present = await loadSecret(dataDir)
  if (present === secret) return
  if (present !== null) await rename(path, `${path}.${Date.now()}`)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeDurably(path, `${secret}\n`)
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

/** Lets one kind of file error pass as "nothing there"; every other is thrown on. */
const unless = (code: string) => (error: unknown) => {
  if (error instanceof Error && 'code' in error && error.code === code) return undefined
  throw error
}
