import { Elysia } from 'elysia'
import { type Finding, runHealthChecks } from '../../../features/health/index.ts'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { Table } from '../../components/table.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import type { TextKey, Translate } from '../../locales/index.ts'

const badges = {
  ok: { tone: 'success', label: 'health.fine' },
  warning: { tone: 'warning', label: 'health.warning' },
  failing: { tone: 'danger', label: 'health.failing' },
} as const satisfies Record<Finding['status'], { tone: string; label: TextKey }>

const urgency = ['failing', 'warning', 'ok'] as const satisfies Finding['status'][]
const byUrgency = (one: Finding, other: Finding) =>
  urgency.indexOf(one.status) - urgency.indexOf(other.status)

async function show(context: MemberRequest): Promise<Response> {
  const { t } = context
  const { sql, now, installation: settings } = context.deps
  const findings = await runHealthChecks({ sql, now, settings, teamId: context.teamId })
  return await settingsLayout(
    context,
    {
      tab: '/settings/health',
      title: t('health.health'),
      lead: t('health.the_checks_of_this_installation'),
    },
    <Table
      class="short-names"
      columns={[t('health.check'), t('health.state'), t('health.finding')]}
    >
      {findings.toSorted(byUrgency).map((finding) => (
        <FindingRow t={t} finding={finding} />
      ))}
    </Table>,
  )
}

function FindingRow({ t, finding }: { t: Translate; finding: Finding }) {
  const { tone, label } = badges[finding.status]
  return (
    <tr>
      <th scope="row" safe>
        {t.fromEnglish(finding.check)}
      </th>
      <td data-label={t('health.state')}>
        <span class={`badge ${tone}`}>{t(label)}</span>
      </td>
      <td data-label={t('health.finding')} safe>
        {[finding.message, finding.action ?? []].flat().map(t.fromEnglish).join(' ')}
      </td>
    </tr>
  )
}

/** The route of the health page. */
export const healthPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/settings/health', show, { role: 'admin', timeoutSeconds: 60 })
