import type { Sql, Tx } from '../../lib/database/db.ts'
import type { DraftDigest } from '../accounts/index.ts'

/** A member who wants new drafts by email. */
export interface DigestMember {
  team_id: string
  member_id: string
  draft_digest: Exclude<DraftDigest, 'off'>
  /** The IANA time zone of the person, or null. */
  time_zone: string | null
  /** When the last digest was prepared; null before the first one. */
  draft_digest_at: Date | null
}

/** The editors of all teams who want a digest, after one of them, in the order of their ids. */
export async function selectDigestMembers(
  sql: Sql,
  { after, limit }: { after: string; limit: number },
): Promise<DigestMember[]> {
  return await sql<DigestMember[]>`
    select m.team_id, m.id as member_id, a.draft_digest, a.time_zone, m.draft_digest_at
    from accounts a join members m on m.account_id = a.id
    where a.draft_digest <> 'off' and m.removed_at is null and m.role in ('admin', 'editor')
      and m.id > ${after}
    order by m.id limit ${limit}`
}

/** Stores when a digest was prepared; false when it was prepared by another process in the meantime. */
export async function updateDigestTime(
  tx: Tx,
  { team_id, member_id, draft_digest_at }: DigestMember,
  at: Date,
): Promise<boolean> {
  const rows = await tx`
    update members set draft_digest_at = ${at}
    where team_id = ${team_id} and id = ${member_id}
      and draft_digest_at is not distinct from ${draft_digest_at}
    returning id`
  return rows.length > 0
}

/** A draft in a digest. */
export interface NewDraft {
  id: string
  title: string
  author: string | null
}

/** The newest drafts with an id from `from` on and below `before`, and how many there are, at most `max`. */
export async function selectDigestDrafts(
  tx: Tx,
  teamId: string,
  { from, before, limit, max }: { from: string; before: string; limit: number; max: number },
): Promise<{ drafts: NewDraft[]; count: number }> {
  const rows = await tx<NewDraft[]>`
    select id, title, author from content_blocks
    where team_id = ${teamId} and id >= ${from} and id < ${before} and status = 'draft'
    order by id desc limit ${max}`
  return { drafts: rows.slice(0, limit), count: rows.length }
}
