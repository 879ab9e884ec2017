import * as v from 'valibot'
import { emailAddress, singleLineText } from '../../contract/text.ts'
import { memberRoles } from '../../contract/vocabulary.ts'
import { type Context, inTransaction, type ReadContext, type TxContext } from '../../lib/context.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/database/db.ts'
import { invalidField, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { recordAudit } from '../audit-log/index.ts'
import { unlinkAccountsOf } from '../chat-accounts/index.ts'
import {
  linkAccountRow,
  type MembershipRow,
  renameMembers,
  selectMemberships,
} from './accounts-sql.ts'
import { deleteInvitations } from './invitations-sql.ts'
import {
  deletePreviewLinksOf,
  insertMember,
  lockAdmins,
  type MemberRow,
  removeMemberRow,
  selectAdmins,
  selectMember,
  selectMembers,
  selectMembersByEmail,
  selectMembersById,
  updateRole,
} from './sql.ts'

export { memberActor } from './actor.ts'
export {
  acceptInvitation,
  getInvitation,
  type Invitation,
  invitationDays,
  inviteMember,
  purgeInvitations,
} from './invitations.ts'
export { isMemberAddress, joinTeams } from './join-teams.ts'
export { listMemberPage, listMembersByName } from './list.ts'
export { requireRoleLock } from './role-lock.ts'
export { memberCount } from './sql.ts'

/** A person in a team. The address is in lower case. */
export type Member = MemberRow

/** A new member of a team. */
export const NewMember = v.object({
  email: emailAddress,
  name: singleLineText(100),
  role: v.optional(v.picklist(memberRoles, `must be one of ${memberRoles.join(', ')}`), 'editor'),
})

type NewMember = v.InferOutput<typeof NewMember>

/** The name of a member in the audit log. */
export const memberSubject = ({ name, email }: Pick<Member, 'name' | 'email'>) =>
  `${name} (${email})`

/**
 * Adds a person to a team. A person who was removed gets the old id with the new name and role.
 * Throws `validation_failed` when a member has the address already.
 */
export async function addMember(ctx: Context, input: NewMember): Promise<Member> {
  return await inTransaction(ctx, async (txCtx) => {
    const member = await storeMember(txCtx, input)
    await recordAudit(txCtx, 'member_added', memberSubject(member))
    return member
  })
}

async function storeMember({ sql, now, actor }: TxContext, input: NewMember): Promise<Member> {
  const created_at = now()
  const row = { id: newId('mb', created_at), ...input, created_at }
  const member = await insertMember(sql, actor.teamId, row)
  if (!member) throw invalidField('/email', `${input.email} is a member already`, 'taken')
  return member
}

/** The members of a team, by name. */
export async function listMembers({ sql, actor }: ReadContext): Promise<Member[]> {
  return await withDeadline(selectMembers(sql, actor.teamId))
}

/** The admins of a team, at most 50, those with the oldest membership first. */
export async function listAdmins({ sql, actor }: ReadContext): Promise<Member[]> {
  return await withDeadline(selectAdmins(sql, actor.teamId))
}

/** The member of a team with this id; undefined when there is none, or when they were removed. */
export async function findMember(
  { sql, actor }: ReadContext,
  id: string,
): Promise<Member | undefined> {
  return await withDeadline(selectMember(sql, actor.teamId, id))
}

/** The members of a team with these ids, by name; removed members are left out. */
export async function findMembers(
  { sql, actor }: ReadContext,
  ids: readonly string[],
): Promise<Member[]> {
  return await withDeadline(selectMembersById(sql, actor.teamId, ids))
}

/** The members of a team with these addresses, in any capitalization; other addresses are left out. */
export async function findMembersByEmail(
  { sql, actor }: ReadContext,
  emails: readonly string[],
): Promise<Member[]> {
  const wanted = emails.map((email) => email.trim().toLowerCase())
  return await withDeadline(selectMembersByEmail(sql, actor.teamId, wanted))
}

/** A person's membership of a team, with the team. */
export type Membership = MembershipRow

/** The memberships of an account, by the name of the team. */
export async function listMemberships(sql: Sql | Tx, accountId: string): Promise<Membership[]> {
  return await withDeadline(selectMemberships(sql, accountId))
}

/**
 * Makes the owner of an account an admin of the actor's team; adds the person when they are not a
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

async function requireOtherAdmin({ sql, actor }: TxContext, memberId: string): Promise<void> {
  const admins = await lockAdmins(sql, actor.teamId)
  if (admins.length === 1 && admins[0]?.id === memberId) {
    throw invalidField(
      '/role',
      'a team needs at least one admin; make another member an admin first',
    )
  }
}

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
