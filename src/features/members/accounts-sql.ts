import type { Language } from '../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../lib/database/db.ts'
import type { MemberRow } from './sql.ts'

/** Links a member to an account. */
export async function linkAccountRow(
  sql: Sql | Tx,
  teamId: string,
  memberId: string,
  accountId: string,
): Promise<void> {
  await sql`
    update members set account_id = ${accountId}
    where team_id = ${teamId} and id = ${memberId} and removed_at is null`
}

/** True when a member of any team has this address, given in lower case. */
export async function existsMember(sql: Sql | Tx, email: string): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (select from members where email = ${email} and removed_at is null) as found`
  return row?.found === true
}

/** Links an account to the members with its address who have no account yet, in all teams. */
export async function joinMemberRows(
  sql: Sql | Tx,
  { id, email }: { id: string; email: string },
): Promise<(MemberRow & { team_id: string })[]> {
  return await sql<(MemberRow & { team_id: string })[]>`
    update members set account_id = ${id}
    where email = ${email} and account_id is null and removed_at is null
    returning id, team_id, email, name, role, account_id, created_at`
}

/** Changes the name of a person in all their teams. */
export async function renameMembers(sql: Sql | Tx, accountId: string, name: string): Promise<void> {
  await sql`update members set name = ${name} where account_id = ${accountId}`
}

/** A member with their team. */
export interface MembershipRow extends MemberRow {
  team_id: string
  team_name: string
  team_slug: string
  /** The IANA time zone of the person's account, or null. */
  time_zone: string | null
  /** True when the person has chosen the time zone; otherwise their browser reports it. */
  time_zone_chosen: boolean
  /** The language that the person has chosen for the console, or null. */
  language: string | null
  team_language: Language
  team_requires_second_factor: boolean
  /** True until a newsletter of the team was sent, or an admin has hidden the first steps. */
  team_has_first_steps: boolean
}

/** The teams an account is a member of, by name. */
export async function selectMemberships(
  sql: Sql | Tx,
  accountId: string,
): Promise<MembershipRow[]> {
  return await sql<MembershipRow[]>`
    select m.id, m.email, m.name, m.role, m.account_id, m.created_at, t.id as team_id,
      t.name as team_name, t.slug as team_slug,
      t.requires_second_factor as team_requires_second_factor,
      t.first_steps_done_at is null as team_has_first_steps, a.time_zone,
      a.time_zone_chosen, a.language, t.language as team_language
    from members m join teams t on t.id = m.team_id join accounts a on a.id = m.account_id
    where m.account_id = ${accountId} and m.removed_at is null order by lower(t.name), t.id`
}
