import type { Tx } from '../../lib/db.ts'

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
