import { type BlockStatus, blockStatuses } from '../../../contract/vocabulary.ts'
import type { Context, ReadContext, ServiceContext } from '../../../lib/context.ts'
import { withDeadline } from '../../../lib/database/db.ts'
import { firstIdAt } from '../../../lib/ids.ts'
import { countLimit } from '../../../lib/lists/pagination.ts'
import {
  type ReviewCounts,
  selectHasDraft,
  selectReviewCounts,
  selectShareOfKeys,
} from './count-sql.ts'
import type { BlockFilter } from './filter-sql.ts'
import { countBlocks } from './list-count-sql.ts'

const everything: BlockFilter = {
  status: [],
  blockType: [],
  source: [],
  eventSlug: [],
  words: null,
  fromId: null,
  beforeId: null,
}

/** How many blocks of each status a team has, counted up to `limit`. */
export async function countByStatus(
  { sql, actor: { teamId } }: Context,
  { limit = countLimit + 1 }: { limit?: number } = {},
): Promise<ReadonlyMap<BlockStatus, number>> {
  const counts = blockStatuses.map(async (status) => {
    const filter = { ...everything, status: [status] }
    return [status, await countBlocks(sql, teamId, filter, limit)] as const
  })
  return new Map(await withDeadline(Promise.all(counts)))
}

/** Up to which number the drafts of a team are counted for the navigation. */
export const maxCountedDrafts = 100

/** What waits in each of these teams: the drafts, counted up to 100, and the newest block. */
export async function listReviewCounts(
  { sql }: Pick<ServiceContext, 'sql'>,
  teamIds: readonly string[],
): Promise<ReadonlyMap<string, ReviewCounts>> {
  const rows = await withDeadline(selectReviewCounts(sql, teamIds, maxCountedDrafts))
  return new Map(rows.map(({ team_id, drafts, newest }) => [team_id, { drafts, newest }]))
}

/** What waits in a team: its drafts, counted up to 100, and its newest block. */
export async function countDrafts({ sql, actor: { teamId } }: ReadContext): Promise<ReviewCounts> {
  return (await listReviewCounts({ sql }, [teamId])).get(teamId) ?? { drafts: 0, newest: null }
}

/** True when the team has drafts, which wait for a review. */
export async function hasDrafts({ sql, actor }: Context): Promise<boolean> {
  return await withDeadline(selectHasDraft(sql, actor.teamId))
}

const newestOfKeys = 2_000

/**
 * How many blocks keys have created since a moment that still exist. When the team has more than 2,000 blocks since
 * then, only the newest 2,000 are read, and `among` is their number.
 */
export async function countBlocksOfKeys(
  { sql, actor }: Context,
  { keyIds, since }: { keyIds: readonly string[]; since: Date },
): Promise<{ created: number; among: number | null }> {
  const newest = { keyIds, fromId: firstIdAt('cb', since), limit: newestOfKeys }
  const found = await withDeadline(selectShareOfKeys(sql, actor.teamId, newest))
  const isComplete = (found?.newest ?? 0) < newestOfKeys
  return { created: found?.created ?? 0, among: isComplete ? null : newestOfKeys }
}
