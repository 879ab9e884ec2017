import type { TxContext } from '../../lib/context.ts'
import { updateWithdrawn } from './sql.ts'

/** Stores that the senders of some blocks have withdrawn them, in the transaction that deletes the blocks. */
export async function markWithdrawn(
  { sql, now, actor }: TxContext,
  { blockIds }: { blockIds: readonly string[] },
): Promise<void> {
  await updateWithdrawn(sql, actor.teamId, blockIds, now())
}
