import type { Sql, Tx } from '../../../lib/database/db.ts'
import { deleteInSlices } from '../../../lib/database/delete-in-slices.ts'

/** An invitation with its member and team. */
export interface InvitationRow {
  team_id: string
  team_name: string
  member_id: string
  email: string
  name: string
}

/** Stores an invitation. */
export async function insertInvitation(
  sql: Sql | Tx,
  invitation: {
    token_hash: Buffer
    team_id: string
    member_id: string
    expires_at: Date
    created_at: Date
  },
): Promise<void> {
  await sql`insert into invitations ${sql(invitation)}`
}

/** The invitation with this token, unless it has expired. */
export async function selectInvitation(
  sql: Sql | Tx,
  tokenHash: Buffer,
  at: Date,
): Promise<InvitationRow | undefined> {
  const [row] = await sql<InvitationRow[]>`
    select i.team_id, t.name as team_name, i.member_id, m.email, m.name
    from invitations i join teams t on t.id = i.team_id
      join members m on m.team_id = i.team_id and m.id = i.member_id
    where i.token_hash = ${tokenHash} and i.expires_at > ${at} and m.removed_at is null`
  return row
}

/** Deletes a member's invitations and returns how many there were. */
export async function deleteInvitations(
  sql: Sql | Tx,
  teamId: string,
  memberId: string,
): Promise<number> {
  const rows = await sql`
    delete from invitations where team_id = ${teamId} and member_id = ${memberId}
    returning member_id`
  return rows.length
}

/** Deletes the invitations that expired before a moment. */
export async function deleteExpiredInvitations(sql: Sql | Tx, at: Date): Promise<void> {
  await deleteInSlices(sql, 'invitations', sql`expires_at < ${at}`)
}
