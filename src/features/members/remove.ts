import { type Context, inTransaction } from '../../lib/context.ts'
import { notFound } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import { unlinkAccountsOf } from '../chat-accounts/index.ts'
import { type Member, memberSubject } from './find.ts'
import { deleteInvitations } from './invitations/sql.ts'
import { deletePreviewLinksOf, removeMemberRow } from './sql.ts'
import { requireOtherAdmin } from './update.ts'

/**
 * Removes a member, named by id or address, their invitations, their links to previews and to accounts of chats from a
 * team. Returns the member. Throws `not_found`.
 */
export async function removeMember(ctx: Context, idOrEmail: string): Promise<Member> {
  return await inTransaction(ctx, async (txCtx) => {
    const member = await removeMemberRow(txCtx.sql, ctx.actor.teamId, idOrEmail, txCtx.now())
    if (!member) throw notFound('The member')
    const { teamId } = ctx.actor
    await deleteInvitations(txCtx.sql, teamId, member.id)
    // A person who is added again gets the old id.
    await deletePreviewLinksOf(txCtx.sql, teamId, member.id)
    // An address, and the member with it, can pass to another person.
    await unlinkAccountsOf(txCtx, { teamId, memberId: member.id })
    await recordAudit(txCtx, 'member_removed', memberSubject(member))
    return member
  })
}

/**
 * Removes a member from a team as `removeMember` does. Throws `not_found`, and `validation_failed` for the
 * last admin.
 */
export async function removeMemberUnlessLastAdmin(ctx: Context, memberId: string): Promise<Member> {
  return await inTransaction(ctx, async (txCtx) => {
    await requireOtherAdmin(txCtx, memberId)
    return await removeMember(txCtx, memberId)
  })
}
