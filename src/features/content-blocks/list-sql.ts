import type { PendingQuery, Row } from 'postgres'
import {
  type BlockSource,
  type BlockStatus,
  type BlockType,
  blockSources,
  blockStatuses,
  blockTypes,
} from '../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../lib/db.ts'
import { countLimit } from '../../lib/pagination.ts'
import { type BlockRow, blockColumns } from './sql.ts'

/** Which blocks a list contains. */
export interface BlockFilter {
  status: readonly BlockStatus[]
  blockType: readonly BlockType[]
  source: readonly BlockSource[]
  eventSlug: readonly string[]
  words: string | null
  /** Ids at or after this one. */
  fromId: string | null
  /** Ids before this one. */
  beforeId: string | null
}

const isEmpty = ({ status, blockType, source, eventSlug }: BlockFilter): boolean =>
  status.length + blockType.length + source.length + eventSlug.length === 0

const among = (sql: Sql | Tx, column: string, values: readonly string[]) =>
  values.length === 0 ? sql`` : sql`and ${sql(column)} = any(${values as string[]})`

const idRange = (sql: Sql | Tx, { fromId, beforeId }: BlockFilter, afterId: string | null) => sql`
  ${fromId === null ? sql`` : sql`and b.id >= ${fromId}`}
  ${beforeId === null ? sql`` : sql`and b.id < ${beforeId}`}
  ${afterId === null ? sql`` : sql`and b.id < ${afterId}`}`

const havingWords = (sql: Sql | Tx, teamId: string, words: string) => sql`
  and numnode(plainto_tsquery('simple', ${words})) > 0
  and b.search @@ (plainto_tsquery('simple', ${words}) && quote_literal(${teamId}::text)::tsquery)`

/** The conditions of a filter on a block `b`, whatever index finds it. */
const matching = (
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  afterId: string | null,
) => sql`
  b.team_id = ${teamId} ${idRange(sql, filter, afterId)}
  ${among(sql, 'b.status', filter.status)} ${among(sql, 'b.block_type', filter.blockType)}
  ${among(sql, 'b.source', filter.source)} ${among(sql, 'b.event_slug', filter.eventSlug)}
  ${filter.words === null ? sql`` : havingWords(sql, teamId, filter.words)}`

const valuesOr = <Value extends string>(
  values: readonly Value[],
  all: readonly Value[],
): string[] => (values.length === 0 ? [...all] : [...new Set(values)])

/**
 * The newest `most` ids of each combination of the filter's values, from the index that begins with
 * them. The last value is given as a range and sorted by: for an equality, PostgreSQL may walk all
 * blocks of the team by id, looking for a value that none has.
 */
function idsByValues(
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  { afterId, most }: { afterId: string | null; most: number },
) {
  if (filter.eventSlug.length > 0) {
    return sql`
      unnest(${valuesOr(filter.eventSlug, [])}::text[]) as s (slug) cross join lateral (
        select b.id from content_blocks b
        where b.team_id = ${teamId} and b.event_slug >= s.slug and b.event_slug <= s.slug
          ${among(sql, 'b.status', filter.status)} ${among(sql, 'b.block_type', filter.blockType)}
          ${among(sql, 'b.source', filter.source)} ${idRange(sql, filter, afterId)}
        order by b.event_slug, b.id desc limit ${most}
      ) matches`
  }
  return sql`
    unnest(${valuesOr(filter.status, blockStatuses)}::text[]) as s (status)
    cross join unnest(${valuesOr(filter.blockType, blockTypes)}::text[]) as t (block_type)
    cross join unnest(${valuesOr(filter.source, blockSources)}::text[]) as o (source)
    cross join lateral (
      select b.id from content_blocks b
      where b.team_id = ${teamId} and b.status = s.status and b.block_type = t.block_type
        and b.source >= o.source and b.source <= o.source ${idRange(sql, filter, afterId)}
      order by b.source desc, b.id desc limit ${most}
    ) matches`
}

/** Where a page begins and how many rows it has. */
export interface Slice {
  afterId: string | null
  offset: number
  limit: number
}

/** Blocks of a team that match, newest first. With words it walks the list, so they should not be rare. */
export async function selectBlocks(
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  { afterId, offset, limit }: Slice,
): Promise<BlockRow[]> {
  if (offset === 0 && filter.words === null && isEmpty(filter)) {
    return await sql<BlockRow[]>`
      select ${blockColumns(sql)}
      from content_blocks b left join api_keys k on k.team_id = b.team_id and k.id = b.api_key_id
      where ${matching(sql, teamId, filter, afterId)}
      order by b.id desc limit ${limit}`
  }
  // The ids alone come from an index, so that the rows before the offset are not read.
  const most = offset + limit
  const ids =
    filter.words === null && !isEmpty(filter)
      ? sql`select id from ${idsByValues(sql, teamId, filter, { afterId, most })}
          order by id desc limit ${limit} offset ${offset}`
      : sql`select b.id from content_blocks b where ${matching(sql, teamId, filter, afterId)}
          order by b.id desc limit ${limit} offset ${offset}`
  return await sql<BlockRow[]>`
    with page as materialized (${ids})
    select ${blockColumns(sql)}
    from page join content_blocks b on b.team_id = ${teamId} and b.id = page.id
      left join api_keys k on k.id = b.api_key_id
    order by b.id desc`
}

/**
 * The same for at most 10,000 matches: finds them all first, by the index of words. PostgreSQL cannot
 * know how rare a word is and would walk the whole list for one that nobody wrote.
 */
export async function selectRareBlocks(
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  slice: Slice,
): Promise<BlockRow[]> {
  return await sql<BlockRow[]>`
    with found as materialized (
      select b.id from content_blocks b where ${matching(sql, teamId, filter, null)} limit ${countLimit}
    )
    select ${blockColumns(sql)}
    from content_blocks b join found f on f.id = b.id left join api_keys k on k.id = b.api_key_id
    where b.team_id = ${teamId} ${slice.afterId === null ? sql`` : sql`and b.id < ${slice.afterId}`}
    order by b.id desc limit ${slice.limit} offset ${slice.offset}`
}

/** How many blocks of a team match a filter without words, counted up to `limit`. */
export async function countBlocks(
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  limit: number,
): Promise<number> {
  const matches = isEmpty(filter)
    ? sql`select 1 from content_blocks b where ${matching(sql, teamId, filter, null)} limit ${limit}`
    : sql`select 1 from ${idsByValues(sql, teamId, filter, { afterId: null, most: limit })} limit ${limit}`
  return await countRows(sql, matches)
}

/** How many blocks of a team match a filter with words, counted up to `limit` in the index of words. */
export async function countRareBlocks(
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  limit: number,
): Promise<number> {
  return await countRows(
    sql,
    sql`select 1 from content_blocks b where ${matching(sql, teamId, filter, null)} limit ${limit}`,
  )
}

/** How many of the `newest` blocks of a team match a filter, counted up to `limit`. */
export async function countAmongNewest(
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  { limit, newest }: { limit: number; newest: number },
): Promise<number> {
  return await countRows(
    sql,
    sql`select 1 from (
      select * from content_blocks where team_id = ${teamId} order by id desc limit ${newest}
    ) b where ${matching(sql, teamId, filter, null)} limit ${limit}`,
  )
}

async function countRows(sql: Sql | Tx, matches: PendingQuery<Row[]>): Promise<number> {
  const [row] = await sql<{ counted: number }[]>`
    select count(*)::integer as counted from (${matches}) matches`
  return row?.counted ?? 0
}
