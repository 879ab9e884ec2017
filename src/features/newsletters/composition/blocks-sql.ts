import {
  type BlockStatus,
  type BlockType,
  blockSources,
  blockTypes,
} from '../../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../../lib/database/db.ts'
import { type BlockRow, blockColumns } from '../../content-blocks/index.ts'

/**
 * A newsletter block with the fields of the content block that lists show: the present ones, or
 * those at the time when it was sent.
 */
export interface NewsletterBlockRow {
  id: string
  position: number
  content_block: { id: string; title: string; block_type: BlockType; status: BlockStatus }
  /** Null in a sent newsletter. */
  publish_after: Date | null
}

/** The blocks of a newsletter, by position. */
export async function selectNewsletterBlocks(
  sql: Sql | Tx,
  teamId: string,
  newsletterId: string,
): Promise<NewsletterBlockRow[]> {
  return await sql<NewsletterBlockRow[]>`
    select nb.id, nb.position, b.publish_after,
      coalesce(nb.snapshot, ${shownBlock(sql)}) as content_block
    from newsletter_blocks nb left join content_blocks b
      on b.team_id = nb.team_id and b.id = nb.content_block_id
    where nb.team_id = ${teamId} and nb.newsletter_id = ${newsletterId} order by nb.position`
}

const shownBlock = (sql: Sql | Tx) => sql`
  jsonb_build_object('id', b.id, 'title', b.title, 'block_type', b.block_type, 'status', b.status)`

/** The template of the newest newsletter of a team. */
export async function selectLatestTemplate(
  sql: Sql | Tx,
  teamId: string,
): Promise<string | undefined> {
  const [row] = await sql<{ slug: string }[]>`
    select template_slug as slug from newsletters where team_id = ${teamId}
    order by id desc limit 1`
  return row?.slug
}

/** The content blocks of an unsent newsletter with all columns, by position. */
export async function selectRenderableBlocks(
  sql: Sql | Tx,
  teamId: string,
  newsletterId: string,
): Promise<(BlockRow & { mark: string })[]> {
  return await sql<(BlockRow & { mark: string })[]>`
    select ${blockColumns(sql)}, nb.id as mark
    from newsletter_blocks nb join content_blocks b
      on b.team_id = nb.team_id and b.id = nb.content_block_id
    where nb.team_id = ${teamId} and nb.newsletter_id = ${newsletterId} order by nb.position`
}

/** Locks a block, so that it is not deleted until the transaction ends, and returns its title. */
export async function lockAvailableBlock(
  tx: Tx,
  teamId: string,
  blockId: string,
): Promise<{ title: string } | undefined> {
  const [row] = await tx<{ title: string }[]>`
    select title from content_blocks where team_id = ${teamId} and id = ${blockId} for key share`
  return row
}

