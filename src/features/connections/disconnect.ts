import { type Context, inTransaction } from '../../lib/context.ts'
import { recordAudit } from '../audit-log/index.ts'
import { subjectOf } from './label.ts'
import { updateDisconnected } from './tokens/sql.ts'

/** Why a provider accepts nothing from a connection any more. */
export type DisconnectionReason = 'uninstalled' | 'revoked' | 'expired'

/**
 * Stores that the app or its token was removed at the provider at a moment (whole seconds). Nothing more is sent
 * through the connection. A report from before it got its token changes nothing, because reports can be late.
 * Returns whether it was stored.
 */
export async function disconnectConnection(
  ctx: Context,
  { id, reason, at }: { id: string; reason: DisconnectionReason; at: Date },
): Promise<boolean> {
  return await inTransaction(ctx, async (txCtx) => {
    const { sql, actor } = txCtx
    const adapter = await updateDisconnected(sql, { id, team_id: actor.teamId, reason, at })
    if (adapter === null) return false
    await recordAudit(txCtx, 'connection_disconnected', subjectOf(adapter, id))
    return true
  })
}
