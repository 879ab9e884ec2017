import type { Tx } from '../../../lib/database/db.ts'

/** The ids of the blocks that a sent newsletter contains as snapshots. */
export async function selectSnapshotIds(
  tx: Tx,
  teamId: string,
  newsletterId: string,
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select snapshot ->> 'id' as id from newsletter_blocks
    where team_id = ${teamId} and newsletter_id = ${newsletterId} and snapshot is not null`
  return rows.map(({ id }) => id)
}

/** Replaces the snapshots of a newsletter's blocks by the blocks that still exist, and returns their ids. */
export async function restoreNewsletterBlocks(
  tx: Tx,
  teamId: string,
  newsletterId: string,
): Promise<string[]> {
  // Locked in the order of their ids, as everywhere else.
  await tx`
    select b.id from content_blocks b where b.team_id = ${teamId} and b.id in (
      select snapshot ->> 'id' from newsletter_blocks
      where team_id = ${teamId} and newsletter_id = ${newsletterId}
    ) order by b.id for update`
  const rows = await tx<{ id: string }[]>`
    update newsletter_blocks nb set snapshot = null, content_block_id = b.id
    from content_blocks b
    where b.team_id = nb.team_id and b.id = nb.snapshot ->> 'id'
      and nb.team_id = ${teamId} and nb.newsletter_id = ${newsletterId}
    returning b.id`
  return rows.map(({ id }) => id)
}

/** Whether a newsletter was posted to a chat, or is only going to be, so that it can be cancelled; null for neither. */
export async function selectPostState(
  tx: Tx,
  teamId: string,
  newsletterId: string,
): Promise<'posted' | 'planned' | null> {
  const [row] = await tx<[{ state: 'posted' | 'planned' | null }]>`
    select case
      when bool_or(status <> 'waiting' or (scheduled_at is null and reason is null)) then 'posted'
      when count(*) > 0 then 'planned'
    end as state
    from newsletter_posts
    where team_id = ${teamId} and newsletter_id = ${newsletterId} and status <> 'failed'`
  return row.state
}

/** How many blocks of a newsletter exist as snapshots only. */
export async function countSnapshots(
  tx: Tx,
  teamId: string,
  newsletterId: string,
): Promise<number> {
  const [row] = await tx<[{ n: number }]>`
    select count(*)::integer as n from newsletter_blocks
    where team_id = ${teamId} and newsletter_id = ${newsletterId} and snapshot is not null`
  return row.n
}

/** Sets blocks to ready that were sent in no newsletter. */
export async function resetUnusedBlocks(
  tx: Tx,
  teamId: string,
  ids: readonly string[],
  at: Date,
): Promise<void> {
  await tx`
    update content_blocks b set status = 'ready', version = version + 1, updated_at = ${at}
    where b.team_id = ${teamId} and b.id = any(${[...ids]}) and b.status = 'used'
      and not exists (
        select from newsletter_blocks
        where team_id = ${teamId} and snapshot ->> 'id' = b.id and snapshot is not null
      )`
}

/** Sets a sent newsletter to ready and deletes its snapshot. */
export async function setReadyAgain(tx: Tx, teamId: string, id: string, at: Date): Promise<void> {
  await tx`
    update newsletters set status = 'ready', sent_at = null, sent_day = null, sent_html = null,
      sent_text = null, version = version + 1, updated_at = ${at}
    where team_id = ${teamId} and id = ${id} and status = 'sent'`
}
