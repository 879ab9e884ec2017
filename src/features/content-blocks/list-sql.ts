import type { LinkedBlock } from '../../contract/event.ts'
import type { BlockSource, BlockStatus, BlockType } from '../../contract/vocabulary.ts'
import type { Sql } from '../../lib/db.ts'
import { type BlockRow, blockColumns } from './sql.ts'

/** Which blocks a list holds. */
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

function matching(sql: Sql, teamId: string, filter: BlockFilter) {
  const among = (column: string, values: readonly string[]) =>
    values.length === 0 ? sql`` : sql`and ${sql(column)} = any(${values as string[]})`
  return sql`
    b.team_id = ${teamId}
    ${among('b.status', filter.status)}
    ${among('b.block_type', filter.blockType)}
    ${among('b.source', filter.source)}
    ${among('b.event_slug', filter.eventSlug)}
    ${filter.words === null ? sql`` : sql`and numnode(plainto_tsquery('simple', ${filter.words})) > 0 and b.search @@ (plainto_tsquery('simple', ${filter.words}) && quote_literal(${teamId}::text)::tsquery)`}
    ${filter.fromId === null ? sql`` : sql`and b.id >= ${filter.fromId}`}
    ${filter.beforeId === null ? sql`` : sql`and b.id < ${filter.beforeId}`}`
}

/** Where a page begins and how much of it is wanted. */
export interface Slice {
  afterId: string | null
  offset: number
  limit: number
}

/** Blocks of a team that match, newest first. Walks the list, so matches should not be rare. */
export async function selectBlocks(
  sql: Sql,
  teamId: string,
  filter: BlockFilter,
  slice: Slice,
): Promise<BlockRow[]> {
  return await sql<BlockRow[]>`
    select ${blockColumns(sql)} from content_blocks b left join api_keys k on k.id = b.api_key_id
    where ${matching(sql, teamId, filter)}
      ${slice.afterId === null ? sql`` : sql`and b.id < ${slice.afterId}`}
    order by b.id desc limit ${slice.limit} offset ${slice.offset}`
}

/**
 * The same for at most `most` matches: finds them all first, by the index of words. PostgreSQL cannot
 * know how rare a word is and would walk the whole list for one that nobody wrote.
 */
export async function selectRareBlocks(
  sql: Sql,
  teamId: string,
  filter: BlockFilter,
  slice: Slice,
  most: number,
): Promise<BlockRow[]> {
  return await sql<BlockRow[]>`
    with found as materialized (
      select b.id from content_blocks b where ${matching(sql, teamId, filter)} limit ${most}
    )
    select ${blockColumns(sql)}
    from content_blocks b join found f on f.id = b.id left join api_keys k on k.id = b.api_key_id
    where b.team_id = ${teamId} ${slice.afterId === null ? sql`` : sql`and b.id < ${slice.afterId}`}
    order by b.id desc limit ${slice.limit} offset ${slice.offset}`
}

/** How many blocks of a team match, counted up to `limit`. */
export async function countBlocks(
  sql: Sql,
  teamId: string,
  filter: BlockFilter,
  limit: number,
): Promise<number> {
  const [row] = await sql<{ counted: number }[]>`
    select count(*)::integer as counted from (
      select 1 from content_blocks b where ${matching(sql, teamId, filter)} limit ${limit}
    ) matches`
  return row?.counted ?? 0
}

/** How many blocks of a team have ids from one to just before another; read from the index alone. */
export async function countBlockIds(
  sql: Sql,
  teamId: string,
  fromId: string,
  beforeId: string,
): Promise<number> {
  const [row] = await sql<{ counted: number }[]>`
    select count(*)::integer as counted from content_blocks
    where team_id = ${teamId} and id >= ${fromId} and id < ${beforeId}`
  return row?.counted ?? 0
}

/** The newest blocks of a team that carry one of these slugs, at most `limit`, newest first. */
export async function selectBlocksOfEvent(
  sql: Sql,
  teamId: string,
  slugs: readonly string[],
  limit: number,
): Promise<LinkedBlock[]> {
  // Slug by slug, so that each reads the index no further than the limit; as a range, since for an
  // equality the planner may walk all blocks of the team by id, looking for a slug that none carries.
  return await sql<LinkedBlock[]>`
    select b.id, b.title, b.status
    from (select distinct unnest(${slugs as string[]}::text[]) as slug) s
    cross join lateral (
      select id, title, status from content_blocks
      where team_id = ${teamId} and event_slug >= s.slug and event_slug <= s.slug
      order by event_slug, id desc limit ${limit}
    ) b
    order by b.id desc limit ${limit}`
}

/** True when a team has a draft. */
export async function selectHasDraft(sql: Sql, teamId: string): Promise<boolean> {
  const rows = await sql`
    select id from content_blocks where team_id = ${teamId} and status = 'draft'
    order by id desc limit 1`
  return rows.length > 0
}

export interface SlugStatusCount {
  event_slug: string
  status: BlockStatus
  count: number
}

/** How many blocks carry each of these slugs, by status; of each slug the newest `limit` count. */
export async function countBlocksBySlug(
  sql: Sql,
  teamId: string,
  slugs: readonly string[],
  limit: number,
): Promise<SlugStatusCount[]> {
  return await sql<SlugStatusCount[]>`
    select s.slug as event_slug, b.status, count(*)::int as count
    from (select distinct unnest(${slugs as string[]}::text[]) as slug) s
    cross join lateral (
      select status from content_blocks
      where team_id = ${teamId} and event_slug >= s.slug and event_slug <= s.slug
      order by event_slug, id desc limit ${limit}
    ) b
    group by s.slug, b.status`
}

/** How many blocks a key has made since the first id given. */
export async function countBlockIdsOfKey(
  sql: Sql,
  teamId: string,
  keyId: string,
  fromId: string,
): Promise<number> {
  const [row] = await sql<{ counted: number }[]>`
    select count(*)::integer as counted from content_blocks
    where team_id = ${teamId} and id >= ${fromId} and api_key_id = ${keyId}`
  return row?.counted ?? 0
}
