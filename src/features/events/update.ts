import * as v from 'valibot'
import { type Context, inTransaction } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { AppError, notFound } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import { fields, type NewEvent } from './create.ts'
import { getEvent } from './get.ts'
import { lockEvent, selectEventsBySlug, updateEventRow } from './sql.ts'

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
    const next = { ...current, ...change }
    if (Object.keys(change).length === 0) return
    await updateEventRow(txCtx.sql, teamId, next)
    await recordAudit(txCtx, 'event_updated', next.name)
  })
}

/**
 * Throws `event_read_only` unless the slug is that of a team's own event, and `not_found` when there is
 * no such event at all.
 */
export async function requireOwnEvent(ctx: Context, slug: string): Promise<void> {
  const { event, ownSlug } = await getEvent(ctx, slug)
  if (ownSlug === slug) return
  const message =
    ownSlug === null
      ? `"${event.name}" is a day of the built-in calendar. Create an event with the slug "${slug}" to replace it.`
      : `This is one date of the event "${ownSlug}". Change that one, or create an event with the slug "${slug}" for this date.`
  throw new AppError('event_read_only', message, { extra: { own_slug: ownSlug } })
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
