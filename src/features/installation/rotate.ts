import type { ServiceContext } from '../../lib/context.ts'
import { type Tx, transaction } from '../../lib/database/db.ts'
import { AppError } from '../../lib/errors.ts'
import { type EncryptedColumn, fingerprintOf } from '../../lib/secrets/encryption.ts'
import {
  countOtherUsers,
  lockSecret,
  selectEncrypted,
  updateEncrypted,
  upsertFingerprint,
} from './sql.ts'

/** The result of a rotation. */
export interface RotationResult {
  /** The number of values that are encrypted with the new secret now. */
  reencrypted: number
  /**
   * The number of values that could not be decrypted, such as those of a lost secret. They are
   * unchanged.
   */
  unreadable: number
}

const rotationTimeoutMs = 3_600_000
const batchSize = 500

/**
 * Encrypts every value of the columns with another secret and stores its fingerprint, in one
 * transaction. Throws `invalid_transition` while another process uses the database, because it
 * would continue to encrypt with the old secret.
 */
export async function rotateEncryption(
  { sql }: Pick<ServiceContext, 'sql'>,
  { columns, from, to }: { columns: readonly EncryptedColumn[]; from: string; to: string },
): Promise<RotationResult> {
  const work = async (tx: Tx) => {
    await lockSecret(tx)
    await requireSoleUser(tx)
    await upsertFingerprint(tx, fingerprintOf(to))
    const results: RotationResult[] = []
    for (const column of columns) results.push(await reencrypt(tx, column, { from, to }))
    // Checked again: another process can have read the former fingerprint before the lock.
    await requireSoleUser(tx)
    return {
      reencrypted: results.reduce((sum, result) => sum + result.reencrypted, 0),
      unreadable: results.reduce((sum, result) => sum + result.unreadable, 0),
    }
  }
  return await transaction(sql, work, rotationTimeoutMs)
}

async function requireSoleUser(tx: Tx): Promise<void> {
  if ((await countOtherUsers(tx)) === 0) return
  throw new AppError(
    'invalid_transition',
    'Another process of Tidings uses this database. Stop all of them, and run the command again.',
  )
}

async function reencrypt(
  tx: Tx,
  column: EncryptedColumn,
  secrets: { from: string; to: string },
): Promise<RotationResult> {
  const done = { reencrypted: 0, unreadable: 0 }
  let after = ''
  for (;;) {
    const rows = await selectEncrypted(tx, column, after, batchSize)
    for (const { id, value } of rows) {
      const next = await column.reencrypt(id, value, secrets).catch(() => null)
      if (next === null) done.unreadable++
      else {
        await updateEncrypted(tx, column, { id, value: next })
        done.reencrypted++
      }
    }
    const last = rows.at(-1)
    if (!last) return done
    after = last.id
  }
}
