import * as v from 'valibot'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { notFound } from '../../lib/errors.ts'
import { fields, type NewEvent } from './create.ts'
import { selectEventsBySlug, updateEventRow } from './sql.ts'

/** What a person may change of an event: everything but its slug, which blocks hold on to. */
export const EventChange = v.object(fields)

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
