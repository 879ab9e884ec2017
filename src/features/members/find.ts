import type { ReadContext } from '../../lib/context.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/database/db.ts'
import { normalizeEmail } from '../../lib/text/email.ts'
import { type MembershipRow, selectMemberships } from './accounts-sql.ts'
import { type MemberRow, selectMember, selectMembersByEmail, selectMembersById } from './sql.ts'

/** A person in a team. The address is in lower case. */
export type Member = MemberRow

/** The name of a member in the audit log. */
export const memberSubject = ({ name, email }: Pick<Member, 'name' | 'email'>) =>
  `${name} (${email})`

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
  const wanted = emails.map(normalizeEmail)
  return await withDeadline(selectMembersByEmail(sql, actor.teamId, wanted))
}

/** A person's membership of a team, with the team. */
export type Membership = MembershipRow

/** The memberships of an account, by the name of the team. */
export async function listMemberships(sql: Sql | Tx, accountId: string): Promise<Membership[]> {
  return await withDeadline(selectMemberships(sql, accountId))
}
