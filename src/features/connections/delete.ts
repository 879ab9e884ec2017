import { type Context, inTransaction } from '../../lib/context.ts'
import { notFound } from '../../lib/errors.ts'
import { revokeConnectionKey } from '../api-keys/index.ts'
import { recordAudit } from '../audit-log/index.ts'
import { removeSource } from '../polling/index.ts'
import { subjectOf } from './label.ts'
import { deleteRoutes } from './routes/sql.ts'
import { deleteInstallation, deleteSocketLease, markConnectionRemoved } from './sql.ts'

/**
 * Removes a connection, deletes its secrets and routes, and revokes its key. The token of the operator's app, and
 * what is needed to remove a registration, are kept until that is done at the provider. Throws `not_found`.
 */
export async function deleteConnection(ctx: Context, id: string): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    const keepsSecrets = await deleteInstallation(txCtx.sql, ctx.actor.teamId, id)
    await deleteSocketLease(txCtx.sql, ctx.actor.teamId, id)
    await removeSource(txCtx, id)
    const removed = await markConnectionRemoved(txCtx.sql, ctx.actor.teamId, id, {
      at: ctx.now(),
      keepsSecrets,
    })
    if (!removed) throw notFound('The connection')
    await deleteRoutes(txCtx.sql, ctx.actor.teamId, id)
    await revokeConnectionKey(txCtx, removed.api_key_id)
    await recordAudit(txCtx, 'connection_removed', subjectOf(removed.adapter, id))
  })
}
