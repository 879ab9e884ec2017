import { type Sql, withDeadline } from '../../lib/db.ts'
import { type EventName, searchEvents, selectEvent } from './sql.ts'

/** A warning when the team has no such event yet: the block keeps the slug and links up later. */
export async function missingEvent(sql: Sql, teamId: string, slug: string): Promise<string[]> {
  const event = await withDeadline(selectEvent(sql, teamId, slug))
  return event
    ? []
    : [`event_slug "${slug}" does not match an event yet; the block links up when it appears`]
}

/** Up to 100 events of a team whose name holds `words`, soonest first. */
export async function findEvents(sql: Sql, teamId: string, words: string): Promise<EventName[]> {
  return await withDeadline(searchEvents(sql, teamId, words, 100))
}
