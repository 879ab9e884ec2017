import { Elysia } from 'elysia'
import {
  type Connection,
  type ConnectionHealth,
  type Integration,
  listConnections,
  listHealthByConnection,
} from '../../../features/connections/index.ts'
import { type Delivery, listNewestDeliveries } from '../../../features/deliveries/index.ts'
import { attribute } from '../../attribute.ts'
import { ConnectionStateBadge } from '../../components/connection-state.tsx'
import { DateTime } from '../../components/dates/date-time.tsx'
import { RelativeTime } from '../../components/dates/relative-time.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { IntegrationLogo } from '../../components/provider-logo.tsx'
import { connectionName } from '../../components/provider-name.ts'
import { Table } from '../../components/table.tsx'
import { access } from '../../http/access.ts'
import { type ConsoleDeps, connectionContext, type MemberRequest } from '../../http/context.ts'
import type { TextKey } from '../../locales/index.ts'
import { can } from '../../roles.ts'

const categories = {
  chat: 'integrations.chat',
  tracker: 'integrations.trackers_and_code',
  hr: 'integrations.people_and_hr',
  notes: 'integrations.notes',
  feed: 'integrations.feeds_and_calendars',
} as const satisfies Record<Integration['category'], TextKey>

async function show(context: MemberRequest): Promise<Response> {
  const { t } = context
  const connections = await listConnections(connectionContext(context))
  const ids = connections.map(({ id }) => id)
  const newest = await listNewestDeliveries(context.ctx, ids)
  const health = await listHealthByConnection(context.ctx, ids)
  return await layout(
    context,
    { title: t('common.integrations'), section: 'integrations', isCompressed: true },
    <>
      <PageHeader
        title={t('common.integrations')}
        lead={t('integrations.events_in_your_tools_become')}
      />
      {connections.length > 0 ? (
        <ConnectionTable
          context={context}
          connections={connections}
          newest={newest}
          health={health}
        />
      ) : null}
      {(Object.keys(categories) as Integration['category'][]).map((category) => (
        <Category context={context} category={category} />
      ))}
      <p class="muted">
        {t.html('integrations.anything_else_can_post', {
          link: (text) => <a href="/docs">{text}</a>,
        })}
      </p>
    </>,
  )
}

function ConnectionTable({
  context,
  connections,
  newest,
  health,
}: {
  context: MemberRequest
  connections: readonly Connection[]
  newest: ReadonlyMap<string, Delivery>
  health: ReadonlyMap<string, ConnectionHealth>
}) {
  const { t } = context
  const isAdmin = can(context.member.role, 'admin')
  return (
    <section aria-labelledby="connected">
      <h2 id="connected">{t('integrations.connected')}</h2>
      <Table
        class="inline-cells"
        columns={[
          t('integrations.integration'),
          t('common.status'),
          t('integrations.newest_event'),
          t('integrations.since'),
        ]}
      >
        {connections.map((connection) => {
          const event = newest.get(connection.id)
          return (
            <tr>
              <th scope="row">
                <ConnectionCell context={context} connection={connection} isAdmin={isAdmin} />
              </th>
              <td>
                <ConnectionStateBadge t={t} health={health.get(connection.id)} />
              </td>
              <td data-label={t('integrations.newest_event')}>
                {event ? (
                  <RelativeTime
                    userLocale={context.userLocale}
                    at={event.received_at}
                    now={context.deps.now()}
                  />
                ) : (
                  <span class="muted">{t('integrations.no_event_yet')}</span>
                )}
              </td>
              <td data-label={t('integrations.since')}>
                <DateTime userLocale={context.userLocale} at={connection.createdAt} dateOnly />
              </td>
            </tr>
          )
        })}
      </Table>
    </section>
  )
}

/** The logo and name of a connection, which lead admins to its page. */
function ConnectionCell({
  context,
  connection,
  isAdmin,
}: {
  context: MemberRequest
  connection: Connection
  isAdmin: boolean
}) {
  const name = connectionName(context, connection)
  return (
    <span class="connection-cell">
      <IntegrationLogo
        logos={context.deps.logos}
        catalog={context.deps.integrations.catalog}
        slug={connection.adapter}
      />
      <span>
        {isAdmin ? (
          <a href={`/integrations/${connection.id}`} safe>
            {name}
          </a>
        ) : (
          <span safe>{name}</span>
        )}
        <span class="muted subtitle" safe>
          {settingsSummary(connection)}
        </span>
      </span>
    </span>
  )
}

/** The settings of a connection in short, to distinguish it from others of the same provider. */
const settingsSummary = ({ settings }: Connection) =>
  Object.values(settings)
    .filter((value) => typeof value === 'string' && value !== 'true')
    .join(', ')
    .slice(0, 80)

async function Category({
  context,
  category,
}: {
  context: MemberRequest
  category: Integration['category']
}) {
  const { t } = context
  const { catalog } = context.deps.integrations
  const members = catalog.filter((integration) => integration.category === category)
  if (members.length === 0) return ''
  const pages = await Promise.all(
    members.map((integration) => integration.page(context.userLocale.language)),
  )
  const isAdmin = can(context.member.role, 'admin')
  return (
    <section aria-labelledby={category}>
      <h2 id={category}>{t(categories[category])}</h2>
      <ul class="catalog">
        {members.map(({ slug, name }, index) => (
          <li class="card">
            <h3 class="provider-name">
              <IntegrationLogo logos={context.deps.logos} catalog={catalog} slug={slug} />
              <span safe>{name}</span>
            </h3>
            <p class="muted" safe>
              {pages[index]?.summary ?? ''}
            </p>
            {isAdmin ? (
              <a
                class="button small"
                href={`/integrations/connect/${slug}`}
                aria-label={t('integrations.connect_name', { name: attribute(name) })}
              >
                {t('integrations.connect')}
              </a>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The route of the integration catalog. */
export const catalogPages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/integrations', show, { role: 'viewer' })
