import type { BlockStatus, BodyFormat, NewsletterStatus } from '../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../lib/database/db.ts'

/** The unsent newsletter that contains a block, if any: the one that was created first. */
export async function selectUnsentNewsletterWith(
  tx: Tx,
  teamId: string,
  id: string,
): Promise<{ id: string; title: string } | undefined> {
  const [row] = await tx<{ id: string; title: string }[]>`
    select n.id, n.title from newsletter_blocks nb join newsletters n on n.id = nb.newsletter_id
    where nb.team_id = ${teamId} and nb.content_block_id = ${id} order by n.id limit 1`
  return row
}

/** A newsletter that contains a block or was sent with it. */
export interface BlockUse {
  id: string
  title: string
  status: NewsletterStatus
}

/** The newest 20 newsletters that contain a block or were sent with it. */
export async function selectUses(sql: Sql | Tx, teamId: string, id: string): Promise<BlockUse[]> {
  return await sql<BlockUse[]>`
    select n.id, n.title, n.status from newsletters n
    where n.team_id = ${teamId} and n.id in (
      select newsletter_id from newsletter_blocks
      where team_id = ${teamId} and content_block_id = ${id}
      union all
      select newsletter_id from newsletter_blocks
      where team_id = ${teamId} and snapshot ->> 'id' = ${id} and snapshot is not null
    )
    order by n.id desc limit 20`
}

/**
 * Marks blocks as used because their newsletter was sent; a block whose status changes gets its next
 * version. No other function makes a block used.
 */
export async function markBlocksUsed(
  tx: Tx,
  teamId: string,
  ids: readonly string[],
  at: Date,
): Promise<void> {
  await tx`
    update content_blocks set status = 'used', version = version + 1, updated_at = ${at}
    where team_id = ${teamId} and id = any(${[...ids]}) and status <> 'used'`
}

/** The external id and the id of a block that a connection created. */
export type BlockIdentity = { id: string } | { externalId: string }

/** A block that a connection created. */
export interface LockedBlock {
  id: string
  title: string
  body: string
  body_format: BodyFormat
  status: BlockStatus
  version: number
}

/** Stores who has changed a block of unsent newsletters, because they cannot approve these alone; a key changes nothing. */
export async function updateChangedBy(
  tx: Tx,
  teamId: string,
  blockId: string,
  memberId: string | null,
): Promise<void> {
  await tx`
    update newsletters n set changed_by = coalesce(${memberId}, n.changed_by)
    from newsletter_blocks nb
    where n.team_id = ${teamId} and n.id = nb.newsletter_id and n.status <> 'sent'
      and nb.team_id = ${teamId} and nb.content_block_id = ${blockId}`
}

/** Locks a block that a key created, by its id or its external id, until the transaction ends. */
export async function lockBlockOfKey(
  tx: Tx,
  teamId: string,
  keyId: string,
  by: BlockIdentity,
): Promise<LockedBlock | undefined> {
  const [row] = await tx<LockedBlock[]>`
    select id, title, body, body_format, status, version from content_blocks
    where team_id = ${teamId} and api_key_id = ${keyId}
      and ${'id' in by ? tx`id = ${by.id}` : tx`external_id = ${by.externalId}`}
    for update`
  return row
}

/** Replaces the text of a rollup block, as its next version, and removes its source and author. */
export async function updateRollupText(
  tx: Tx,
  teamId: string,
  { id, title, body, at }: { id: string; title: string; body: string; at: Date },
): Promise<void> {
  await tx`
    update content_blocks set title = ${title}, body = ${body}, body_format = 'html',
      source_url = null, author = null, version = version + 1, updated_at = ${at}
    where team_id = ${teamId} and id = ${id}`
}
