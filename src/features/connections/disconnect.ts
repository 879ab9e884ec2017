import { type Context, inTransaction } from '../../lib/context.ts'
import { recordAudit } from '../audit-log/index.ts'
import { subjectOf } from './label.ts'
import { updateDisconnected } from './sql.ts'

/** Why a provider accepts nothing from a connection any more. */
export type DisconnectionReason = 'uninstalled' | 'revoked' | 'expired'

/** Stores that the app or its token was removed at the provider. Nothing more is sent through the connection. */
export async function disconnectConnection(
  ctx: Context,
  { id, reason, at }: { id: string; reason: DisconnectionReason; at: Date },
): Promise<void> {
  await inTransaction(ctx, async (within) => {
    const { sql, actor } = within
    const adapter = await updateDisconnected(sql, actor.teamId, id, { reason, at })
    if (adapter !== null)
      await recordAudit(within, 'connection_disconnected', subjectOf(adapter, id))
  })
}
