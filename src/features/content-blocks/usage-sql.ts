import type { BlockStatus, BodyFormat, NewsletterStatus } from '../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../lib/db.ts'

/** The unsent newsletter in which a block stands, if any: the one begun first. */
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

/** A newsletter that holds a block, or went out with it. */
export interface BlockUse {
  id: string
  title: string
  status: NewsletterStatus
}

/** The newsletters that hold a block or went out with it, the newest 20. */
export async function selectUses(sql: Sql, teamId: string, id: string): Promise<BlockUse[]> {
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
 * Makes blocks used because their newsletter was sent, those that are not yet as their next version.
 * There is no other way for a block to get there.
 */
export async function markBlocksUsed(
  tx: Tx,
  teamId: string,
  ids: readonly string[],
  at: Date,
): Promise<void> {
  await tx`
    update content_blocks set status = 'used', version = version + 1, updated_at = ${at}
    where team_id = ${teamId} and id = any(${ids as string[]}) and status <> 'used'`
}

/** What matters of a block that a connection made. */
export interface LockedBlock {
  id: string
  title: string
  body: string
  body_format: BodyFormat
  status: BlockStatus
  version: number
}

/** The block that a key made, by its id or under its external id, locked until the transaction ends. */
export async function lockBlockOfKey(
  tx: Tx,
  teamId: string,
  keyId: string,
  by: { id: string } | { externalId: string },
): Promise<LockedBlock | undefined> {
  const [row] = await tx<LockedBlock[]>`
    select id, title, body, body_format, status, version from content_blocks
    where team_id = ${teamId} and api_key_id = ${keyId}
      and ${'id' in by ? tx`id = ${by.id}` : tx`external_id = ${by.externalId}`}
    for update`
  return row
}

/** Rewrites a block that gathers several things, as its next version, without a source or an author. */
export async function updateRollupText(
  tx: Tx,
  teamId: string,
  id: string,
  { title, body }: { title: string; body: string },
  at: Date,
): Promise<void> {
  await tx`
    update content_blocks set title = ${title}, body = ${body}, body_format = 'html',
      source_url = null, author = null, version = version + 1, updated_at = ${at}
    where team_id = ${teamId} and id = ${id}`
}
