import * as v from 'valibot'
import { calendarDate, singleLineText, slug, text } from '../../contract/text.ts'
import { eventCategories } from '../../contract/vocabulary.ts'
import type { Now } from '../../lib/clock.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { invalidField, notFound } from '../../lib/errors.ts'
import { deleteEventRow, insertEvent, selectEventsBySlug, updateEventRow } from './sql.ts'

/** How many events a team may have: its whole calendar is read at once. */
const maxEvents = 2_000
const words = v.optional(v.nullable(text(2 * 1024)), null)

const fields = {
  name: singleLineText(255),
  event_date: calendarDate,
  category: v.picklist(eventCategories, `must be one of ${eventCategories.join(', ')}`),
  description: words,
  suggested_content: words,
  recurs: v.optional(v.boolean('must be true or false'), false),
}

/** What a person chooses when adding an event. With `recurs`, `event_date` is its first time. */
export const NewEvent = v.object({ slug, ...fields })

/** What a person may change of an event: everything but its slug, which blocks hold on to. */
export const EventChange = v.object(fields)

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

/** Replaces what an event of the team says. Throws `not_found`, also for a well-known day. */
export async function updateEvent(
  sql: Sql | Tx,
  teamId: string,
  slug: string,
  change: v.InferOutput<typeof EventChange>,
): Promise<void> {
  const updated = await withDeadline(updateEventRow(sql, teamId, { ...change, slug }))
  if (!updated) throw notFound('The event')
}

/** An event of the team as it was written: `event_date` is its first time. Throws `not_found`. */
export async function getOwnEvent(
  sql: Sql,
  teamId: string,
  slug: string,
): Promise<v.InferOutput<typeof NewEvent>> {
  const [own] = await withDeadline(selectEventsBySlug(sql, teamId, [slug]))
  if (!own) throw notFound('The event')
  return own
}

/** Removes an event of the team; its blocks keep the slug. Throws `not_found`. */
export async function deleteEvent(sql: Sql | Tx, teamId: string, slug: string): Promise<void> {
  if (!(await withDeadline(deleteEventRow(sql, teamId, slug)))) throw notFound('The event')
}
