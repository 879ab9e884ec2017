import type { LinkedBlock } from '../../contract/event.ts'
import { type Sql, withDeadline } from '../../lib/db.ts'
import { countBlocksBySlug, type SlugStatusCount, selectBlocksOfEvent } from './event-sql.ts'

/** The newest 100 blocks that have one of an event's slugs, newest first. */
export async function blocksOfEvent(
  sql: Sql,
  teamId: string,
  slugs: readonly string[],
  limit = 100,
): Promise<LinkedBlock[]> {
  return await withDeadline(selectBlocksOfEvent(sql, teamId, slugs, limit))
}

/** How many blocks of one slug are counted at most. */
export const maxCounted = 100

/**
 * How many blocks a team has for events, by slug and status; a slug and status without any is left
 * out, and beyond `mostCounted` blocks of a slug the older ones are not counted.
 */
export async function countBlocksOfEvents(
  sql: Sql,
  teamId: string,
  slugs: readonly string[],
): Promise<SlugStatusCount[]> {
  return await withDeadline(countBlocksBySlug(sql, teamId, slugs, maxCounted))
}
