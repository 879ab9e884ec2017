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
import { settingsScreen } from '../../components/settings.tsx'
import { Time } from '../../components/time.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'

const path = '/settings/audit'
const perPage = 50

async function show(context: MemberRequest): Promise<Response> {
  const asked = context.url.searchParams
  const action = asked.get('action') ?? ''
  const filter = {
    action: isAuditAction(action) ? action : undefined,
    actor: asked.get('actor') || undefined,
  }
  const from = { before: asked.get('before') ?? undefined, limit: perPage + 1 }
  const entries = await listAudit(context.deps.sql, context.teamId, from, filter)
  const shown = entries.slice(0, perPage)
  const last = shown.at(-1)
  return await settingsScreen(
    context,
    {
      tab: path,
      title: 'Audit log',
      lead: `Who did what, when and from where. Entries cannot be changed and are kept for ${auditRetentionDays} days.`,
    },
    <>
      <Filter filter={filter} />
      {shown.length > 0 ? <EntryTable entries={shown} filter={filter} /> : <NothingFound />}
      {entries.length > perPage && last ? (
        <a class="button" href={attribute(addressOf(filter, last.id))}>
          Older
        </a>
      ) : null}
    </>,
  )
}

/** The address of the log, for what is wanted of it. */
function addressOf({ action, actor }: AuditFilter, before?: string): string {
  const query = new URLSearchParams({
    ...(action && { action }),
    ...(actor && { actor }),
    ...(before && { before }),
  })
  return query.size > 0 ? `${path}?${query}` : path
}

function Filter({ filter }: { filter: AuditFilter }) {
  return (
    <form action={path} class="row filter">
      {filter.actor ? <input type="hidden" name="actor" value={attribute(filter.actor)} /> : null}
      <select name="action" aria-label="What was done">
        <option value="">Everything</option>
        {Object.entries(auditActions).map(([action, words]) => (
          <option value={action} selected={action === filter.action}>
            {words}
          </option>
        ))}
      </select>
      <button type="submit" class="small">
        Show
      </button>
      {filter.actor ? (
        <span>
          by <strong safe>{filter.actor}</strong>{' '}
          <a href={attribute(addressOf({ ...filter, actor: undefined }))}>Show all members</a>
        </span>
      ) : null}
    </form>
  )
}

function NothingFound() {
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

interface TableProps {
  entries: readonly AuditEntry[]
  filter: AuditFilter
}

function EntryTable({ entries, filter }: TableProps) {
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
              <td>
                <a
                  class="quiet-link"
                  href={attribute(addressOf({ ...filter, actor: entry.actor }))}
                  safe
                >
                  {entry.actor}
                </a>
              </td>
              <td>
                <span class={entry.action === 'sign_in_failed' ? 'badge warn' : ''}>
                  {auditActions[entry.action]}
                </span>{' '}
                <strong safe>{entry.subject ?? ''}</strong>
              </td>
              <td class="mono">{entry.address ? shortAddress(entry.address) : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What was done in the team. */
export const auditPages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get(path, show, { role: 'admin' })
