import { type Context, inTransaction, type TxContext } from '../../lib/context.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/database/db.ts'
import { invalidField, notFound } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import { linkAccountRow, renameMembers } from './accounts-sql.ts'
import { storeMember } from './add.ts'
import { findMembersByEmail, type Member, memberSubject } from './find.ts'
import { lockAdmins, updateRole } from './sql.ts'

/** Changes the role of a member. Throws `not_found`, and `validation_failed` for the last admin. */
export async function changeRole(
  ctx: Context,
  { memberId, role }: { memberId: string; role: Member['role'] },
): Promise<Member> {
  return await inTransaction(ctx, async (txCtx) => {
    if (role !== 'admin') await requireOtherAdmin(txCtx, memberId)
    const member = await updateRole(txCtx.sql, ctx.actor.teamId, memberId, role)
    if (!member) throw notFound('The member')
    await recordAudit(txCtx, 'member_role_changed', `${memberSubject(member)} to ${role}`)
    return member
  })
}

/** Locks the admins of the team. Throws `validation_failed` when the member is the only one. */
export async function requireOtherAdmin(
  { sql, actor }: TxContext,
  memberId: string,
): Promise<void> {
  const admins = await lockAdmins(sql, actor.teamId)
  if (admins.length === 1 && admins[0]?.id === memberId) {
    throw invalidField(
      '/role',
      'a team needs at least one admin; make another member an admin first',
    )
  }
}

/**
 * Makes the person of an account an admin of the actor's team; adds the person when they are not a
 * member.
 */
export async function promoteAdmin(
  ctx: TxContext,
  { id, email, name }: { id: string; email: string; name: string },
): Promise<Member> {
  const { sql, actor } = ctx
  const [known] = await findMembersByEmail(ctx, [email])
  const member = known ?? (await storeMember(ctx, { email, name, role: 'admin' }))
  await updateRole(sql, actor.teamId, member.id, 'admin')
  await linkAccountRow(sql, actor.teamId, member.id, id)
  return member
}

/** Changes the name of a person in all their teams. */
export async function renameMember(sql: Sql | Tx, accountId: string, name: string): Promise<void> {
  await withDeadline(renameMembers(sql, accountId, name))
}
