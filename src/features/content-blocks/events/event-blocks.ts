import type { LinkedBlock } from '../../../contract/events/event.ts'
import type { Context } from '../../../lib/context.ts'
import { withDeadline } from '../../../lib/database/db.ts'
import { countBlocksBySlug, type SlugStatusCount, selectBlocksOfEvent } from './sql.ts'

/** The newest blocks, by default 100, that have one of an event's slugs, newest first. */
export async function listBlocksOfEvent(
  { sql, actor }: Context,
  { slugs, limit = 100 }: { slugs: readonly string[]; limit?: number },
): Promise<LinkedBlock[]> {
  return await withDeadline(selectBlocksOfEvent(sql, actor.teamId, slugs, limit))
}

/** How many blocks of one slug are counted at most. */
export const maxCounted = 100

/**
 * How many blocks a team has for events, by slug and status. A slug and status without blocks is left
 * out; beyond `maxCounted` blocks of a slug the older ones are not counted.
 */
export async function countBlocksOfEvents(
  { sql, actor }: Context,
  slugs: readonly string[],
): Promise<SlugStatusCount[]> {
  return await withDeadline(countBlocksBySlug(sql, actor.teamId, slugs, maxCounted))
}
