import { Elysia } from 'elysia'
import { type Finding, runHealthChecks } from '../../../features/health/index.ts'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'

const badges = {
  ok: { tone: 'success', label: 'Fine' },
  warning: { tone: 'warning', label: 'Warning' },
  failing: { tone: 'danger', label: 'Failing' },
} as const satisfies Record<Finding['status'], { tone: string; label: string }>

async function show(context: MemberRequest): Promise<Response> {
  const { sql, now, installation: settings } = context.deps
  const findings = await runHealthChecks({ sql, now, settings, teamId: context.teamId })
  return await settingsLayout(
    context,
    {
      tab: '/settings/health',
      title: 'Health',
      lead: 'The checks of this installation and of the connections of the team, as “tidings doctor” runs them.',
    },
    <div class="table-container">
      <table class="responsive-table">
        <thead>
          <tr>
            <th scope="col">Check</th>
            <th scope="col">State</th>
            <th scope="col">Finding</th>
            <th scope="col">What to do</th>
          </tr>
        </thead>
        <tbody>
          {findings.map((finding) => (
            <FindingRow finding={finding} />
          ))}
        </tbody>
      </table>
    </div>,
  )
}

function FindingRow({ finding }: { finding: Finding }) {
  const { tone, label } = badges[finding.status]
  return (
    <tr>
      <th scope="row" safe>
        {finding.check}
      </th>
      <td data-label="State">
        <span class={`badge ${tone}`}>{label}</span>
      </td>
      <td data-label="Finding" safe>
        {finding.message}
      </td>
      <td data-label="What to do" safe>
        {finding.action ?? 'Nothing'}
      </td>
    </tr>
  )
}

/** The route of the health page. */
export const healthPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/settings/health', show, { role: 'admin', timeoutSeconds: 60 })
