import type {
  BlockSource,
  BlockStatus,
  BlockType,
  BodyFormat,
  ImageSize,
} from '../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../lib/database/db.ts'

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
  /** For readers who do not see the image; empty when it is decorative, null when nothing is known. */
  image_alt: string | null
  image_size: ImageSize | null
  image_focal_x: number | null
  image_focal_y: number | null
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

/** What a block shows. */
export type ShownRow = Omit<BlockRow, 'team_id' | 'api_key_id'>

/** The columns of a block `b`. */
export const blockColumns = (sql: Sql | Tx) => sql`b.team_id, b.api_key_id, ${shownColumns(sql)}`

/** The columns that a block `b` shows. Its key is looked up for each row: a join would be planned for all keys. */
export const shownColumns = (sql: Sql | Tx) => sql`
  b.id, b.title, b.body, b.body_format, b.block_type, b.status, b.source, b.event_slug,
  b.image_url, b.image_alt, b.image_size, b.image_focal_x, b.image_focal_y, b.provider, b.external_id, b.source_url, b.author, b.publish_after,
  b.version, b.created_at, b.updated_at,
  (select k.name from api_keys k where k.team_id = b.team_id and k.id = b.api_key_id) as api_key_name`

/** One block of a team. */
export async function selectBlock(
  sql: Sql | Tx,
  teamId: string,
  id: string,
): Promise<BlockRow | undefined> {
  const [row] = await sql<BlockRow[]>`
    select ${blockColumns(sql)} from content_blocks b
    where b.team_id = ${teamId} and b.id = ${id}`
  return row
}

/** A block to store. */
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
  | 'image_alt'
  | 'image_size'
  | 'image_focal_x'
  | 'image_focal_y'
  | 'external_id'
  | 'source_url'
  | 'author'
  | 'publish_after'
  | 'api_key_id'
  | 'created_at'
>

/** Stores a block and returns it. */
export async function insertBlock(tx: Tx, block: NewBlockRow): Promise<BlockRow> {
  const [row] = await tx<[BlockRow]>`
    insert into content_blocks as b (id, team_id, title, body, body_format, block_type, status, source,
      event_slug, image_url, image_alt, image_size, image_focal_x, image_focal_y, external_id, source_url,
      author, publish_after, api_key_id, created_at, updated_at)
    values (${block.id}, ${block.team_id}, ${block.title}, ${block.body}, ${block.body_format},
      ${block.block_type}, ${block.status}, ${block.source}, ${block.event_slug},
      ${block.image_url}, ${block.image_alt}, ${block.image_size}, ${block.image_focal_x},
      ${block.image_focal_y}, ${block.external_id}, ${block.source_url},
      ${block.author}, ${block.publish_after}, ${block.api_key_id}, ${block.created_at}, ${block.created_at})
    returning ${blockColumns(tx)}`
  return row
}

/** Locks a block until the transaction ends; false when the team has none with this id. */
export async function lockBlock(tx: Tx, teamId: string, id: string): Promise<boolean> {
  const rows = await tx`
    select id from content_blocks where team_id = ${teamId} and id = ${id} for update`
  return rows.length > 0
}

/** Stores what may be changed of a block that is locked, as its next version, and returns it. */
export async function updateBlockRow(tx: Tx, block: BlockRow): Promise<BlockRow> {
  const [row] = await tx<[BlockRow]>`
    update content_blocks b set title = ${block.title}, body = ${block.body},
      body_format = ${block.body_format}, block_type = ${block.block_type},
      status = ${block.status}, event_slug = ${block.event_slug}, image_url = ${block.image_url},
      image_alt = ${block.image_alt}, image_size = ${block.image_size},
      image_focal_x = ${block.image_focal_x}, image_focal_y = ${block.image_focal_y},
      source_url = ${block.source_url}, author = ${block.author}, publish_after = ${block.publish_after},
      version = b.version + 1, updated_at = ${block.updated_at}
    where b.team_id = ${block.team_id} and b.id = ${block.id}
    returning ${blockColumns(tx)}`
  return row
}

/** A block and the version of it that somebody has seen; null for any version. */
export interface SeenBlock {
  id: string
  version: number | null
}

