import type { Sql, Tx } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import { selectTeam, selectTeams, type TeamRow } from './sql.ts'

export type Team = TeamRow

/** The team with this slug. Throws `not_found`. */
export async function getTeamBySlug(sql: Sql, teamSlug: string): Promise<Team> {
  const team = await selectTeam(sql, teamSlug)
  if (!team) throw notFound(`The team "${teamSlug}"`)
  return team
}

/** The teams of this installation by slug, 1,000 at most. */
export async function listTeams(sql: Sql | Tx): Promise<Team[]> {
  return await selectTeams(sql)
}
