import type { ContentBlock } from '../../contract/blocks/content-block.ts'
import type { Context, ReadContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import {
  type SeenBlock,
  type ShownRow,
  selectBlock,
  selectNewerBlocks,
  selectTitles,
} from './sql.ts'
import { type BlockUse, selectUses } from './usage-sql.ts'

/** A stored block in the format of the contract. */
export function toContentBlock(row: ShownRow): ContentBlock {
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
    image_alt: row.image_alt,
    image_size: row.image_size,
    image_focal_x: row.image_focal_x,
    image_focal_y: row.image_focal_y,
    origin: originOf(row),
    publish_after: row.publish_after?.toISOString() ?? null,
    api_key_name: row.api_key_name,
    version: row.version,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

function originOf(row: ShownRow): ContentBlock['origin'] {
  const { provider, external_id, source_url: url, author } = row
  const known = provider ?? external_id ?? url ?? author
  return known === null ? null : { provider, external_id, url, author }
}

/** One block of a team. Throws `not_found`, also for another team's block. */
export async function getBlock({ sql, actor }: Context, id: string): Promise<ContentBlock> {
  const row = await withDeadline(selectBlock(sql, actor.teamId, id))
  if (!row) throw notFound('The content block')
  return toContentBlock(row)
}

/** What became of blocks since somebody has seen them: those that were changed, and the ids of those that were deleted. */
export async function findChangedBlocks(
  { sql, actor }: ReadContext,
  seen: readonly SeenBlock[],
): Promise<{ changed: ContentBlock[]; deleted: string[] }> {
  const ids = seen.map(({ id }) => id)
  const rows = await withDeadline(selectNewerBlocks(sql, actor.teamId, seen))
  const existing = await withDeadline(selectTitles(sql, actor.teamId, ids))
  return { changed: rows.map(toContentBlock), deleted: ids.filter((id) => !existing.has(id)) }
}

/** The titles of these blocks of a team, by their ids; deleted ones have none. */
export async function findTitles(
  { sql, actor }: ReadContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return await withDeadline(selectTitles(sql, actor.teamId, ids))
}

/** The newsletters that contain a block or were sent with it, newest first, at most 20. */
export async function listBlockUses({ sql, actor }: Context, id: string): Promise<BlockUse[]> {
  return await withDeadline(selectUses(sql, actor.teamId, id))
}
