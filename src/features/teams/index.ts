import * as v from 'valibot'
import { line, slug } from '../../contract/text.ts'
import type { Now } from '../../lib/clock.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { invalidField, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { insertTeam, selectTeam, selectTeamById, selectTeams, type TeamRow } from './sql.ts'

export {
  type CountInPeriod,
  getTeamDetails,
  getUsage,
} from './usage.ts'

export type Team = TeamRow

/** What an operator chooses when making a team. */
export const NewTeam = v.object({ slug, name: line(100) })

/** Makes a team. Throws `validation_failed` when the slug is taken. */
export async function createTeam(
  sql: Sql | Tx,
  now: Now,
  input: v.InferOutput<typeof NewTeam>,
): Promise<Team> {
  const at = now()
  const team = { id: newId('team', at), ...input }
  if (!(await insertTeam(sql, team, at))) {
    throw invalidField('/slug', `slug "${input.slug}" belongs to another team already`, 'taken')
  }
  return team
}

/** The team with this slug. Throws `not_found`. */
export async function getTeamBySlug(sql: Sql, teamSlug: string): Promise<Team> {
  const team = await selectTeam(sql, teamSlug)
  if (!team) throw notFound(`The team "${teamSlug}"`)
  return team
}

/** The team with this id. Throws `not_found`. */
export async function getTeam(sql: Sql, teamId: string): Promise<Team> {
  const team = await withDeadline(selectTeamById(sql, teamId))
  if (!team) throw notFound('The team')
  return team
}

/** The teams of this installation by slug, 1,000 at most. */
export async function listTeams(sql: Sql | Tx): Promise<Team[]> {
  return await selectTeams(sql)
}
