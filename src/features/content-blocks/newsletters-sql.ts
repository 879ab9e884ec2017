import type { Tx } from '../../lib/database/db.ts'

/**
 * Locks the unsent newsletters that contain one of these blocks until the transaction ends. Every change of a
 * block also changes them, so that they are locked first: before their blocks, and in the order of their
 * ids, as a newsletter is locked before its blocks. Otherwise two changes could wait for each other.
 */
export async function lockNewslettersOfBlocks(
  tx: Tx,
  teamId: string,
  blockIds: readonly string[],
): Promise<void> {
  await tx`
    select n.id from newsletters n
    where n.team_id = ${teamId} and n.status <> 'sent' and n.id in (
      select nb.newsletter_id from newsletter_blocks nb
      where nb.team_id = ${teamId} and nb.content_block_id = any(${[...blockIds]})
    ) order by n.id for update`
}
