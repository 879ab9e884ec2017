import * as v from 'valibot'
import { type Context, inTransaction } from '../../lib/context.ts'
import { notFound } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import { fields } from './create.ts'
import { lockEvent, updateEventRow } from './sql.ts'

/** The new values of an event. The slug cannot change, because blocks refer to it. */
export const EventChange = v.object(fields)

/**
 * Changes a team's own event; fields that are left out stay. Throws `not_found`, also for a well-known
 * day.
 */
export async function updateEvent(
  ctx: Context,
  { slug, change }: { slug: string; change: Partial<v.InferOutput<typeof EventChange>> },
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