/** A block that can have the requested status. */
export interface ReviewedRow {
  id: string
  title: string
  outcome: 'changed' | 'had_status' | 'outdated'
}

/**
 * Gives blocks of a team another status. A block that had it before keeps its version, and one whose
 * version is not the one that was seen stays as it is. Rows are locked in the order of their ids, so that
 * two changes of several blocks cannot block each other.
 */
export async function updateStatuses(
  tx: Tx,
  teamId: string,
  change: {
    seen: readonly SeenBlock[]
    from: readonly BlockStatus[]
    status: BlockStatus
    at: Date
  },
): Promise<ReviewedRow[]> {
  const ids = change.seen.map(({ id }) => id)
  const versions = change.seen.map(({ version }) => version)
  return await tx<ReviewedRow[]>`
    with chosen as materialized (
      select b.id, b.title, case when b.status = ${change.status} then 'had_status'
        when b.version <> seen.version then 'outdated' else 'changed' end as outcome
      from content_blocks b
      join unnest(${ids}::text[], ${versions}::integer[]) seen (id, version) on seen.id = b.id
      where b.team_id = ${teamId} and b.id = any(${ids}) and b.status = any(${[...change.from]})
      order by b.id for update of b
    ), changed as (
      update content_blocks b
      set status = ${change.status}, version = b.version + 1, updated_at = ${change.at}
      from chosen where b.team_id = ${teamId} and b.id = chosen.id and chosen.outcome = 'changed'
    )
    select id, title, outcome from chosen order by id`
}

/** Those of a team's blocks that have another version than the one that somebody has seen. */
export async function selectNewerBlocks(
  sql: Sql | Tx,
  teamId: string,
  seen: readonly SeenBlock[],
): Promise<BlockRow[]> {
  const ids = seen.map(({ id }) => id)
  const versions = seen.map(({ version }) => version)
  return await sql<BlockRow[]>`
    select ${blockColumns(sql)} from content_blocks b
    join unnest(${ids}::text[], ${versions}::integer[]) seen (id, version) on seen.id = b.id
    where b.team_id = ${teamId} and b.id = any(${ids}) and b.version <> seen.version`
}

/** The titles of those of these blocks that a team has, by their ids. */
export async function selectTitles(
  sql: Sql | Tx,
  teamId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; title: string }[]>`
    select id, title from content_blocks where team_id = ${teamId} and id = any(${[...ids]})`
  return new Map(rows.map(({ id, title }) => [id, title]))
}

/** Deletes a block. */
export async function deleteBlockRow(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx`delete from content_blocks where team_id = ${teamId} and id = ${id}`
}

export interface WithdrawnRow {
  id: string
  title: string
  external_id: string
  /** False when a newsletter contains the block, so that it is kept. */
  removed: boolean
}

/** Deletes the blocks that a key created under these external ids, unless a newsletter contains them. */
export async function deleteUnused(
  tx: Tx,
  teamId: string,
  keyId: string,
  externalIds: readonly string[],
): Promise<WithdrawnRow[]> {
  return await tx<WithdrawnRow[]>`
    with named as (
      select id, title, external_id from content_blocks
      where team_id = ${teamId} and api_key_id = ${keyId} and external_id = any(${[...externalIds]})
      order by id for update
    ), removed as (
      delete from content_blocks b using named
      where b.team_id = ${teamId} and b.id = named.id and b.status <> 'used'
        and not exists (select from newsletter_blocks nb where nb.content_block_id = b.id)
      returning b.id
    ), erased as (
      delete from block_versions v using removed
      where v.team_id = ${teamId} and v.block_id = removed.id
    )
    select named.*, removed.id is not null as removed
    from named left join removed on removed.id = named.id`
}

/** The external ids among these whose blocks a key created after a moment. */
export async function selectCreatedAfter(
  tx: Tx,
  teamId: string,
  keyId: string,
  { externalIds, createdAfter }: { externalIds: readonly string[]; createdAfter: Date },
): Promise<string[]> {
  const rows = await tx<{ external_id: string }[]>`
    select external_id from content_blocks
    where team_id = ${teamId} and api_key_id = ${keyId} and external_id = any(${[...externalIds]})
      and created_at > ${createdAfter}`
  return rows.map(({ external_id }) => external_id)
}
