import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

interface PreviewLink {
  tokenHash: Buffer
  newsletterId: string
  /** The member who makes it. */
  memberId: string | null
  createdAt: Date
}

/** Stores a link to a preview. Returns the slug of the team. */
export async function insertPreviewLink(
  tx: Tx,
  teamId: string,
  { tokenHash, newsletterId, memberId, createdAt }: PreviewLink,
): Promise<string> {
  const [row] = await tx<[{ slug: string }]>`
    insert into preview_links (team_id, token_hash, newsletter_id, member_id, created_at)
    values (${teamId}, ${tokenHash}, ${newsletterId}, ${memberId}, ${createdAt})
    returning (select slug from teams where id = ${teamId})`
  return row.slug
}

interface ValidLink {
  teamId: string
  teamName: string
  newsletterId: string
  isOpened: boolean
}

/** The link with this token that was created at or after a moment, unless the member who made it was removed. */
export async function selectPreviewLink(
  sql: Sql | Tx,
  slug: string,
  tokenHash: Buffer,
  createdFrom: Date,
): Promise<ValidLink | undefined> {
  const [row] = await sql<ValidLink[]>`
    select t.id as "teamId", t.name as "teamName", l.newsletter_id as "newsletterId",
      l.opened_at is not null as "isOpened"
    from teams t join preview_links l on l.team_id = t.id and l.token_hash = ${tokenHash}
      left join members m on m.team_id = l.team_id and m.id = l.member_id
    where t.slug = ${slug} and l.created_at >= ${createdFrom} and m.removed_at is null`
  return row
}

/** Stores when a link was opened for the first time. */
export async function updateOpenedLink(
  sql: Sql | Tx,
  teamId: string,
  tokenHash: Buffer,
  at: Date,
): Promise<void> {
  await sql`
    update preview_links set opened_at = ${at}
    where team_id = ${teamId} and token_hash = ${tokenHash} and opened_at is null`
}

/** Deletes the links of all teams that were created before a moment. */
export async function deletePreviewLinksBefore(sql: Sql | Tx, moment: Date): Promise<void> {
  await deleteInSlices(sql, 'preview_links', sql`created_at < ${moment}`)
}
