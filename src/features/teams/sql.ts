import type { NewsletterCadence } from '../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../lib/db.ts'

export interface TeamRow {
  id: string
  slug: string
  name: string
}

/** Stores a team; false when the slug is taken. */
export async function insertTeam(sql: Sql | Tx, team: TeamRow, at: Date): Promise<boolean> {
  const rows = await sql`
    insert into teams (id, slug, name, created_at)
    values (${team.id}, ${team.slug}, ${team.name}, ${at})
    on conflict (slug) do nothing returning id`
  return rows.length > 0
}

/** The team with this slug. */
export async function selectTeam(sql: Sql, slug: string): Promise<TeamRow | undefined> {
  const [row] = await sql<TeamRow[]>`select id, slug, name from teams where slug = ${slug}`
  return row
}

/** All teams by slug, 1,000 at most. */
export async function selectTeams(sql: Sql | Tx): Promise<TeamRow[]> {
  return await sql<TeamRow[]>`select id, slug, name from teams order by slug limit 1000`
}

/** How much a plan allows, newsletters, blocks and AI drafts per calendar month; -1 is unlimited. */
export interface PlanLimits {
  newsletters: number
  content_blocks: number
  ai_generations: number
  team_members: number
}

export interface TeamDetailsRow extends TeamRow, PlanLimits {
  brand_color: string
  newsletter_cadence: NewsletterCadence
  plan_key: string
  plan_name: string
}

/** A team with what its plan allows. */
export async function selectTeamDetails(
  sql: Sql | Tx,
  teamId: string,
): Promise<TeamDetailsRow | undefined> {
  const [row] = await sql<TeamDetailsRow[]>`
    select t.id, t.slug, t.name, t.brand_color, t.newsletter_cadence, p.key as plan_key,
      p.name as plan_name, p.newsletters, p.content_blocks, p.ai_generations, p.team_members
    from teams t join plans p on p.key = t.plan_key where t.id = ${teamId}`
  return row
}

/** How many AI drafts a team has made in the month that begins on `period` (`YYYY-MM-DD`). */
export async function selectAiUsed(sql: Sql, teamId: string, period: string): Promise<number> {
  const [row] = await sql<{ used: number }[]>`
    select used from ai_usage where team_id = ${teamId} and period = ${period}`
  return row?.used ?? 0
}

/** Changes a team's details. */
export async function updateTeamRow(
  sql: Sql | Tx,
  teamId: string,
  change: { name: string; brand_color: string; newsletter_cadence: NewsletterCadence },
): Promise<void> {
  await sql`
    update teams set name = ${change.name}, brand_color = ${change.brand_color},
      newsletter_cadence = ${change.newsletter_cadence}
    where id = ${teamId}`
}
