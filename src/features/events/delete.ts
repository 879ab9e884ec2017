import { type Context, inTransaction } from '../../lib/context.ts'
import { notFound } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import { deleteEventRow } from './sql.ts'

/** Deletes a team's own event; its blocks keep the slug. Throws `not_found`. */
export async function deleteEvent(ctx: Context, slug: string): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    const name = await deleteEventRow(txCtx.sql, ctx.actor.teamId, slug)
    if (name === null) throw notFound('The event')
    await recordAudit(txCtx, 'event_deleted', name)
  })
}
