import * as v from 'valibot'
import { emailAddress, singleLineText } from '../../contract/text.ts'
import { memberRoles } from '../../contract/vocabulary.ts'
import type { Now } from '../../lib/clock.ts'
import type { Actor } from '../../lib/context.ts'
import { type Sql, type Tx, transaction, withDeadline } from '../../lib/db.ts'
import { invalidField, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import {
  countMemberRows,
  deleteInvitations,
  insertMember,
  linkAccountRow,
  lockAdmins,
  type MemberRow,
  type MembershipRow,
  removeMemberRow,
  renameMembers,
  selectAdmins,
  selectMember,
  selectMembers,
  selectMembersByEmail,
  selectMemberships,
  updateRole,
} from './sql.ts'

export {
  acceptInvitation,
  getInvitation,
  type Invitation,
  invitationDays,
  inviteMember,
  purgeInvitations,
} from './invitations.ts'

/** A person on a team. The address is in lower case. */
export type Member = MemberRow

/** What is said of a person when adding them to a team. */
export const NewMember = v.object({
  email: emailAddress,
  name: singleLineText(100),
  role: v.optional(v.picklist(memberRoles, `must be one of ${memberRoles.join(', ')}`), 'editor'),
})

/**
 * Adds a person to a team. Who was removed before comes back under the old id, with the new name and
 * role. Throws `validation_failed` when the address is a member's already.
 */
export async function addMember(
  sql: Sql | Tx,
  now: Now,
  teamId: string,
  input: v.InferOutput<typeof NewMember>,
): Promise<Member> {
  const created_at = now()
  const row = { id: newId('mb', created_at), ...input, created_at }
  const member = await withDeadline(insertMember(sql, teamId, row))
  if (!member) throw invalidField('/email', `${input.email} is a member already`, 'taken')
  return member
}

/** The members of a team, by name. */
export async function listMembers(sql: Sql, teamId: string): Promise<Member[]> {
  return await withDeadline(selectMembers(sql, teamId))
}

/** The admins of a team, 50 at most, the longest-serving first. */
export async function listAdmins(sql: Sql | Tx, teamId: string): Promise<Member[]> {
  return await withDeadline(selectAdmins(sql, teamId))
}

/** How many members a team has. */
export async function countMembers(sql: Sql, teamId: string): Promise<number> {
  return await withDeadline(countMemberRows(sql, teamId))
}

/** The member of a team with this id; undefined for who never was one, or is one no longer. */
export async function findMember(
  sql: Sql | Tx,
  teamId: string,
  id: string,
): Promise<Member | undefined> {
  return await withDeadline(selectMember(sql, teamId, id))
}

/** The members of a team among these addresses, however they are spelled in capitals; strangers are left out. */
export async function findMembersByEmail(
  sql: Sql | Tx,
  teamId: string,
  emails: readonly string[],
): Promise<Member[]> {
  const wanted = emails.map((email) => email.trim().toLowerCase())
  return await withDeadline(selectMembersByEmail(sql, teamId, wanted))
}

/** A person's place in a team, with the team. */
export type Membership = MembershipRow

/** The teams in which an account has a place, by name. */
export async function listMemberships(sql: Sql | Tx, accountId: string): Promise<Membership[]> {
  return await withDeadline(selectMemberships(sql, accountId))
}

/** The actor that a member of a team is, by name and address; `address` is the client's network address. */
export const memberActor = (
  {
    id: memberId,
    team_id: teamId,
    name,
    email,
  }: Pick<Membership, 'id' | 'team_id' | 'name' | 'email'>,
  address: string | null,
): Actor => ({ kind: 'member', teamId, memberId, name: `${name} (${email})`, address })

/** Makes the owner of an account an admin of a team, whether they are a member yet or not. */
export async function promoteAdmin(
  tx: Tx,
  now: Now,
  teamId: string,
  { id, email, name }: { id: string; email: string; name: string },
): Promise<Member> {
  const [known] = await findMembersByEmail(tx, teamId, [email])
  const member = known ?? (await addMember(tx, now, teamId, { email, name, role: 'admin' }))
  await updateRole(tx, teamId, member.id, 'admin')
  await linkAccountRow(tx, teamId, member.id, id)
  return member
}

/** Calls a person by another name in all their teams. */
export async function renameMember(sql: Sql | Tx, accountId: string, name: string): Promise<void> {
  await withDeadline(renameMembers(sql, accountId, name))
}

/** Changes what a member may do. Throws `not_found`, and `validation_failed` for the last admin. */
export async function changeRole(
  sql: Sql,
  teamId: string,
  memberId: string,
  role: Member['role'],
): Promise<Member> {
  const member = await transaction(sql, async (tx) => {
    if (role !== 'admin') await requireOtherAdmin(tx, teamId, memberId)
    return await updateRole(tx, teamId, memberId, role)
  })
  if (!member) throw notFound('The member')
  return member
}

/** Takes a member off a team, and their invitations back. Throws `not_found`, and `validation_failed` for the last admin. */
export async function removeMemberUnlessLastAdmin(
  sql: Sql,
  now: Now,
  teamId: string,
  memberId: string,
): Promise<Member> {
  return await transaction(sql, async (tx) => {
    await requireOtherAdmin(tx, teamId, memberId)
    await deleteInvitations(tx, teamId, memberId)
    return await removeMember(tx, now, teamId, memberId)
  })
}

async function requireOtherAdmin(tx: Tx, teamId: string, memberId: string): Promise<void> {
  const admins = await lockAdmins(tx, teamId)
  if (admins.length === 1 && admins[0]?.id === memberId) {
    throw invalidField('/role', 'a team keeps at least one admin; make somebody else admin first')
  }
}

/** Takes a person, named by id or address, off a team; gives who it was. Throws `not_found`. */
export async function removeMember(
  sql: Sql | Tx,
  now: Now,
  teamId: string,
  idOrEmail: string,
): Promise<Member> {
  const member = await withDeadline(removeMemberRow(sql, teamId, idOrEmail, now()))
  if (!member) throw notFound('The member')
  return member
}
