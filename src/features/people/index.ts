import * as v from 'valibot'
import { emailAddress, line } from '../../contract/text.ts'
import { memberRoles } from '../../contract/vocabulary.ts'
import type { Now } from '../../lib/clock.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { invalidField, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import {
  countMemberRows,
  insertMember,
  type MemberRow,
  removeMemberRow,
  selectMembers,
  selectMembersByEmail,
} from './sql.ts'

/** A person on a team. The address is in lower case. */
export type Member = MemberRow

/** What is said of a person when adding them to a team. */
export const NewMember = v.object({
  email: emailAddress,
  name: line(100),
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

/** How many members a team has. */
export async function countMembers(sql: Sql, teamId: string): Promise<number> {
  return await withDeadline(countMemberRows(sql, teamId))
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
