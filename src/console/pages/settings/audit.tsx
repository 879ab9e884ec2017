import { Elysia } from 'elysia'
import {
  type AuditEntry,
  type AuditFilter,
  auditActions,
  auditRetentionDays,
  isAuditAction,
  listAudit,
} from '../../../features/audit-log/index.ts'
import { attribute } from '../../attribute.ts'
import { shortAddress } from '../../components/address.ts'
import { DateTime, formatTimestamps } from '../../components/date-time.tsx'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { withProviderNames } from '../../components/provider.ts'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'

const path = '/settings/audit'
const perPage = 50

async function show(context: MemberRequest): Promise<Response> {
  const params = context.url.searchParams
  const action = params.get('action') ?? ''
  const filter = {
    action: isAuditAction(action) ? action : undefined,
    actor: params.get('actor') || undefined,
  }
  const from = { before: params.get('before') ?? undefined, limit: perPage + 1 }
  const entries = await listAudit(context.ctx, { ...from, ...filter })
  const shown = entries.slice(0, perPage)
  const last = shown.at(-1)
  return await settingsLayout(
    context,
    {
      tab: path,
      title: 'Audit log',
      lead: `Who did what, when and from where. Entries cannot be changed and are kept for ${auditRetentionDays} days.`,
    },
    <>
      <AuditFilterForm filter={filter} />
      {shown.length > 0 ? (
        <EntryTable context={context} entries={shown} filter={filter} />
      ) : (
        <EmptyState />
      )}
      {entries.length > perPage && last ? (
        <a class="button" href={attribute(auditPath(filter, last.id))}>
          Older
        </a>
      ) : null}
    </>,
  )
}

/** The path of the audit log with a filter. */
function auditPath({ action, actor }: AuditFilter, before?: string): string {
  const query = new URLSearchParams({
    ...(action && { action }),
    ...(actor && { actor }),
    ...(before && { before }),
  })
  return query.size > 0 ? `${path}?${query}` : path
}

function AuditFilterForm({ filter }: { filter: AuditFilter }) {
  return (
    <form action={path} class="row filter">
      {filter.actor ? <input type="hidden" name="actor" value={attribute(filter.actor)} /> : null}
      <select name="action" aria-label="What was done">
        <option value="">Everything</option>
        {Object.entries(auditActions).map(([action, label]) => (
          <option value={action} selected={action === filter.action}>
            {label}
          </option>
        ))}
      </select>
      <button type="submit" class="small">
        Show
      </button>
      {filter.actor ? (
        <span>
          by <strong safe>{filter.actor}</strong>{' '}
          <a href={attribute(auditPath({ ...filter, actor: undefined }))}>Show all members</a>
        </span>
      ) : null}
    </form>
  )
}

function EmptyState() {
  return (
    <div class="empty">
      <h2>No entries</h2>
      <p>The log records sign-ins and every change to keys, members and settings.</p>
      <a class="button" href={path}>
        Show all entries
      </a>
    </div>
  )
}

/** The subject with the names of providers, and with times for the reader. */
const subjectFor = ({ deps, reader }: MemberRequest, subject: string) =>
  formatTimestamps(reader, withProviderNames(deps, subject))

interface TableProps {
  context: MemberRequest
  entries: readonly AuditEntry[]
  filter: AuditFilter
}

function EntryTable({ context, entries, filter }: TableProps) {
  return (
    <div class="table-container">
      <table class="responsive-table">
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
                <DateTime reader={context.reader} at={entry.created_at} />
              </td>
              <td>
                <a
                  class="muted-link"
                  href={attribute(auditPath({ ...filter, actor: entry.actor }))}
                  safe
                >
                  {entry.actor}
                </a>
              </td>
              <td>
                <span class={entry.action === 'sign_in_failed' ? 'badge warning' : ''}>
                  {auditActions[entry.action]}
                </span>{' '}
                <strong safe>{subjectFor(context, entry.subject ?? '')}</strong>
              </td>
              <td class="mono">{entry.address ? shortAddress(entry.address) : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The route of the audit log. */
export const auditPages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get(path, show, { role: 'admin' })
