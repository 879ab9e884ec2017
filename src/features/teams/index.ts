import * as v from 'valibot'
import { singleLineText, slug } from '../../contract/text.ts'
import { newsletterCadences } from '../../contract/vocabulary.ts'
import { type Context, inTransaction, type ServiceContext } from '../../lib/context.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { invalidField, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { recordAudit } from '../audit-log/index.ts'
import { insertTeam, selectTeam, selectTeams, type TeamRow, updateTeamRow } from './sql.ts'

export {
  type CountInPeriod,
  getTeamDetails,
  getUsage,
} from './usage.ts'

export type Team = TeamRow

/** A new team. */
export const NewTeam = v.object({ slug, name: singleLineText(100) })

/**
 * Creates a team. The caller writes the audit log entry, because only the new team has an actor. Throws
 * `validation_failed` when the slug is taken.
 */
export async function createTeam(
  { sql, now }: ServiceContext,
  input: v.InferOutput<typeof NewTeam>,
): Promise<Team> {
  const at = now()
  const team = { id: newId('team', at), ...input }
  if (!(await withDeadline(insertTeam(sql, team, at)))) {
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

/** The teams of this installation by slug, 1,000 at most. */
export async function listTeams(sql: Sql | Tx): Promise<Team[]> {
  return await selectTeams(sql)
}

/** The fields of a team that members can change. */
export const TeamChange = v.object({
  name: singleLineText(100),
  brand_color: v.pipe(
    v.string(),
    v.trim(),
    v.toLowerCase(),
    v.regex(/^#[0-9a-f]{6}$/, 'must be a colour such as #8b5cf6'),
  ),
  newsletter_cadence: v.picklist(newsletterCadences),
})

/** Changes a team's details. */
export async function updateTeam(
  ctx: Context,
  change: v.InferOutput<typeof TeamChange>,
): Promise<void> {
  await inTransaction(ctx, async (within) => {
    await updateTeamRow(within.sql, ctx.actor.teamId, change)
    await recordAudit(within, 'team_changed', change.name)
  })
}
