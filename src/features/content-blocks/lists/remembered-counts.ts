import type { Sql, Tx } from '../../../lib/database/db.ts'
import { countLimit } from '../../../lib/lists/pagination.ts'
import { type LibraryState, selectLibraryState } from './count-sql.ts'
import { type BlockFilter, isByValuesAlone } from './filter-sql.ts'
import { countBlocks, selectCountWithState } from './list-count-sql.ts'

/** A list as it was counted, up to `maxCounted`. */
interface CountedList {
  counted: number
  state: LibraryState
}

/** How many blocks may leave a long list before it is counted again. */
const margin = 1_000
const maxCounted = countLimit + 1 + margin

/** How many lists are remembered. Above that, the oldest is counted again, because filters come from requests. */
const maxLists = 2_000

/** What was counted over each pool, by team and filter. */
const countedLists = new WeakMap<Sql | Tx, Map<string, CountedList>>()

/**
 * How many blocks of a team match a filter without words, counted up to 10,001. A list of statuses, types and
 * sources is counted again only when its number can be another one: see `content_block_changes`.
 */
export async function countMatching(
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
): Promise<number> {
  if (!isByValuesAlone(filter)) return await countBlocks(sql, teamId, filter, countLimit + 1)
  const lists = countedLists.get(sql) ?? new Map<string, CountedList>()
  countedLists.set(sql, lists)
  const key = keyOf(teamId, filter)
  const known = lists.get(key)
  if (known && isStillTrue(known, await selectLibraryState(sql, teamId))) return shown(known)
  const list = await selectCountWithState(sql, teamId, filter, maxCounted)
  lists.delete(key)
  lists.set(key, list)
  const [oldest] = lists.keys()
  if (lists.size > maxLists && oldest !== undefined) lists.delete(oldest)
  return shown(list)
}

/** Either nothing has changed, or too few blocks have left the list to make it short. */
function isStillTrue({ counted, state }: CountedList, now: LibraryState): boolean {
  const changes = now.changes - state.changes
  return (changes === 0 && now.blocks === state.blocks) || counted - changes > countLimit
}

const shown = ({ counted }: CountedList) => Math.min(counted, countLimit + 1)

const keyOf = (teamId: string, { status, blockType, source }: BlockFilter) =>
  JSON.stringify([teamId, ...[status, blockType, source].map((values) => values.toSorted())])
