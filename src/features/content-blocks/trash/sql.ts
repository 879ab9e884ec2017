import type { Sql, Tx } from '../../../lib/database/db.ts'
import { deleteInSlices } from '../../../lib/database/delete-in-slices.ts'

/** Stores a copy of a block that is about to be deleted. */
export async function insertTrashed(
  tx: Tx,
  teamId: string,
  id: string,
  { at, by }: { at: Date; by: string },
): Promise<void> {
  await tx`
    insert into trashed_blocks (id, team_id, api_key_id, external_id, block, deleted_at, deleted_by)
    select id, team_id, api_key_id, external_id, to_jsonb(b) - 'search', ${at}, ${by}
    from content_blocks b where team_id = ${teamId} and id = ${id}`
}

/** A block that was deleted after a moment and can be restored. */
export async function selectTrashed(
  sql: Sql | Tx,
  teamId: string,
  id: string,
  after: Date,
): Promise<{ title: string; isDeclined: boolean } | undefined> {
  const [row] = await sql<{ title: string; isDeclined: boolean }[]>`
    select block ->> 'title' as title, block ->> 'status' = 'draft' as "isDeclined" from trashed_blocks
    where team_id = ${teamId} and id = ${id} and deleted_at > ${after}`
  return row
}

/** A deleted block as a list shows it. */
export interface TrashedBlock {
  id: string
  title: string
  deleted_at: Date
  /** The actor as the audit log names it; null for a deletion before this was stored. */
  deleted_by: string | null
}

/** The last drafts of a team that were deleted after a moment, newest first. */
export async function selectDeclined(
  sql: Sql | Tx,
  teamId: string,
  { after, limit }: { after: Date; limit: number },
): Promise<TrashedBlock[]> {
  return await sql<TrashedBlock[]>`
    select id, block ->> 'title' as title, deleted_at, deleted_by from trashed_blocks
    where team_id = ${teamId} and deleted_at > ${after} and block ->> 'status' = 'draft'
    order by deleted_at desc limit ${limit}`
}

/**
 * Restores a deleted block and returns its title; undefined when there is no copy, or when the block was
 * received again meanwhile.
 */
export async function restoreTrashed(
  tx: Tx,
  teamId: string,
  id: string,
  after: Date,
): Promise<{ title: string } | undefined> {
  const [row] = await tx<{ title: string }[]>`
    insert into content_blocks (id, team_id, title, body, body_format, block_type, status, source,
      event_slug, image_url, image_alt, image_size, image_focal_x, image_focal_y, provider,
      external_id, source_url, author, publish_after, api_key_id, version, created_at,
      updated_at, original)
    select b.id, b.team_id, b.title, b.body, b.body_format, b.block_type, b.status, b.source,
      b.event_slug, b.image_url, b.image_alt, b.image_size, b.image_focal_x, b.image_focal_y,
      b.provider, b.external_id, b.source_url, b.author, b.publish_after, b.api_key_id, b.version + 1, b.created_at, now(),
      b.original
    from trashed_blocks d cross join lateral jsonb_populate_record(null::content_blocks, d.block) b
    where d.team_id = ${teamId} and d.id = ${id} and d.deleted_at > ${after}
    on conflict do nothing returning title`
  if (row) await tx`delete from trashed_blocks where team_id = ${teamId} and id = ${id}`
  return row
}

/** Purges the deleted blocks that a key created under these external ids, with their versions. */
export async function deleteTrashOfKey(
  tx: Tx,
  teamId: string,
  keyId: string,
  externalIds: readonly string[],
): Promise<void> {
  await tx`
    with purged as (
      delete from trashed_blocks
      where team_id = ${teamId} and api_key_id = ${keyId} and external_id = any(${[...externalIds]})
      returning id
    )
    delete from block_versions v using purged where v.team_id = ${teamId} and v.block_id = purged.id`
}

/** Purges the blocks of all teams that were deleted before a moment. */
export async function deleteTrashBefore(sql: Sql | Tx, moment: Date): Promise<void> {
  await deleteInSlices(sql, 'trashed_blocks', sql`deleted_at < ${moment}`)
}
