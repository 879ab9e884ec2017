import { type Context, inTransaction, type ReadContext, type TxContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { invalidField, notFound } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import { type CreatedKey, type Key, keyState, requireBelowKeyLimit, storeKey } from './keys.ts'
import {
  type LockedKeyRow,
  lockKey,
  revokeKeyRow,
  rotateKeyRow,
  selectIdsOfFirstKey,
  updateToken,
} from './sql.ts'
import { hashToken, newToken, prefixOf } from './token.ts'

/**
 * Creates a key with the permissions and the ingested items of another, which stops working after `graceHours` (0: at
 * once). Throws `not_found`, and `validation_failed` for a key that no longer works, was rotated already or
 * belongs to a connection.
 */
export async function rotateKey(
  ctx: Context,
  { keyId, graceHours }: { keyId: string; graceHours: number },
): Promise<CreatedKey> {
  const { teamId } = ctx.actor
  return await inTransaction(ctx, async (txCtx) => {
    await requireBelowKeyLimit(txCtx)
    const old = await lockKey(txCtx.sql, teamId, keyId)
    if (!old) throw notFound('The key')
    const at = txCtx.now()
    requireRotatable(old, at)
    await recordAudit(txCtx, 'key_rotated', old.name)
    const created = await storeKey(txCtx, old)
    if (graceHours === 0) await revokeKeyRow(txCtx.sql, teamId, old.id)
    else {
      const ends = new Date(at.getTime() + graceHours * 3_600_000)
      await rotateKeyRow(txCtx.sql, teamId, old.id, { at, ends })
    }
    return created
  })
}

function requireRotatable(key: LockedKeyRow, at: Date): void {
  if (keyState(key, at) !== 'active') {
    throw invalidField('/key', 'the key no longer works; create a new one')
  }
  // Its successor would end with it.
  if (key.rotated_at !== null) {
    throw invalidField('/key', 'the key was rotated already; rotate the key that replaced it')
  }
  if (key.provider !== null) {
    throw invalidField('/key', 'the key belongs to a connection; set that up again instead')
  }
}

/** The ids of a key, of those that it replaced by rotation and of those that replaced it. */
export async function listRotatedKeyIds(
  { sql, actor }: ReadContext,
  { first_key_id: firstKeyId }: Pick<Key, 'first_key_id'>,
): Promise<string[]> {
  const keys = await withDeadline(selectIdsOfFirstKey(sql, actor.teamId, firstKeyId))
  return keys.map(({ id }) => id)
}

/**
 * Replaces the token of a connection's key and returns the new one. The old token stops working. The
 * key keeps its id, so that blocks keep their origin and no item becomes a second block. Throws
 * `not_found`.
 */
export async function replaceToken(
  { sql, actor }: TxContext,
  id: string,
): Promise<{ prefix: string; token: string }> {
  const token = newToken()
  const prefix = prefixOf(token)
  if (!(await updateToken(sql, actor.teamId, id, { prefix, token_hash: hashToken(token) })))
    throw notFound('The key')
  return { prefix, token }
}
