import { Elysia } from 'elysia'
import * as v from 'valibot'
import {
  addRoute,
  type Connection,
  type ConnectionRoute,
  listRoutes,
  removeRoute,
} from '../../../features/connections/index.ts'
import { ErrorSummary, Field, Form } from '../../components/form/form.tsx'
import { connectionName, providerName } from '../../components/provider-name.ts'
import { Table } from '../../components/table.tsx'
import { access } from '../../http/access.ts'
import {
  type ConsoleDeps,
  connectionContext,
  type FormRequest,
  type MemberRequest,
  type SubmittedForm,
} from '../../http/context.ts'
import { textOf } from '../../http/forms/form-data.ts'
import { once } from '../../http/forms/once.ts'
import { redirect, success } from '../../http/responses.ts'
import { connectionLayout } from './connection/layout.tsx'
import { getConnectionInPath } from './connection/load-connection.ts'

const NewRouteForm = v.object({ source: v.string(), address: v.string() })

const pathOf = ({ params }: MemberRequest) =>
  `/integrations/${encodeURIComponent(params['id'] ?? '')}/routes`

async function routesPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context
  const connection = await getConnectionInPath(context)
  const routes = await listRoutes(connectionContext(context), { id: connection.id })
  const provider = providerName(context.deps, connection.adapter)
  const title = t('integrations.routes_of', { connection: connectionName(context, connection) })
  return await connectionLayout(
    context,
    { connection, title, tab: '/routes' },
    <>
      <p class="lead" safe>
        {t('integrations.one_app_or_webhook', { provider })}
      </p>
      {routes.length === 0 ? (
        <p class="muted">{t('integrations.there_are_no_routes')}</p>
      ) : (
        <RouteTable context={context} connection={connection} routes={routes} />
      )}
      <h2>{t('integrations.add_a_route')}</h2>
      <Form context={context} action={pathOf(context)} class="narrow" draft="device">
        <ErrorSummary submitted={submitted} exceptFields={['source', 'address']} />
        <Field
          name="source"
          label={t('integrations.channel_id_or_repository')}
          hint={t('integrations.such_as_c0123abcd_or_acme')}
          required
          maxlength={255}
          submitted={submitted}
        />
        <Field
          name="address"
          label={t('integrations.webhook_url_of_the_other')}
          hint={t('integrations.an_admin_of_the_other')}
          required
          submitted={submitted}
        />
        <button type="submit" class="primary">
          {t('integrations.add_the_route')}
        </button>
      </Form>
    </>,
  )
}

function RouteTable({
  context,
  connection,
  routes,
}: {
  context: MemberRequest
  connection: Connection
  routes: readonly ConnectionRoute[]
}) {
  const { t } = context
  return (
    <Table
      columns={[t('integrations.channel_or_repository'), t('integrations.team')]}
      actions={t('common.remove')}
    >
      {routes.map((route) => (
        <tr>
          <th scope="row">
            <code safe>{route.source}</code>
          </th>
          <td data-label={t('integrations.team')}>
            {route.target_team_name === null ? (
              <span class="badge danger">{t('integrations.the_connection_was_removed')}</span>
            ) : (
              <span safe>
                {[route.target_team_name, route.target_label].filter(Boolean).join(': ')}
              </span>
            )}
          </td>
          <td class="actions">
            <Form
              context={context}
              action={`/integrations/${connection.id}/routes/remove`}
              class="row"
            >
              <input type="hidden" name="source" value={route.source} />
              <button
                type="submit"
                class="small"
                aria-label={t('integrations.remove', { source: route.source })}
              >
                {t('common.remove')}
              </button>
            </Form>
          </td>
        </tr>
      ))}
    </Table>
  )
}

async function add(context: FormRequest<typeof NewRouteForm>): Promise<Response> {
  const { t } = context
  const { source, address } = context.body
  await addRoute(connectionContext(context), { id: context.params['id'] ?? '', source, address })
  return redirect(context, pathOf(context), success(t('integrations.the_route_is_added')))
}

async function remove(context: MemberRequest): Promise<Response> {
  const { t } = context
  const source = textOf(context.values, 'source')
  await removeRoute(connectionContext(context), { id: context.params['id'] ?? '', source })
  return redirect(context, pathOf(context), success(t('integrations.the_route_is_removed')))
}

/** Routes of the pages on which admins send events of a channel or repository to another team. */
export const routePages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/integrations/:id/routes', (context) => routesPage(context), { role: 'admin' })
    .post('/integrations/:id/routes', once(add), {
      role: 'admin',
      body: NewRouteForm,
      renderWithErrors: routesPage,
    })
    .post('/integrations/:id/routes/remove', once(remove), { role: 'admin' })
