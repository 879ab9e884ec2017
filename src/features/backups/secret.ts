import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { createEncryption } from '../../lib/secrets/encryption.ts'
import { BackupError, type Header } from './format.ts'

const encryptionContext = 'backup/secret'

// In a thread of its own: it takes too long for requests to wait for it.
const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** scrypt (RFC 7914) with 64 MB, so that guessing a passphrase is slow. */
async function encryptionOf(passphrase: string, salt: Buffer) {
  const key = await deriveKey(passphrase, salt, 32, { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 })
  return createEncryption(key.toString('hex'))
}

/** The installation's secret for the header of a backup. */
export async function encryptSecret(
  secret: string,
  passphrase: string,
): Promise<NonNullable<Header['secret']>> {
  const salt = randomBytes(16)
  const encryption = await encryptionOf(passphrase, salt)
  const encrypted = encryption.encrypt(encryptionContext, secret)
  return { salt: salt.toString('base64'), encrypted: encrypted.toString('base64') }
}

/** The installation's secret out of a backup; null when it is not in it. Throws `BackupError`. */
export async function decryptSecret(
  { secret }: Header,
  passphrase: string | null,
): Promise<string | null> {
  if (secret === null) return null
  if (passphrase === null) {
    throw new BackupError(
      'The secret in the backup is encrypted: set BACKUP_PASSPHRASE to its passphrase.',
    )
  }
  try {
    const encryption = await encryptionOf(passphrase, Buffer.from(secret.salt, 'base64'))
    return String(encryption.decrypt(encryptionContext, Buffer.from(secret.encrypted, 'base64')))
  } catch (error) {
    throw new BackupError('BACKUP_PASSPHRASE is not the passphrase of this backup.', {
      cause: error,
    })
  }
}
