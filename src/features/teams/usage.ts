import type { UsageCounter } from '../../contract/team.ts'
import { type Period, utcMonth } from '../../lib/clock.ts'
import type { Context, ReadContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import { type TeamDetails, toTeamDetails } from './details.ts'
import { type CountInPeriod, type PlanLimits, selectTeamUsage } from './sql.ts'

/** What a team has used of its plan in a month. */
export interface TeamUsage {
  team: TeamDetails
  period: Period
  counters: Record<keyof PlanLimits, UsageCounter>
  /** Those of the keys that were asked for which are active. */
  activeKeyIds: readonly string[]
}

interface UsageOptions {
  /** As for `getTeamDetails`. */
  aiDraftsPerMonth: number | null
  /** An argument, so that teams do not depend on newsletters. */
  countNewsletters: CountInPeriod
  /** Keys of the team that are looked up in the same statement. */
  keyIds?: readonly string[]
}

/**
 * A team and what it has used of its plan in the present calendar month (UTC); members are counted
 * now. Throws `not_found`.
 */
export async function getTeamUsage(
  { sql, actor: { teamId }, now }: ReadContext & Pick<Context, 'now'>,
  { aiDraftsPerMonth, countNewsletters, keyIds = [] }: UsageOptions,
): Promise<TeamUsage> {
  const period = utcMonth(now())
  const row = await withDeadline(selectTeamUsage(sql, teamId, { period, countNewsletters, keyIds }))
  if (!row) throw notFound('The team')
  const team = toTeamDetails(row, aiDraftsPerMonth)
  const { limits } = team.plan
  return {
    team,
    period,
    counters: {
      newsletters: counter(row.used_newsletters, limits.newsletters),
      content_blocks: counter(row.used_content_blocks, limits.content_blocks),
      ai_generations: counter(row.used_ai_generations, limits.ai_generations),
      team_members: counter(row.used_team_members, limits.team_members),
    },
    activeKeyIds: row.active_key_ids,
  }
}

const counter = (used: number, limit: number): UsageCounter => ({
  used,
  limit,
  unlimited: limit === -1,
})
