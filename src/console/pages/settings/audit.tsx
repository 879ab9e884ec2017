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
import { actorName, storedNamesOf } from '../../components/actor-name.ts'
import { formatTimestamps } from '../../components/dates/date-time.tsx'
import { RelativeTime } from '../../components/dates/relative-time.tsx'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { shortAddress } from '../../components/network-address.ts'
import { withProviderNames } from '../../components/provider-name.ts'
import { Table } from '../../components/table.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import type { Translate } from '../../locales/index.ts'

const path = '/settings/audit'
const perPage = 50

async function show(context: MemberRequest): Promise<Response> {
  const { t } = context
  const params = context.url.searchParams
  const action = params.get('action') ?? ''
  const filter = {
    action: isAuditAction(action) ? action : undefined,
    actor: params.get('actor') || undefined,
  }
  const entries = await listEntries(context, filter)
  const shown = entries.slice(0, perPage)
  const last = shown.at(-1)
  return await settingsLayout(
    context,
    {
      tab: path,
      title: t('audit.audit_log'),
      lead: t('audit.who_did_what_when', { auditRetentionDays }),
      isCompressed: true,
    },
    <>
      <AuditFilterForm t={t} filter={filter} />
      <div id="audit-entries" data-waits>
        {shown.length > 0 ? (
          <EntryTable context={context} entries={shown} filter={filter} />
        ) : (
          <EmptyState t={t} />
        )}
        {entries.length > perPage && last ? (
          <a class="button" href={attribute(auditPath(filter, last.id))}>
            {t('common.older')}
          </a>
        ) : null}
      </div>
    </>,
  )
}

/** The entries of the page and one more, if there is one; of an actor, those under all of its names. */
async function listEntries(
  { ctx, url }: MemberRequest,
  filter: AuditFilter,
): Promise<AuditEntry[]> {
  const from = { before: url.searchParams.get('before') ?? undefined, limit: perPage + 1 }
  const actors = filter.actor === undefined ? [undefined] : storedNamesOf(filter.actor)
  // One statement for each name, which reads its entries in the order of the index.
  const lists = await Promise.all(
    actors.map((actor) => listAudit(ctx, { ...from, ...filter, actor })),
  )
  const newestFirst = lists.flat().toSorted((one, other) => (one.id < other.id ? 1 : -1))
  return newestFirst.slice(0, from.limit)
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

/** htmx attributes that apply the filter when it changes; without a script, its button does. */
const appliedAtOnce = {
  'data-hx-get': path,
  'data-hx-trigger': 'change',
  'data-hx-target': '#audit-entries',
  'data-hx-select': '#audit-entries',
  'data-hx-swap': 'outerHTML',
  'data-hx-push-url': 'true',
}

function AuditFilterForm({ t, filter }: { t: Translate; filter: AuditFilter }) {
  return (
    <form action={path} class="row filter" {...appliedAtOnce}>
      {filter.actor ? <input type="hidden" name="actor" value={attribute(filter.actor)} /> : null}
      <select name="action" aria-label={t('audit.what_was_done')}>
        <option value="">{t('audit.everything')}</option>
        {Object.entries(auditActions).map(([action, label]) => (
          <option value={action} selected={action === filter.action} safe>
            {t.fromEnglish(label)}
          </option>
        ))}
      </select>
      <button type="submit" class="small" data-without-script>
        {t('audit.show')}
      </button>
      {filter.actor ? (
        <span>
          {t.html('audit.by_show_all_members', {
            bold: () => <strong safe>{actorName(t, filter.actor ?? '')}</strong>,
            link: (text) => (
              <a href={attribute(auditPath({ ...filter, actor: undefined }))}>{text}</a>
            ),
          })}
        </span>
      ) : null}
    </form>
  )
}

function EmptyState({ t }: { t: Translate }) {
  return (
    <div class="empty">
      <h2>{t('audit.no_entries')}</h2>
      <p>{t('audit.the_log_records_sign_ins')}</p>
      <a class="button" href={path}>
        {t('audit.show_all_entries')}
      </a>
    </div>
  )
}

/** The subject with the names of providers, and with times in the time zone of the person. */
const subjectFor = ({ deps, userLocale }: MemberRequest, subject: string) =>
  formatTimestamps(userLocale, withProviderNames(deps, subject))

interface TableProps {
  context: MemberRequest
  entries: readonly AuditEntry[]
  filter: AuditFilter
}

function EntryTable({ context, entries, filter }: TableProps) {
  const { t } = context
  return (
    <Table
      class="audit-log inline-cells"
      columns={[t('audit.when'), t('audit.who'), t('audit.what'), t('audit.from')]}
    >
      {entries.map((entry) => (
        <tr>
          <td>
            <RelativeTime
              userLocale={context.userLocale}
              at={entry.created_at}
              now={context.deps.now()}
            />
          </td>
          <td>
            <a
              class="muted-link one-line"
              title={attribute(actorName(t, entry.actor))}
              href={attribute(auditPath({ ...filter, actor: entry.actor }))}
              safe
            >
              {actorName(t, entry.actor)}
            </a>
          </td>
          <td>
            <span class={entry.action === 'sign_in_failed' ? 'badge warning' : ''} safe>
              {t.fromEnglish(auditActions[entry.action])}
            </span>{' '}
            <strong safe>{subjectFor(context, entry.subject ?? '')}</strong>
          </td>
          <td class="mono">{entry.address ? shortAddress(entry.address) : ''}</td>
        </tr>
      ))}
    </Table>
  )
}

/** The route of the audit log. */
export const auditPages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get(path, show, { role: 'admin' })
