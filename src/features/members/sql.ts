import type { MemberRole } from '../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../lib/database/db.ts'

/** A member, as the database stores it. */
export interface MemberRow {
  id: string
  email: string
  name: string
  role: MemberRole
  /** Null until the person has accepted an invitation. */
  account_id: string | null
  created_at: Date
}

/** Stores a member, or restores one who was removed; undefined when a member has the address already. */
export async function insertMember(
  sql: Sql | Tx,
  teamId: string,
  member: Omit<MemberRow, 'account_id'>,
): Promise<MemberRow | undefined> {
  const [row] = await sql<MemberRow[]>`
    insert into members (id, team_id, email, name, role, created_at)
    values (${member.id}, ${teamId}, ${member.email}, ${member.name}, ${member.role}, ${member.created_at})
    on conflict (team_id, email) do update
      set removed_at = null, account_id = null, name = excluded.name, role = excluded.role
      where members.removed_at is not null
    returning id, email, name, role, account_id, created_at`
  return row
}

/** The members of a team, by name. */
export async function selectMembers(sql: Sql | Tx, teamId: string): Promise<MemberRow[]> {
  return await sql<MemberRow[]>`
    select id, email, name, role, account_id, created_at from members
    where team_id = ${teamId} and removed_at is null order by lower(name), id`
}

/**
 * The members of a team by name, `limit` of them, after a member of the page before. With a text, those whose name or
 * address contains it.
 */
export async function selectMembersByName(
  sql: Sql | Tx,
  teamId: string,
  {
    text,
    after,
    limit,
  }: { text: string; after: Pick<MemberRow, 'id' | 'name'> | undefined; limit: number },
): Promise<MemberRow[]> {
  return await sql<MemberRow[]>`
    select id, email, name, role, account_id, created_at from members
    where team_id = ${teamId} and removed_at is null
      ${after ? sql`and (lower(name), id) > (lower(${after.name}), ${after.id}::id)` : sql``}
      ${text === '' ? sql`` : sql`and strpos(lower(name || ' ' || email), lower(${text})) > 0`}
    order by lower(name), id limit ${limit}`
}

const havingRole = (sql: Sql | Tx, roles: readonly MemberRole[]) =>
  roles.length === 0 ? sql`` : sql`and role = any(${[...roles]})`

/** Members of a team, newest first: `limit` of them after `offset` or after an id. */
export async function selectMemberPage(
  sql: Sql | Tx,
  teamId: string,
  roles: readonly MemberRole[],
  { position, offset, limit }: { position: string | null; offset: number; limit: number },
): Promise<MemberRow[]> {
  return await sql<MemberRow[]>`
    select id, email, name, role, account_id, created_at from members
    where team_id = ${teamId} and removed_at is null ${havingRole(sql, roles)}
      ${position === null ? sql`` : sql`and id < ${position}`}
    order by id desc limit ${limit} offset ${offset}`
}

/** How many members of a team have one of these roles, counted up to `limit`. */
export async function countMembersOf(
  sql: Sql | Tx,
  teamId: string,
  roles: readonly MemberRole[],
  limit: number,
): Promise<number> {
  const [row] = await sql<{ counted: number }[]>`
    select count(*)::integer as counted from (
      select 1 from members
      where team_id = ${teamId} and removed_at is null ${havingRole(sql, roles)} limit ${limit}
    ) matches`
  return row?.counted ?? 0
}

/** The admins of a team, at most 50, those with the oldest membership first. */
export async function selectAdmins(sql: Sql | Tx, teamId: string): Promise<MemberRow[]> {
  return await sql<MemberRow[]>`
    select id, email, name, role, account_id, created_at from members
    where team_id = ${teamId} and role = 'admin' and removed_at is null order by id limit 50`
}

/** A query for how many members a team has. */
export const memberCount = (sql: Sql | Tx, teamId: string) => sql`
  select count(*)::integer from members where team_id = ${teamId} and removed_at is null`

/** One member of a team. */
export async function selectMember(
  sql: Sql | Tx,
  teamId: string,
  id: string,
): Promise<MemberRow | undefined> {
  const [row] = await sql<MemberRow[]>`
    select id, email, name, role, account_id, created_at from members
    where team_id = ${teamId} and id = ${id} and removed_at is null`
  return row
}

/** The members of a team with these ids, by name. */
export async function selectMembersById(
  sql: Sql | Tx,
  teamId: string,
  ids: readonly string[],
): Promise<MemberRow[]> {
  return await sql<MemberRow[]>`
    select id, email, name, role, account_id, created_at from members
    where team_id = ${teamId} and id = any(${[...ids]}) and removed_at is null
    order by lower(name), id`
}

/** The members of a team with these addresses, given in lower case. */
export async function selectMembersByEmail(
  sql: Sql | Tx,
  teamId: string,
  emails: readonly string[],
): Promise<MemberRow[]> {
  return await sql<MemberRow[]>`
    select id, email, name, role, account_id, created_at from members
    where team_id = ${teamId} and email = any(${[...emails]}) and removed_at is null
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
    returning id, email, name, role, account_id, created_at`
  return row
}

/** Deletes the links to previews that a member has made. */
export async function deletePreviewLinksOf(
  tx: Tx,
  teamId: string,
  memberId: string,
): Promise<void> {
  await tx`delete from preview_links where team_id = ${teamId} and member_id = ${memberId}`
}

/** Changes a member's role; undefined when there is none. */
export async function updateRole(
  sql: Sql | Tx,
  teamId: string,
  memberId: string,
  role: MemberRole,
): Promise<MemberRow | undefined> {
  const [row] = await sql<MemberRow[]>`
    update members set role = ${role}
    where team_id = ${teamId} and id = ${memberId} and removed_at is null
    returning id, email, name, role, account_id, created_at`
  return row
}

/** Locks a member until the transaction ends; false unless they are in the team and have one of these roles. */
export async function lockMemberWithRole(
  tx: Tx,
  teamId: string,
  memberId: string,
  roles: readonly MemberRole[],
): Promise<boolean> {
  const rows = await tx`
    select id from members
    where team_id = ${teamId} and id = ${memberId} and removed_at is null ${havingRole(tx, roles)}
    for share`
  return rows.length > 0
}

/** Locks the admins of a team who can sign in, and returns them. */
export async function lockAdmins(tx: Tx, teamId: string): Promise<{ id: string }[]> {
  return await tx<{ id: string }[]>`
    select id from members
    where team_id = ${teamId} and role = 'admin' and account_id is not null and removed_at is null
    order by id for update`
}
