import { Elysia } from 'elysia'
import {
  type Connection,
  type ConnectionHealth,
  healthOfConnections,
  type Integration,
  listConnections,
} from '../../../features/connections/index.ts'
import { type Delivery, newestDeliveries } from '../../../features/deliveries/index.ts'
import { attribute } from '../../attribute.ts'
import { ConnectionState } from '../../components/connection-state.tsx'
import { DateTime } from '../../components/date-time.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { connectionName } from '../../components/provider.ts'
import { access } from '../../http/access.ts'
import { type ConsoleDeps, connectionContext, type MemberRequest } from '../../http/context.ts'
import { can } from '../../roles.ts'

const categories = {
  chat: 'Chat',
  tracker: 'Trackers and code',
  hr: 'People and HR',
  notes: 'Notes',
} as const satisfies Record<Integration['category'], string>

async function show(context: MemberRequest): Promise<Response> {
  const connections = await listConnections(connectionContext(context))
  const ids = connections.map(({ id }) => id)
  const newest = await newestDeliveries(context.ctx, ids)
  const health = await healthOfConnections(context.ctx, ids)
  return await layout(
    context,
    { title: 'Integrations', section: 'integrations' },
    <>
      <PageHeader
        title="Integrations"
        lead="Events in your tools become drafts in the library. Tidings stores only a few fields of each event; the page of the integration lists them."
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
        Anything else can post to the <a href="/docs">ingest webhook</a> with an API key: scripts,
        Zapier, Make, n8n, Power Automate.
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
  const isAdmin = can(context.member.role, 'admin')
  return (
    <section aria-labelledby="connected">
      <h2 id="connected">Connected</h2>
      <div class="table-container">
        <table class="responsive-table">
          <thead>
            <tr>
              <th scope="col">Integration</th>
              <th scope="col">Status</th>
              <th scope="col">Since</th>
            </tr>
          </thead>
          <tbody>
            {connections.map((connection) => (
              <tr>
                <th scope="row">
                  {isAdmin ? (
                    <a href={`/integrations/${connection.id}`} safe>
                      {connectionName(context, connection)}
                    </a>
                  ) : (
                    <span safe>{connectionName(context, connection)}</span>
                  )}
                  <span class="muted subtitle" safe>
                    {settingsSummary(connection)}
                  </span>
                </th>
                <td data-label="Status">
                  <ConnectionState
                    reader={context.reader}
                    health={health.get(connection.id)}
                    newest={newest.get(connection.id)}
                  />
                </td>
                <td data-label="Since">
                  <DateTime reader={context.reader} at={connection.createdAt} dateOnly />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
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
  const { catalog } = context.deps.integrations
  const members = catalog.filter((integration) => integration.category === category)
  if (members.length === 0) return ''
  const pages = await Promise.all(members.map((integration) => integration.page()))
  const isAdmin = can(context.member.role, 'admin')
  return (
    <section aria-labelledby={category}>
      <h2 id={category}>{categories[category]}</h2>
      <ul class="catalog">
        {members.map(({ slug, name }, index) => (
          <li class="card">
            <h3 safe>{name}</h3>
            <p class="muted" safe>
              {pages[index]?.summary ?? ''}
            </p>
            {isAdmin ? (
              <a
                class="button small"
                href={`/integrations/connect/${slug}`}
                aria-label={`Connect ${attribute(name)}`}
              >
                Connect
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
