import type { Sql } from '../../lib/db.ts'

export interface TeamRow {
  id: string
  slug: string
  name: string
}

/** Stores a team; false when the slug is taken. */
export async function insertTeam(sql: Sql, team: TeamRow, at: Date): Promise<boolean> {
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

/** The team with this id. */
export async function selectTeamById(sql: Sql, teamId: string): Promise<TeamRow | undefined> {
  const [row] = await sql<TeamRow[]>`select id, slug, name from teams where id = ${teamId}`
  return row
}

/** All teams by slug, 1,000 at most. */
export async function selectTeams(sql: Sql): Promise<TeamRow[]> {
  return await sql<TeamRow[]>`select id, slug, name from teams order by slug limit 1000`
}