/** Those of these blocks that the team has, which nobody deletes until the transaction ends. */
export async function lockExistingBlocks(
  tx: Tx,
  teamId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from content_blocks where team_id = ${teamId} and id = any(${[...ids]})
    order by id for key share`
  return rows.map(({ id }) => id)
}

/**
 * Locks a newsletter, and the unsent ones that contain one of its blocks, in the order of their ids: when its
 * blocks become used, all of these change.
 */
export async function lockNewslettersOfSameBlocks(
  tx: Tx,
  teamId: string,
  newsletterId: string,
): Promise<void> {
  await tx`
    select n.id from newsletters n
    where n.team_id = ${teamId} and n.status <> 'sent' and n.id in (
      select ${newsletterId} union
      select other.newsletter_id from newsletter_blocks own
      join newsletter_blocks other
        on other.team_id = own.team_id and other.content_block_id = own.content_block_id
      where own.team_id = ${teamId} and own.newsletter_id = ${newsletterId}
    ) order by n.id for update`
}

/** Locks the blocks of a newsletter until the transaction ends. */
export async function lockNewsletterBlocks(
  tx: Tx,
  teamId: string,
  newsletterId: string,
): Promise<void> {
  // Locked in the order of their ids, so that two newsletters with the same blocks do not deadlock.
  await tx`
    select b.id from content_blocks b where b.team_id = ${teamId} and b.id in (
      select content_block_id from newsletter_blocks
      where team_id = ${teamId} and newsletter_id = ${newsletterId}
    ) order by b.id for update`
}

/** Adds `by` to the positions from `from` on: 1 before an insert, -1 after a removal. */
export async function shiftPositions(
  tx: Tx,
  teamId: string,
  { newsletterId, from, by }: { newsletterId: string; from: number; by: 1 | -1 },
): Promise<void> {
  await tx`
    update newsletter_blocks set position = position + ${by}
    where team_id = ${teamId} and newsletter_id = ${newsletterId} and position >= ${from}`
}

/** A newsletter block to store. */
export interface NewNewsletterBlock {
  id: string
  content_block_id: string
  position: number
}

/** Stores newsletter blocks. */
export async function insertNewsletterBlocks(
  tx: Tx,
  teamId: string,
  newsletterId: string,
  blocks: readonly NewNewsletterBlock[],
): Promise<void> {
  const rows = blocks.map((block) => ({ ...block, team_id: teamId, newsletter_id: newsletterId }))
  await tx`insert into newsletter_blocks ${tx(rows)}`
}

/** Deletes a newsletter block; the positions of the others stay as they are. */
export async function deleteNewsletterBlock(
  tx: Tx,
  teamId: string,
  newsletterId: string,
  id: string,
): Promise<void> {
  await tx`
    delete from newsletter_blocks
    where team_id = ${teamId} and newsletter_id = ${newsletterId} and id = ${id}`
}

/** Deletes all blocks of a newsletter. */
export async function deleteNewsletterBlocks(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx`delete from newsletter_blocks where team_id = ${teamId} and newsletter_id = ${id}`
}

/** Sets the positions of newsletter blocks to the order of `ids`, from 1 on. */
export async function updatePositions(
  tx: Tx,
  teamId: string,
  newsletterId: string,
  ids: readonly string[],
): Promise<void> {
  await tx`
    update newsletter_blocks nb set position = wanted.position
    from unnest(${[...ids]}::text[]) with ordinality as wanted (id, position)
    where nb.team_id = ${teamId} and nb.newsletter_id = ${newsletterId} and nb.id = wanted.id`
}

/** Stores snapshots of a newsletter's blocks, and removes the references to the content blocks. */
export async function snapshotBlocks(tx: Tx, teamId: string, newsletterId: string): Promise<void> {
  await tx`
    update newsletter_blocks nb set snapshot = ${shownBlock(tx)}, content_block_id = null
    from content_blocks b
    where b.team_id = nb.team_id and b.id = nb.content_block_id and nb.team_id = ${teamId} and nb.newsletter_id = ${newsletterId}`
}

/** Locks the composition of a team, so that two newsletters never get the same block. */
export async function lockComposition(tx: Tx, teamId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`compose\n${teamId}`}, 0))`
}

/**
 * Locks the oldest `limit` ready blocks of a team that are in no unsent newsletter and may be published
 * by `at`, so that they are not deleted until the transaction ends, and returns them.
 */
export async function lockAvailableBlocks(
  tx: Tx,
  teamId: string,
  { types, at, limit }: { types: readonly BlockType[] | null; at: Date; limit: number },
): Promise<{ id: string; block_type: BlockType }[]> {
  return await tx<{ id: string; block_type: BlockType }[]>`
    with available as materialized (
      select matches.id
      from unnest(${[...new Set(types ?? blockTypes)]}::text[]) as t (block_type)
      cross join unnest(${[...blockSources]}::text[]) as o (source)
      cross join lateral (
        select b.id from content_blocks b
        where b.team_id = ${teamId} and b.status = 'ready' and b.block_type = t.block_type
          and b.source >= o.source and b.source <= o.source
          and (b.publish_after is null or b.publish_after <= ${at})
          and not exists (select from newsletter_blocks nb where nb.content_block_id = b.id)
        order by b.source, b.id limit ${limit}
      ) matches
      order by matches.id limit ${limit}
    )
    select b.id, b.block_type
    from available join content_blocks b on b.team_id = ${teamId} and b.id = available.id
    where b.status = 'ready'
    order by b.id for key share of b`
}
