import * as v from 'valibot'
import { Team } from '../../contract/team.ts'
import { getTeamDetails, getUsage } from '../../features/teams/index.ts'
import { operation } from '../operation.ts'

const unlimited = (used: number) => ({ used, limit: -1, unlimited: true })

const exampleTeam = {
  name: 'Acme',
  slug: 'acme',
  brand_color: '#8b5cf6',
  newsletter_cadence: 'weekly',
  member_count: 12,
  plan: { name: 'Self-hosted', key: 'self_hosted' },
  usage: {
    newsletters: unlimited(3),
    content_blocks: unlimited(41),
    ai_generations: { used: 8, limit: 100, unlimited: false },
    team_members: unlimited(12),
    period_start: '2026-11-01T00:00:00.000Z',
    period_end: '2026-12-01T00:00:00.000Z',
  },
} satisfies Team

/** The key's team, its plan, and what it has used of it. */
export const showTeam = operation({
  method: 'GET',
  path: '/team',
  tag: 'Team',
  summary: 'Show the team and its usage',
  description:
    'Newsletters, content blocks and AI drafts count per calendar month in UTC, from `period_start` to just before `period_end`; members count as they are now. A `limit` of -1 is none.',
  scope: 'read',
  answers: {
    200: {
      description: 'The team of the key.',
      schema: v.strictObject({ team: Team }),
      example: { team: exampleTeam },
    },
  },
  work: {
    async read({ sql, now, aiDraftsPerMonth, countNewsletters }, { caller }) {
      const team = await getTeamDetails(sql, caller.teamId, aiDraftsPerMonth)
      const { period, counters } = await getUsage(sql, now(), team, countNewsletters)
      const body = {
        name: team.name,
        slug: team.slug,
        brand_color: team.brandColor,
        newsletter_cadence: team.newsletterCadence,
        member_count: counters.team_members.used,
        plan: { name: team.plan.name, key: team.plan.key },
        usage: {
          ...counters,
          period_start: period.start.toISOString(),
          period_end: period.end.toISOString(),
        },
      } satisfies Team
      return { status: 200, body: { team: body } }
    },
  },
})
