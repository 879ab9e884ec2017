import { type Context, inTransaction } from '../../lib/context.ts'
import { notFound } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import { lockEvent, type OwnEvent, updateEventRow } from './sql.ts'

/**
 * Changes a team's own event; fields that are left out stay. The slug cannot change, because blocks refer to it. Throws
 * `not_found`, also for a well-known day.
 */
export async function updateEvent(
  ctx: Context,
  { slug, change }: { slug: string; change: Partial<Omit<OwnEvent, 'slug'>> },
): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    const current = await lockEvent(txCtx.sql, teamId, slug)
    if (!current) throw notFound('The event')
    if (Object.keys(change).length === 0) return
    const next = { ...current, ...change }
    await updateEventRow(txCtx.sql, teamId, next)
    await recordAudit(txCtx, 'event_updated', next.name)
  })
}
