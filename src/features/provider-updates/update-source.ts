import { inTransaction, type KeyContext, type TxContext } from '../../lib/context.ts'
import { requireActiveKeyLock } from '../api-keys/index.ts'
import { lockConnection } from './sql.ts'

/** The delivery that an update is from. */
export interface UpdateSource {
  connectionId: string
  deliveryId: string
  /** When the delivery was received; for a replay, when somebody asked for it. */
  receivedAt: Date
}

/** A context inside an open transaction whose actor is the key of the connection. */
export type UpdateContext = TxContext<KeyContext>

/** The id and the title of a block. */
export interface BlockReference {
  id: string
  title: string
}

/**
 * Runs `work` in one transaction that locks the connection, so that its updates are stored one after the
 * other. Throws `revoked_key` unless the key of the connection is active.
 */
export async function withConnectionLock<Result>(
  ctx: KeyContext,
  { connectionId }: UpdateSource,
  work: (ctx: UpdateContext) => Promise<Result>,
): Promise<Result> {
  return await inTransaction(ctx, async (txCtx) => {
    await lockConnection(txCtx.sql, txCtx.actor.teamId, connectionId)
    await requireActiveKeyLock(txCtx.sql, txCtx.actor)
    return await work(txCtx)
  })
}
