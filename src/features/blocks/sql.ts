import type { LinkedBlock } from '../../contract/event.ts'
import type {
  BlockSource,
  BlockStatus,
  BlockType,
  BodyFormat,
  ImageSize,
} from '../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../lib/db.ts'

export interface BlockRow {
  id: string
  team_id: string
  title: string
  body: string
  body_format: BodyFormat
  block_type: BlockType
  status: BlockStatus
  source: BlockSource
  event_slug: string | null
  image_url: string | null
  image_size: ImageSize | null
  provider: string | null
  external_id: string | null
  source_url: string | null
  author: string | null
  publish_after: Date | null
  api_key_id: string | null
  api_key_name: string | null
  version: number
  created_at: Date
  updated_at: Date
}

/** The columns of a block `b` and of the key `k` it came with. */
export const blockColumns = (sql: Sql | Tx) => sql`
  b.id, b.team_id, b.title, b.body, b.body_format, b.block_type, b.status, b.source, b.event_slug,
  b.image_url, b.image_size, b.provider, b.external_id, b.source_url, b.author, b.publish_after,
  b.api_key_id, k.name as api_key_name, b.version, b.created_at, b.updated_at`

/** One block of a team. */
export async function selectBlock(
  sql: Sql | Tx,
  teamId: string,
  id: string,
): Promise<BlockRow | undefined> {
  const [row] = await sql<BlockRow[]>`
    select ${blockColumns(sql)} from content_blocks b left join api_keys k on k.id = b.api_key_id
    where b.team_id = ${teamId} and b.id = ${id}`
  return row
}

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

/** A block to store, as its author gives it. */
export type NewBlockRow = Pick<
  BlockRow,
  | 'id'
  | 'team_id'
  | 'title'
  | 'body'
  | 'body_format'
  | 'block_type'
  | 'status'
  | 'source'
  | 'event_slug'
  | 'image_url'
  | 'image_size'
  | 'publish_after'
  | 'api_key_id'
  | 'created_at'
>

/** Stores a block. */
export async function insertBlock(tx: Tx, block: NewBlockRow): Promise<void> {
  await tx`
    insert into content_blocks (id, team_id, title, body, body_format, block_type, status, source,
      event_slug, image_url, image_size, publish_after, api_key_id, created_at, updated_at)
    values (${block.id}, ${block.team_id}, ${block.title}, ${block.body}, ${block.body_format},
      ${block.block_type}, ${block.status}, ${block.source}, ${block.event_slug},
      ${block.image_url}, ${block.image_size}, ${block.publish_after}, ${block.api_key_id},
      ${block.created_at}, ${block.created_at})`
}

/** Keeps others from changing a block until the transaction ends; false when there is none. */
export async function lockBlock(tx: Tx, teamId: string, id: string): Promise<boolean> {
  const rows = await tx`
    select id from content_blocks where team_id = ${teamId} and id = ${id} for update`
  return rows.length > 0
}

/** Stores what may be changed of a block, as its next version. */
export async function updateBlockRow(tx: Tx, block: BlockRow): Promise<void> {
  await tx`
    update content_blocks set title = ${block.title}, body = ${block.body},
      body_format = ${block.body_format}, block_type = ${block.block_type},
      status = ${block.status}, event_slug = ${block.event_slug}, image_url = ${block.image_url},
      image_size = ${block.image_size}, publish_after = ${block.publish_after},
      version = version + 1, updated_at = ${block.updated_at}
    where team_id = ${block.team_id} and id = ${block.id}`
}

/** Deletes a block. */
export async function deleteBlockRow(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx`delete from content_blocks where team_id = ${teamId} and id = ${id}`
}

export interface WithdrawnRow {
  id: string
  title: string
  external_id: string
  /** False when a newsletter holds the block, so that it stays. */
  removed: boolean
}

/** Deletes the blocks a key made under these external ids, unless a newsletter holds them. */
export async function deleteUnused(
  tx: Tx,
  teamId: string,
  keyId: string,
  externalIds: readonly string[],
): Promise<WithdrawnRow[]> {
  return await tx<WithdrawnRow[]>`
    with named as (
      select id, title, external_id from content_blocks
      where team_id = ${teamId} and api_key_id = ${keyId} and external_id = any(${externalIds as string[]})
    ), removed as (
      delete from content_blocks b using named
      where b.team_id = ${teamId} and b.id = named.id and b.status <> 'used'
        and not exists (select from newsletter_blocks nb where nb.content_block_id = b.id)
      returning b.id
    )
    select named.*, removed.id is not null as removed
    from named left join removed on removed.id = named.id`
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
