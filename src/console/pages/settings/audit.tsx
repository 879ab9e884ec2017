import { type AuditEntry, auditActions, listAudit } from '../../../features/audit/index.ts'
import { page, type Route } from '../../page.ts'
import { settingsScreen } from '../../parts/settings.tsx'
import { Time } from '../../parts/time.tsx'

const perPage = 50

const show = page('/settings/audit', 'admin', async (visit) => {
  const before = visit.url.searchParams.get('before') ?? undefined
  const entries = await listAudit(visit.deps.sql, visit.teamId, { before, limit: perPage + 1 })
  const shown = entries.slice(0, perPage)
  const last = shown.at(-1)
  return await settingsScreen(
    visit,
    {
      tab: '/settings/audit',
      title: 'Audit log',
      lead: 'Who did what, when and from where. Nobody can change what is written here.',
    },
    <>
      <EntryTable entries={shown} />
      {entries.length > perPage && last ? (
        <a class="button" href={`/settings/audit?before=${last.id}`}>
          Older
        </a>
      ) : null}
    </>,
  )
})

function EntryTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <div class="table-frame">
      <table class="stack">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr>
              <td>
                <Time at={entry.created_at} />
              </td>
              <td safe>{entry.actor}</td>
              <td>
                <span class={entry.action === 'sign_in_failed' ? 'badge warn' : ''}>
                  {auditActions[entry.action]}
                </span>{' '}
                <strong safe>{entry.subject ?? ''}</strong>
              </td>
              <td class="mono" safe>
                {entry.address ?? ''}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What was done in the team. */
export const auditRoutes: readonly Route[] = [show]
