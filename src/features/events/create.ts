import * as v from 'valibot'
import { calendarDate, singleLineText, slug, text } from '../../contract/text.ts'
import { eventCategories } from '../../contract/vocabulary.ts'
import type { Now } from '../../lib/clock.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { invalidField } from '../../lib/errors.ts'
import { insertEvent, selectEventsBySlug } from './sql.ts'

/** How many events a team may have: its whole calendar is read at once. */
const maxEvents = 2_000
const words = v.optional(v.nullable(text(2 * 1024)), null)

export const fields = {
  name: singleLineText(255),
  event_date: calendarDate,
  category: v.picklist(eventCategories, `must be one of ${eventCategories.join(', ')}`),
  description: words,
  suggested_content: words,
  recurs: v.optional(v.boolean('must be true or false'), false),
}

/** What a person chooses when adding an event. With `recurs`, `event_date` is its first time. */
export const NewEvent = v.object({ slug, ...fields })

/**
 * Adds an event to a team. With the slug of a well-known day it takes that day's place, with
 * `<slug>-<year>` that of one year. Throws `validation_failed` when the slug is taken or the team has
 * 2,000 events.
 */
export async function createEvent(
  sql: Sql | Tx,
  now: Now,
  teamId: string,
  event: v.InferOutput<typeof NewEvent>,
): Promise<void> {
  if (await withDeadline(insertEvent(sql, teamId, event, now(), maxEvents))) return
  const [taken] = await withDeadline(selectEventsBySlug(sql, teamId, [event.slug]))
  throw taken
    ? invalidField('/slug', `slug "${event.slug}" belongs to another event already`, 'taken')
    : invalidField('', `a team may have at most ${maxEvents} events`, 'too_many')
}
