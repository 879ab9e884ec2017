import * as v from 'valibot'
import { type Context, inTransaction } from '../../lib/context.ts'
import { withDeadline } from '../../lib/db.ts'
import { notFound } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import { fields, type NewEvent } from './create.ts'
import { selectEventsBySlug, updateEventRow } from './sql.ts'

/** The new values of an event. The slug cannot change, because blocks refer to it. */
export const EventChange = v.object(fields)

/** Replaces the fields of a team's own event. Throws `not_found`, also for a well-known day. */
export async function updateEvent(
  ctx: Context,
  { slug, change }: { slug: string; change: v.InferOutput<typeof EventChange> },
): Promise<void> {
  await inTransaction(ctx, async (within) => {
    const updated = await updateEventRow(within.sql, ctx.actor.teamId, { ...change, slug })
    if (!updated) throw notFound('The event')
    await recordAudit(within, 'event_updated', change.name)
  })
}

/** A team's own event as it is stored: `event_date` is its first occurrence. Throws `not_found`. */
export async function getOwnEvent(
  { sql, actor }: Context,
  slug: string,
): Promise<v.InferOutput<typeof NewEvent>> {
  const [own] = await withDeadline(selectEventsBySlug(sql, actor.teamId, [slug]))
  if (!own) throw notFound('The event')
  return own
}
