import type { ContentBlock } from '../../contract/content-block.ts'
import type { LinkedBlock } from '../../contract/event.ts'
import { type BlockStatus, blockStatuses } from '../../contract/vocabulary.ts'
import { type Period, utcDay } from '../../lib/clock.ts'
import { type Sql, withDeadline } from '../../lib/db.ts'
import { notFound } from '../../lib/errors.ts'
import { firstIdAt } from '../../lib/ids.ts'
import { countLimit, type Page, type PageRequest } from '../../lib/pagination.ts'
import { countBlockIdsOfKey, selectBlockCount, selectBlockCountOfMonths } from './count-sql.ts'
import {
  countBlocksBySlug,
  type SlugStatusCount,
  selectBlocksOfEvent,
  selectHasDraft,
} from './event-sql.ts'
import {
  type BlockFilter,
  countAmongNewest,
  countBlocks,
  countRareBlocks,
  type Slice,
  selectBlocks,
  selectRareBlocks,
} from './list-sql.ts'
import { type BlockRow, selectBlock } from './sql.ts'
import { type BlockUse, selectUses } from './usage-sql.ts'

/** A stored block as the contract shows it. */
export function toContentBlock(row: BlockRow): ContentBlock {
  return {
    id: row.id,
    title: row.title,
    body: row.body,
    body_format: row.body_format,
    block_type: row.block_type,
    status: row.status,
    source: row.source,
    event_slug: row.event_slug,
    image_url: row.image_url,
    image_size: row.image_size,
    origin: originOf(row),
    publish_after: row.publish_after?.toISOString() ?? null,
    api_key_name: row.api_key_name,
    version: row.version,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

function originOf(row: BlockRow): ContentBlock['origin'] {
  const { provider, external_id, source_url: url, author } = row
  const known = provider ?? external_id ?? url ?? author
  return known === null ? null : { provider, external_id, url, author }
}

/** One block of a team. Throws `not_found`, also for another team's block. */
export async function getBlock(sql: Sql, teamId: string, id: string): Promise<ContentBlock> {
  const row = await withDeadline(selectBlock(sql, teamId, id))
  if (!row) throw notFound('The content block')
  return toContentBlock(row)
}

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

const everything: BlockFilter = {
  ...{ status: [], blockType: [], source: [], eventSlug: [] },
  ...{ words: null, fromId: null, beforeId: null },
}

/** How many blocks of each status a team has, counted up to 10,001. */
export async function countByStatus(
  sql: Sql,
  teamId: string,
): Promise<ReadonlyMap<BlockStatus, number>> {
  const counts = blockStatuses.map(async (status) => {
    const filter = { ...everything, status: [status] }
    return [status, await countBlocks(sql, teamId, filter, countLimit + 1)] as const
  })
  return new Map(await withDeadline(Promise.all(counts)))
}

/** The newsletters that hold a block or went out with it, newest first. */
export async function usesOfBlock(sql: Sql, teamId: string, id: string): Promise<BlockUse[]> {
  return await withDeadline(selectUses(sql, teamId, id))
}

/** The newest 100 blocks that carry one of an event's slugs, newest first. */
export async function blocksOfEvent(
  sql: Sql,
  teamId: string,
  slugs: readonly string[],
): Promise<LinkedBlock[]> {
  return await withDeadline(selectBlocksOfEvent(sql, teamId, slugs, 100))
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

/** True when something of a team waits to be approved. */
export async function hasDrafts(sql: Sql, teamId: string): Promise<boolean> {
  return await withDeadline(selectHasDraft(sql, teamId))
}

/** How many blocks of a team were created in a period of whole months (UTC) and still exist. */
export async function countBlocksCreated(
  sql: Sql,
  teamId: string,
  period: Period,
): Promise<number> {
  const [from, before] = [utcDay(period.start), utcDay(period.end)]
  return await withDeadline(selectBlockCountOfMonths(sql, teamId, from, before))
}

/** How many blocks came through a key since a moment, and are still there. */
export async function countBlocksOfKey(
  sql: Sql,
  teamId: string,
  keyId: string,
  since: Date,
): Promise<number> {
  return await withDeadline(countBlockIdsOfKey(sql, teamId, keyId, firstIdAt('cb', since)))
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
