import type { MemberRole } from '../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../lib/db.ts'

export interface MemberRow {
  id: string
  email: string
  name: string
  role: MemberRole
  created_at: Date
}

/** Stores a member, or brings back one who was removed; undefined when the address is a member's now. */
export async function insertMember(
  sql: Sql | Tx,
  teamId: string,
  member: MemberRow,
): Promise<MemberRow | undefined> {
  const [row] = await sql<MemberRow[]>`
    insert into members (id, team_id, email, name, role, created_at)
    values (${member.id}, ${teamId}, ${member.email}, ${member.name}, ${member.role}, ${member.created_at})
    on conflict (team_id, email) do update
      set removed_at = null, name = excluded.name, role = excluded.role
      where members.removed_at is not null
    returning id, email, name, role, created_at`
  return row
}

/** The members of a team, by name. */
export async function selectMembers(sql: Sql, teamId: string): Promise<MemberRow[]> {
  return await sql<MemberRow[]>`
    select id, email, name, role, created_at from members
    where team_id = ${teamId} and removed_at is null order by lower(name), id`
}

/** How many members a team has. */
export async function countMemberRows(sql: Sql, teamId: string): Promise<number> {
  const [row] = await sql<{ counted: number }[]>`
    select count(*)::integer as counted from members
    where team_id = ${teamId} and removed_at is null`
  return row?.counted ?? 0
}

/** The members of a team with these addresses, given in lower case. */
export async function selectMembersByEmail(
  sql: Sql | Tx,
  teamId: string,
  emails: readonly string[],
): Promise<MemberRow[]> {
  return await sql<MemberRow[]>`
    select id, email, name, role, created_at from members
    where team_id = ${teamId} and email = any(${emails as string[]}) and removed_at is null
    order by id`
}

/** Removes a member, named by id or address; undefined when there is none. */
export async function removeMemberRow(
  sql: Sql | Tx,
  teamId: string,
  idOrEmail: string,
  at: Date,
): Promise<MemberRow | undefined> {
  const [row] = await sql<MemberRow[]>`
    update members set removed_at = ${at}
    where team_id = ${teamId} and (id = ${idOrEmail} or email = ${idOrEmail.toLowerCase()})
      and removed_at is null
    returning id, email, name, role, created_at`
  return row
}
