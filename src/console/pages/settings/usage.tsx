import { Elysia } from 'elysia'
import type { UsageCounter } from '../../../contract/team.ts'
import { maxActiveKeys } from '../../../features/api-keys/index.ts'
import { getTeamUsage } from '../../../features/teams/index.ts'
import { DateTime } from '../../components/dates/date-time.tsx'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import type { UserLocale } from '../../http/user-locale.ts'
import type { Translate } from '../../locales/index.ts'

const rows = [
  { name: 'newsletters', label: 'common.newsletters' },
  { name: 'content_blocks', label: 'usage.content_blocks' },
  { name: 'ai_generations', label: 'usage.ai_drafts' },
  { name: 'team_members', label: 'usage.members' },
] as const

async function show(context: MemberRequest): Promise<Response> {
  const { t } = context
  const { team, period, counters } = await getTeamUsage(context.ctx, context.deps)
  return await settingsLayout(
    context,
    {
      tab: '/settings/usage',
      title: t('settings.usage'),
      lead: t('usage.the_plan_is_an_operator', { name: team.plan.name }),
    },
    <>
      <div class="columns counters">
        {rows.map(({ name, label }) => (
          <Counter
            t={t}
            userLocale={context.userLocale}
            label={t(label)}
            counter={counters[name]}
          />
        ))}
      </div>
      <p class="muted">
        {t.html('usage.the_counters_of_newsletters_content', {
          date: () => <DateTime userLocale={context.userLocale} at={period.end} dateOnly />,
        })}
      </p>
      <h2>{t('usage.fixed_limits')}</h2>
      <ul>
        <li>{t('usage.60_requests_in_any_60')}</li>
        <li>{t('usage.100_preview_emails_a_day')}</li>
        <li safe>{t('usage.active_api_keys', { maxActiveKeys })}</li>
      </ul>
    </>,
  )
}

function Counter({
  t,
  userLocale,
  label,
  counter,
}: {
  t: Translate
  userLocale: UserLocale
  label: string
  counter: UsageCounter
}) {
  const { used, limit, unlimited } = counter
  return (
    <section class="card">
      <h2 safe>{label}</h2>
      <p class="counter-value">
        <strong safe>{used.toLocaleString(userLocale.locale)}</strong>{' '}
        <span class="muted" safe>
          {unlimited
            ? t('usage.no_limit')
            : t('usage.of', { locale: limit.toLocaleString(userLocale.locale) })}
        </span>
      </p>
      {unlimited ? null : (
        <progress max={limit} value={used} aria-label={t('usage.used', { label })} />
      )}
    </section>
  )
}

/** The route of the usage page. */
export const usagePages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/settings/usage', show, { role: 'admin' })
