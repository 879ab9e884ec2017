import { dayMs } from '../../../lib/clock.ts'
import {
  type Context,
  inTransaction,
  type ServiceContext,
  type TxContext,
} from '../../../lib/context.ts'
import { withDeadline } from '../../../lib/database/db.ts'
import { notFound } from '../../../lib/errors.ts'
import { hashLinkToken, newLinkToken } from '../../../lib/ids.ts'
import { recordAudit } from '../../audit-log/index.ts'
import { linkAccountRow } from '../accounts-sql.ts'
import {
  deleteExpiredInvitations,
  deleteInvitations,
  type InvitationRow,
  insertInvitation,
  selectInvitation,
} from './sql.ts'

/** How long an invitation is valid, in days. */
export const invitationDays = 7

export type Invitation = InvitationRow

/**
 * Creates an invitation for a member and returns the token of its link. Earlier invitations of the
 * member stop working. Only the hash of the token is stored.
 */
export async function inviteMember(
  ctx: Context,
  { id, name, email }: { id: string; name: string; email: string },
): Promise<string> {
  const { teamId } = ctx.actor
  const token = newLinkToken()
  await inTransaction(ctx, async (txCtx) => {
    const at = txCtx.now()
    await deleteInvitations(txCtx.sql, teamId, id)
    await insertInvitation(txCtx.sql, {
      token_hash: hashLinkToken(token),
      team_id: teamId,
      member_id: id,
      created_at: at,
      expires_at: new Date(at.getTime() + invitationDays * dayMs),
    })
    await recordAudit(txCtx, 'member_invited', `${name} (${email})`)
  })
  return token
}

/**
 * The invitation with this token. Throws `not_found` when it was accepted, has expired or does not
 * exist.
 */
export async function getInvitation(
  { sql, now }: ServiceContext,
  token: string,
): Promise<Invitation> {
  const invitation = await withDeadline(selectInvitation(sql, hashLinkToken(token), now()))
  if (!invitation) throw notFound('The invitation')
  return invitation
}

/** Links the invited member to an account, once. Throws `not_found` when the invitation was accepted. */
export async function acceptInvitation(
  ctx: TxContext<ServiceContext>,
  { token, accountId }: { token: string; accountId: string },
): Promise<Invitation> {
  const { sql } = ctx
  const invitation = await getInvitation(ctx, token)
  const { team_id, member_id } = invitation
  if ((await deleteInvitations(sql, team_id, member_id)) === 0) throw notFound('The invitation')
  await linkAccountRow(sql, team_id, member_id, accountId)
  return invitation
}

/** Deletes invitations that have expired. */
export async function purgeInvitations({ sql, now }: ServiceContext): Promise<void> {
  await deleteExpiredInvitations(sql, now())
}
