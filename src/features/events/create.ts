import * as v from 'valibot'
import { calendarDate, singleLineText, slug, text } from '../../contract/text.ts'
import { eventCategories } from '../../contract/vocabulary.ts'
import { type Context, inTransaction } from '../../lib/context.ts'
import { invalidField } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import { insertEvent, selectEventsBySlug } from './sql.ts'

/** How many events a team may have: its whole calendar is read at once. */
const maxEvents = 2_000
const words = v.optional(v.nullable(text(2 * 1024)), null)

/** The fields of an event that can change. */
export const fields = {
  name: singleLineText(255),
  event_date: calendarDate,
  category: v.picklist(eventCategories, `must be one of ${eventCategories.join(', ')}`),
  description: words,
  suggested_content: words,
  recurs: v.optional(v.boolean('must be true or false'), false),
}

/** A new event. With `recurs`, `event_date` is its first occurrence. */
export const NewEvent = v.object({ slug, ...fields })

/**
 * Creates an event of a team. With the slug of a well-known day it replaces that day, with
 * `<slug>-<year>` the day of one year. Throws `validation_failed` when the slug is taken or the team has
 * 2,000 events.
 */
export async function createEvent(
  ctx: Context,
  event: v.InferOutput<typeof NewEvent>,
): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (within) => {
    const row = { ...event, created_at: within.now() }
    if (!(await insertEvent(within.sql, teamId, row, maxEvents))) {
      const [taken] = await selectEventsBySlug(within.sql, teamId, [event.slug])
      throw taken
        ? invalidField('/slug', `slug "${event.slug}" belongs to another event already`, 'taken')
        : invalidField('', `a team may have at most ${maxEvents} events`, 'too_many')
    }
    await recordAudit(within, 'event_created', event.name)
  })
}
