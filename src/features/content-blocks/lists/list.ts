import type { ContentBlock } from '../../../contract/blocks/content-block.ts'
import type { ReadContext } from '../../../lib/context.ts'
import { type Sql, type Tx, withDeadline } from '../../../lib/database/db.ts'
import { isByUpdate } from '../../../lib/lists/list-order.ts'
import { countLimit, type Page, type PageRequest, sliceOf } from '../../../lib/lists/pagination.ts'
import { toContentBlock } from '../get.ts'
import type { ShownRow } from '../sql.ts'
import { selectBlockCount } from './count-sql.ts'
import { type BlockFilter, combinationsOf, isUnfiltered, sortOf } from './filter-sql.ts'
import { countAmongNewest, countRareBlocks } from './list-count-sql.ts'
import {
  isAssignedInOrder,
  isInOrderOfIds,
  type Slice,
  selectAssignedBlocks,
  selectBlocks,
  selectFirstBlocks,
  selectIsLonger,
  selectNearBlocks,
  selectRareBlocks,
} from './list-sql.ts'
import { countMatching } from './remembered-counts.ts'

/**
 * A page of a team's blocks, in the order of the filter. The statement that reads it checks these keys of
 * the team, too, where that costs no other one.
 */
export async function listBlocks(
  ctx: ReadContext,
  {
    filter,
    page,
    keyIds = [],
  }: { filter: BlockFilter; page: PageRequest; keyIds?: readonly string[] },
): Promise<Page<ContentBlock>> {
  const slice = { ...sliceOf(page), isCounted: page.isCounted ?? true }
  const { rows, ...found } = await withDeadline(readPage(ctx, { filter, slice, keyIds }))
  const items = rows.slice(0, page.perPage).map(toContentBlock)
  return { items, hasMore: rows.length > page.perPage, ...found }
}

/** The rows of a page and one more, if there is one, and how many match. */
interface Found {
  rows: readonly ShownRow[]
  counted: number
  /** The statement that read the rows has found the keys active. */
  areKeysActive?: boolean
}

async function readPage(
  ctx: ReadContext,
  { filter, slice, keyIds }: { filter: BlockFilter; slice: Slice; keyIds: readonly string[] },
): Promise<Found> {
  const isFirst = slice.offset === 0 && slice.position === null
  if (isFirst && isUnfiltered(filter) && isInOrderOfIds(filter)) {
    return await readFirst(ctx, { filter, limit: slice.limit, keyIds: [...new Set(keyIds)] })
  }
  const [rows, counted] = await readFiltered(ctx, filter, slice)
  return { rows, counted }
}

/** The first page of all blocks, which most clients and pages read, in one statement. */
async function readFirst(
  ctx: ReadContext,
  read: { filter: BlockFilter; limit: number; keyIds: readonly string[] },
): Promise<Found> {
  const { sql, actor } = ctx
  const rows = await selectFirstBlocks(sql, actor.teamId, read)
  const hasKeys = read.keyIds.length > 0
  // A team without blocks, or a key that is not active: the blocks are for the other keys.
  if (rows.length === 0 && hasKeys) return await readFirst(ctx, { ...read, keyIds: [] })
  return { rows, counted: rows[0]?.counted ?? 0, areKeysActive: hasKeys }
}

async function readFiltered(
  ctx: ReadContext,
  filter: BlockFilter,
  slice: Slice,
): Promise<[ShownRow[], number]> {
  if (filter.externalId?.length || filter.assignee) return await readRare(ctx, filter, slice)
  if (filter.words !== null && filter.eventSlug.length === 0) {
    return await readSearch(ctx, filter, slice)
  }
  const { sql, actor } = ctx
  const count = () =>
    isUnfiltered(filter)
      ? selectBlockCount(sql, actor.teamId)
      : countMatching(sql, actor.teamId, filter)
  return await Promise.all([
    readMatching(sql, actor.teamId, filter, slice),
    slice.isCounted ? count() : 0,
  ])
}

/**
 * A page of a list without a search. Its index reads a page for each combination of a status, a type and a source. The
 * first page of a filter with many combinations, which many blocks match, is looked for among the next blocks of the team.
 */
async function readMatching(
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  slice: Slice,
): Promise<ShownRow[]> {
  const isFirst = slice.offset === 0 && slice.position === null
  if (isFirst && hasManyCombinations(filter) && !isByUpdate(sortOf(filter))) {
    const found = await selectNearBlocks(sql, teamId, filter, { ...slice, near: nearOf(slice) })
    if (found.length === slice.limit) return found
  }
  return await selectBlocks(sql, teamId, filter, slice)
}

