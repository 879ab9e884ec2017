import { createHash, randomBytes } from 'node:crypto'
import type { Now } from '../../lib/clock.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { notFound } from '../../lib/errors.ts'
import {
  deleteExpiredInvitations,
  deleteInvitations,
  type InvitationRow,
  insertInvitation,
  linkAccountRow,
  selectInvitation,
} from './sql.ts'

/** How long an invitation holds. */
export const invitationDays = 7

export type Invitation = InvitationRow

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/**
 * A link's token that lets the member it names sign in; those from before stop working. Only its hash
 * is stored.
 */
export async function inviteMember(
  sql: Sql | Tx,
  now: Now,
  teamId: string,
  memberId: string,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const at = now()
  await withDeadline(deleteInvitations(sql, teamId, memberId))
  await withDeadline(
    insertInvitation(sql, {
      token_hash: hashOf(token),
      team_id: teamId,
      member_id: memberId,
      created_at: at,
      expires_at: new Date(at.getTime() + invitationDays * 24 * 3_600_000),
    }),
  )
  return token
}

/** Whom a link invites where. Throws `not_found` for one that is used up, too old or never was. */
export async function getInvitation(sql: Sql | Tx, now: Now, token: string): Promise<Invitation> {
  const invitation = await withDeadline(selectInvitation(sql, hashOf(token), now()))
  if (!invitation) throw notFound('The invitation')
  return invitation
}

/** Gives the invited member's place to an account, once. Throws `not_found` when the link is used up. */
export async function acceptInvitation(
  tx: Tx,
  now: Now,
  token: string,
  accountId: string,
): Promise<Invitation> {
  const invitation = await getInvitation(tx, now, token)
  const removed = await withDeadline(
    deleteInvitations(tx, invitation.team_id, invitation.member_id),
  )
  if (removed === 0) throw notFound('The invitation')
  await withDeadline(linkAccountRow(tx, invitation.team_id, invitation.member_id, accountId))
  return invitation
}

/** Deletes invitations that have expired. */
export async function purgeInvitations(sql: Sql, now: Now): Promise<void> {
  await withDeadline(deleteExpiredInvitations(sql, now()))
}
