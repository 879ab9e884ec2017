import { type Context, inTransaction, type TxContext } from '../../lib/context.ts'
import type { Tx } from '../../lib/database/db.ts'
import { type Caller, revokedKey } from './caller.ts'
import { lockActiveKey } from './key-checks-sql.ts'

/**
 * Runs `work` in one transaction. When the actor is a key, its row is locked until the transaction ends,
 * so that a revocation either waits for the change or stops it. Throws `revoked_key`.
 */
export async function withKeyTransaction<Base extends Context, Result>(
  ctx: Base,
  work: (ctx: TxContext<Base>) => Promise<Result>,
): Promise<Result> {
  return await inTransaction(ctx, async (txCtx) => {
    if (txCtx.actor.kind === 'key') await requireActiveKeyLock(txCtx.sql, txCtx.actor)
    return await work(txCtx)
  })
}

/** Locks the key's row until the transaction ends. Throws `revoked_key` unless the key is active. */
export async function requireActiveKeyLock(
  tx: Tx,
  key: Pick<Caller, 'teamId' | 'keyId'>,
): Promise<void> {
  if (!(await lockActiveKey(tx, key.teamId, key.keyId))) throw revokedKey()
}
