import type { ContentBlock } from '../../contract/content-block.ts'
import { type Sql, withDeadline } from '../../lib/db.ts'
import { countLimit, type Page, type PageRequest } from '../../lib/pagination.ts'
import { selectBlockCount } from './count-sql.ts'
import { toContentBlock } from './get.ts'
import {
  type BlockFilter,
  countAmongNewest,
  countBlocks,
  countRareBlocks,
  type Slice,
  selectBlocks,
  selectRareBlocks,
} from './list-sql.ts'
import type { BlockRow } from './sql.ts'

/** A page of a team's blocks, newest first. */
export async function listBlocks(
  sql: Sql,
  teamId: string,
  filter: BlockFilter,
  page: PageRequest,
): Promise<Page<ContentBlock>> {
  const slice = {
    afterId: page.afterId ?? null,
    offset: page.afterId ? 0 : (page.page - 1) * page.perPage,
    limit: page.perPage + 1,
  }
  const [rows, counted] = await withDeadline(readPage(sql, teamId, filter, slice))
  const items = rows.slice(0, page.perPage).map(toContentBlock)
  return { items, counted, hasMore: rows.length > page.perPage }
}

async function readPage(
  sql: Sql,
  teamId: string,
  filter: BlockFilter,
  slice: Slice,
): Promise<[BlockRow[], number]> {
  if (filter.words !== null) return await readSearch(sql, teamId, filter, slice)
  return await Promise.all([
    selectBlocks(sql, teamId, filter, slice),
    isUnfiltered(filter)
      ? selectBlockCount(sql, teamId)
      : countBlocks(sql, teamId, filter, countLimit + 1),
  ])
}

const isUnfiltered = (filter: BlockFilter): boolean =>
  Object.values(filter).every((value) => value === null || value.length === 0)

async function readSearch(
  sql: Sql,
  teamId: string,
  filter: BlockFilter,
  slice: Slice,
): Promise<[BlockRow[], number]> {
  const common = (await isCommon(sql, teamId, filter))
    ? await countAmongNewest(sql, teamId, filter, countLimit + 1, 2 * countLimit)
    : 0
  const counted =
    common > countLimit ? common : await countRareBlocks(sql, teamId, filter, countLimit + 1)
  const select = counted > countLimit ? selectBlocks : selectRareBlocks
  return [await select(sql, teamId, filter, slice, countLimit), counted]
}

const sampleSize = 200

/**
 * True when most of the newest blocks match. The index of words reads every match of a word before the
 * first block, a million for a word that occurs in each; reading the newest blocks is then quicker.
 */
async function isCommon(sql: Sql, teamId: string, filter: BlockFilter): Promise<boolean> {
  const found = await countAmongNewest(sql, teamId, filter, sampleSize, sampleSize)
  return found > sampleSize / 2
}