/** True for a list that the index of values would read in many parts. */
const hasManyCombinations = (filter: BlockFilter): boolean =>
  filter.eventSlug.length === 0 && combinationsOf(filter) > fewCombinations

/** Reading so many parts of an index takes as long as reading the next blocks. */
const fewCombinations = 9

/** How many blocks are read for a first page before the index of values is: enough when each tenth matches. */
const nearOf = ({ limit }: Slice): number => 10 * limit

async function readRare(
  ctx: ReadContext,
  filter: BlockFilter,
  slice: Slice,
): Promise<[ShownRow[], number]> {
  const {
    sql,
    actor: { teamId },
  } = ctx
  return await Promise.all([
    isAssignedInOrder(filter)
      ? readAssigned(ctx, filter, slice)
      : selectRareBlocks(sql, teamId, filter, slice),
    slice.isCounted ? countRareBlocks(sql, teamId, filter, countLimit + 1) : 0,
  ])
}

/** A page of what a member works on, from the next ones of these blocks if they suffice, else from all of them. */
async function readAssigned(
  { sql, actor: { teamId } }: ReadContext,
  filter: BlockFilter,
  slice: Slice,
): Promise<ShownRow[]> {
  const isWhole = isUnfiltered({ ...filter, assignee: null })
  const near = isWhole ? null : nearAssignments + readPerMatch * slice.offset
  const found = await selectAssignedBlocks(sql, teamId, filter, { ...slice, near })
  const isComplete = isWhole || found.length === slice.limit
  return isComplete ? found : await selectRareBlocks(sql, teamId, filter, slice)
}

/** How many blocks of a member are read for the first page of matches before all of them are. */
const nearAssignments = 2_000

async function readSearch(
  ctx: ReadContext,
  filter: BlockFilter,
  slice: Slice,
): Promise<[ShownRow[], number]> {
  const {
    sql,
    actor: { teamId },
  } = ctx
  const sampled = await countAmongNewest(sql, teamId, filter, {
    limit: sampleSize,
    newest: sampleSize,
  })
  if (isNewestPage(filter, slice) && sampled >= slice.limit) {
    return [await selectNearBlocks(sql, teamId, filter, { ...slice, near: sampleSize }), 0]
  }
  const common = isCommon(sampled)
    ? await countAmongNewest(sql, teamId, filter, { limit: countLimit + 1, newest: nearBlocks })
    : 0
  const counted =
    common > countLimit ? common : await countRareBlocks(sql, teamId, filter, countLimit + 1)
  return [await readMatches(ctx, filter, slice, counted), counted]
}

/**
 * A page of a search with this number of matches. Of many, the page is looked for among the next blocks of the list; a
 * word of old blocks alone may be far away, so that its matches are read instead.
 */
async function readMatches(
  { sql, actor: { teamId } }: ReadContext,
  filter: BlockFilter,
  slice: Slice,
  counted: number,
): Promise<ShownRow[]> {
  if (counted <= countLimit) return await selectRareBlocks(sql, teamId, filter, slice)
  if (isByUpdate(sortOf(filter))) return await selectBlocks(sql, teamId, filter, slice)
  const near = nearBlocks + readPerMatch * slice.offset
  const found = await selectNearBlocks(sql, teamId, filter, { ...slice, near })
  const isComplete =
    found.length === slice.limit || !(await selectIsLonger(sql, teamId, filter, { ...slice, near }))
  return isComplete ? found : await selectRareBlocks(sql, teamId, filter, slice)
}

/** How many blocks of a list are read for the first page of matches before all matches are. */
const nearBlocks = 2 * countLimit

/** How many more are read for each match before the page. */
const readPerMatch = 20

const sampleSize = 200

/** True for a first page of the newest blocks without their count. */
const isNewestPage = (filter: BlockFilter, slice: Slice): boolean =>
  !slice.isCounted &&
  slice.position === null &&
  slice.offset === 0 &&
  sortOf(filter) === '-created_at'

/**
 * True when most of the newest blocks match. The index of words reads every match of a word before
 * the first block, which can be a million; reading the newest blocks is faster then.
 */
const isCommon = (sampled: number): boolean => sampled > sampleSize / 2
