import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const version = 1
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts values for storage. Without the installation's secret they cannot be read or changed.
 */
export interface Encryption {
  /**
   * `context` names the row of the value (`table/id`): the value cannot be decrypted for another
   * row.
   */
  encrypt(context: string, value: unknown): Buffer
  /**
   * Returns the decrypted value. Throws when it was changed, copied to another row, or encrypted
   * with another secret.
   */
  decrypt(context: string, encrypted: Uint8Array): unknown
}

// Part of the format of every stored value: with another label, no stored value can be decrypted.
const keyLabel = 'tidings sealed values'

/**
 * AES-256-GCM with a key derived from the installation's secret (HKDF, RFC 5869), a random nonce
 * per value, and the row as additional authenticated data (NIST SP 800-38D).
 */
export function createEncryption(secret: string): Encryption {
  const key = Buffer.from(hkdfSync('sha256', secret, '', keyLabel, 32))
  return {
    encrypt(context, value) {
      const nonce = randomBytes(nonceBytes)
      const encipher = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(context))
      const text = Buffer.concat([encipher.update(JSON.stringify(value)), encipher.final()])
      return Buffer.concat([Buffer.of(version), nonce, text, encipher.getAuthTag()])
    },
    decrypt(context, encrypted) {
      const bytes = Buffer.from(encrypted)
      if (bytes[0] !== version || bytes.length < 1 + nonceBytes + tagBytes) throw cannotDecrypt()
      const decipher = createDecipheriv(cipher, key, bytes.subarray(1, 1 + nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes))
      try {
        const text = decipher.update(bytes.subarray(1 + nonceBytes, -tagBytes))
        return JSON.parse(Buffer.concat([text, decipher.final()]).toString())
      } catch {
        throw cannotDecrypt()
      }
    },
  }
}

function cannotDecrypt(): Error {
  return new Error(
    'A stored secret cannot be decrypted: TIDINGS_SECRET (or the file "secret" in DATA_DIR) is not the one that it was encrypted with.',
  )
}

/**
 * A fingerprint of a secret. It shows whether two processes have the same secret, and nothing else
 * about it (HKDF, RFC 5869).
 */
export const fingerprintOf = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'tidings secret fingerprint', 16)).toString('hex')

/** A column of encrypted values, for the rotation of the secret. */
export interface EncryptedColumn {
  table: string
  column: string
  /**
   * Encrypts the value of the row `id` with another secret. Throws when `from` cannot decrypt it.
   */
  reencrypt(
    id: string,
    value: unknown,
    secrets: { from: string; to: string },
  ): Promise<Buffer | string>
}

/** A column whose values `createEncryption` encrypts. */
export const encryptedColumn = (
  table: string,
  column: string,
  contextOf: (id: string) => string,
): EncryptedColumn => ({
  table,
  column,
  async reencrypt(id, value, { from, to }) {
    if (!(value instanceof Uint8Array)) throw cannotDecrypt()
    const context = contextOf(id)
    return createEncryption(to).encrypt(context, createEncryption(from).decrypt(context, value))
  },
})
