import { Elysia } from 'elysia'
import { described } from '../../contract/described.ts'
import { Team, TeamChange } from '../../contract/team.ts'
import type { Caller } from '../../features/api-keys/index.ts'
import { archiveAddress } from '../../features/archive/index.ts'
import { getTeamUsage, updateTeam } from '../../features/teams/index.ts'
import { createBatcher, type Outcome, outcomeOf } from '../../lib/concurrency/batch.ts'
import type { Context } from '../../lib/context.ts'
import { notFound } from '../../lib/errors.ts'
import { access } from '../access.ts'
import { apiRequestOf } from '../authentication.ts'
import type { ApiDeps } from '../deps.ts'
import { document } from '../openapi/operation.ts'
import { resource, responses } from '../response.ts'

const unlimited = (used: number) => ({ used, limit: -1, unlimited: true })

const example = {
  name: 'Acme',
  slug: 'acme',
  brand_color: '#8b5cf6',
  newsletter_cadence: 'weekly',
  language: 'en',
  logo_url: null,
  logo_alt: null,
  contact: 'news@example.com',
  share_url: null,
  tone: null,
  words_to_avoid: [],
  example_texts: [],
  archive: 'link',
  archive_url: 'https://news.example.com/archive/Qm9va3M',
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

export const TeamResponse = resource({
  team: described(Team, 'The team of the key.', example),
})

/** `/team`: the key's team, its plan, and how much of the plan is used. */
export const team = (deps: ApiDeps) => {
  // Requests for a team that wait at the same moment share its statement; one batch at a time, so
  // that they are many.
  const describe = createBatcher({
    maxItems: 100,
    maxConcurrent: 1,
    run: (callers: readonly Caller[]) => describeTeams(deps, callers),
  })
  return new Elysia({ prefix: '/team', tags: ['Team'] })
    .use(access(deps))
    .get(
      '/',
      async ({ caller, request }) => {
        const { team, activeKeyIds } = await describe(caller)
        apiRequestOf(request).isKeyActive = activeKeyIds.includes(caller.keyId)
        return { team }
      },
      {
        access: { scope: 'read' },
        response: responses({ 200: TeamResponse }),
        detail: document({
          operationId: 'getTeam',
          summary: 'Show the team and its usage',
          description:
            'Newsletters, content blocks and AI drafts count per calendar month in UTC, from `period_start` to just before `period_end`; members count as they are now. A `limit` of -1 is none.',
          responses: { 200: { description: 'The team of the key.', example: { team: example } } },
        }),
      },
    )
    .patch(
      '/',
      async ({ body, write }) =>
        await write(async (ctx) => {
          await updateTeam(ctx, body)
          const { team } = await describeTeam({ ...deps, sql: ctx.sql }, ctx.actor.teamId)
          return { status: 200, body: { team } }
        }),
      {
        access: { scope: 'write' },
        body: TeamChange,
        response: responses({ 200: TeamResponse }),
        detail: document({
          operationId: 'updateTeam',
          summary: 'Change the team',
          description: 'What is left out stays as it is.',
          bodyExample: { language: 'de' },
          responses: {
            200: {
              description: 'The changed team.',
              example: { team: { ...example, language: 'de' } },
            },
          },
        }),
      },
    )
}

/** A team, and which of the keys of a batch of requests are active. */
interface Description {
  team: Team
  activeKeyIds: readonly string[]
}

async function describeTeams(
  deps: ApiDeps,
  callers: readonly Caller[],
): Promise<Outcome<Description>[]> {
  const reads = new Map(
    [...Map.groupBy(callers, ({ teamId }) => teamId)].map(([teamId, ofTeam]) => {
      const keyIds = ofTeam.map(({ keyId }) => keyId)
      return [teamId, outcomeOf(describeTeam({ ...deps, keyIds }, teamId))]
    }),
  )
  return await Promise.all(
    callers.map(async ({ teamId }) => (await reads.get(teamId)) ?? { error: notFound('The team') }),
  )
}

async function describeTeam(
  deps: Pick<ApiDeps, 'now' | 'baseUrl' | 'aiDraftsPerMonth' | 'countNewsletters'> & {
    sql: Context['sql']
    keyIds?: readonly string[]
  },
  teamId: string,
): Promise<Description> {
  const ctx = { sql: deps.sql, now: deps.now, actor: { teamId } }
  const { team, period, counters, activeKeyIds } = await getTeamUsage(ctx, deps)
  return {
    activeKeyIds,
    team: {
      name: team.name,
      slug: team.slug,
      brand_color: team.brandColor,
      newsletter_cadence: team.newsletterCadence,
      language: team.language,
      logo_url: team.logoUrl,
      logo_alt: team.logoAlt,
      contact: team.contact,
      share_url: team.shareUrl,
      tone: team.tone,
      words_to_avoid: [...team.wordsToAvoid],
      example_texts: [...team.exampleTexts],
      archive: team.archive,
      archive_url: team.archiveToken && archiveAddress(deps.baseUrl, team.archiveToken),
      member_count: counters.team_members.used,
      plan: { name: team.plan.name, key: team.plan.key },
      usage: {
        ...counters,
        period_start: period.start.toISOString(),
        period_end: period.end.toISOString(),
      },
    },
  }
}
