import { Elysia } from 'elysia'
import type { UsageCounter } from '../../../contract/team.ts'
import { maxActiveKeys } from '../../../features/api-keys/index.ts'
import { getTeamDetails, getUsage } from '../../../features/teams/index.ts'
import { DateTime } from '../../components/date-time.tsx'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import type { Reader } from '../../http/reader.ts'

const rows = [
  { name: 'newsletters', label: 'Newsletters' },
  { name: 'content_blocks', label: 'Content blocks' },
  { name: 'ai_generations', label: 'AI drafts' },
  { name: 'team_members', label: 'Members' },
] as const

async function show(context: MemberRequest): Promise<Response> {
  const { aiDraftsPerMonth, countNewsletters } = context.deps
  const team = await getTeamDetails(context.ctx, aiDraftsPerMonth)
  const { period, counters } = await getUsage(context.ctx, team, countNewsletters)
  return await settingsLayout(
    context,
    {
      tab: '/settings/usage',
      title: 'Usage and limits',
      lead: `The plan is “${team.plan.name}”. An operator can change what it allows.`,
    },
    <>
      <div class="columns">
        {rows.map(({ name, label }) => (
          <Counter reader={context.reader} label={label} counter={counters[name]} />
        ))}
      </div>
      <p class="muted">
        The counters of newsletters, content blocks and AI drafts restart on{' '}
        <DateTime reader={context.reader} at={period.end} dateOnly />.
      </p>
      <h2>Fixed limits</h2>
      <ul>
        <li>60 requests in any 60 seconds, for each API key.</li>
        <li>100 preview emails a day.</li>
        <li>{`${maxActiveKeys} active API keys.`}</li>
      </ul>
    </>,
  )
}

function Counter({
  reader,
  label,
  counter,
}: {
  reader: Reader
  label: string
  counter: UsageCounter
}) {
  const { used, limit, unlimited } = counter
  return (
    <section class="card">
      <h2 safe>{label}</h2>
      <p class="counter-value">
        <strong safe>{used.toLocaleString(reader.locale)}</strong>{' '}
        <span class="muted" safe>
          {unlimited ? 'no limit' : `of ${limit.toLocaleString(reader.locale)}`}
        </span>
      </p>
      {unlimited ? null : <progress max={limit} value={used} aria-label={`${label} used`} />}
    </section>
  )
}

/** The route of the usage page. */
export const usagePages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/settings/usage', show, { role: 'admin' })
