import * as v from 'valibot'
import type { TeamChange } from '../../contract/team.ts'
import { singleLineText, slug } from '../../contract/text.ts'
import { type Language, languages } from '../../contract/vocabulary.ts'
import { type Context, inTransaction, type ServiceContext } from '../../lib/context.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/database/db.ts'
import { invalidField, notFound } from '../../lib/errors.ts'
import { newId, newLinkToken } from '../../lib/ids.ts'
import { recordAudit } from '../audit-log/index.ts'
import { insertTeam, selectTeam, selectTeams, type TeamRow, updateTeamRow } from './sql.ts'

export { getTeamDetails, type TeamDetails } from './details.ts'
export { hideFirstSteps } from './first-steps.ts'
export { setSecondFactorRequired } from './second-factor.ts'
export { type CountInPeriod, completeFirstSteps } from './sql.ts'
export { getTeamUsage } from './usage.ts'
export { getVoice, type Voice } from './voice.ts'

export type Team = TeamRow

/** A new team. */
export const NewTeam = v.object({
  slug,
  name: singleLineText(100),
  language: v.optional(v.picklist(languages)),
})

/**
 * Creates a team. The caller writes the audit log entry, because only the new team has an actor.
 * Throws `validation_failed` when the slug is taken.
 */
export async function createTeam(
  { sql, now }: ServiceContext,
  { language = 'en', ...input }: { slug: string; name: string; language?: Language | undefined },
): Promise<Team> {
  const at = now()
  const team = { id: newId('team', at), language, ...input }
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

/** Changes the given details of a team. */
export async function updateTeam(
  ctx: Context,
  change: v.InferOutput<typeof TeamChange>,
): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    const token = change.archive && change.archive !== 'off' ? newLinkToken() : null
    await updateTeamRow(txCtx.sql, ctx.actor.teamId, change, token)
    await recordAudit(txCtx, 'team_changed', change.name)
  })
}
