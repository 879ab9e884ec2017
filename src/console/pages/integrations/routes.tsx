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
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { connectionName, providerName } from '../../components/provider.ts'
import { access } from '../../http/access.ts'
import {
  type ConsoleDeps,
  connectionContext,
  type FormRequest,
  type MemberRequest,
  type SubmittedForm,
} from '../../http/context.ts'
import { textOf } from '../../http/form-data.ts'
import { redirect, success } from '../../http/responses.ts'
import { loadConnection } from './connection.tsx'

const NewRouteForm = v.object({ source: v.string(), address: v.string() })

const pathOf = ({ params }: MemberRequest) =>
  `/integrations/${encodeURIComponent(params['id'] ?? '')}/routes`

async function routesPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const connection = await loadConnection(context)
  const routes = await listRoutes(connectionContext(context), { id: connection.id })
  const provider = providerName(context.deps, connection.adapter)
  const title = `Routes of ${connectionName(context, connection)}`
  return await layout(
    context,
    { title, section: 'integrations' },
    <div class="narrow">
      <PageHeader title={title} />
      <p class="lead" safe>
        {`One app or webhook of ${provider} can serve several teams. A route sends the events of a channel or repository to a connection of another team.`}
      </p>
      {routes.length === 0 ? (
        <p class="muted">There are no routes. This connection handles all events.</p>
      ) : (
        <RouteTable context={context} connection={connection} routes={routes} />
      )}
      <h2>Add a route</h2>
      <Form context={context} action={pathOf(context)}>
        <ErrorSummary submitted={submitted} exceptFields={['source', 'address']} />
        <Field
          name="source"
          label="Channel id or repository"
          hint="Such as C0123ABCD or acme/web. * stands for any characters: acme/*"
          required
          maxlength={255}
          submitted={submitted}
        />
        <Field
          name="address"
          label="Webhook URL of the other connection"
          hint="An admin of the other team connects the same provider with the same secrets, and copies the URL from the page of that connection."
          required
          submitted={submitted}
        />
        <div class="row">
          <button type="submit" class="primary">
            Add the route
          </button>
          <a href={`/integrations/${connection.id}`}>Back to the connection</a>
        </div>
      </Form>
    </div>,
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
  return (
    <div class="table-container">
      <table class="responsive-table">
        <thead>
          <tr>
            <th scope="col">Channel or repository</th>
            <th scope="col">Team</th>
            <th scope="col">
              <span class="visually-hidden">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {routes.map((route) => (
            <tr>
              <th scope="row">
                <code safe>{route.source}</code>
              </th>
              <td data-label="Team">
                {route.target_team_name === null ? (
                  <span class="badge danger">The connection was removed</span>
                ) : (
                  <span safe>
                    {[route.target_team_name, route.target_label].filter(Boolean).join(': ')}
                  </span>
                )}
              </td>
              <td>
                <Form context={context} action={`/integrations/${connection.id}/routes/remove`}>
                  <input type="hidden" name="source" value={route.source} />
                  <button type="submit" class="small" aria-label={`Remove ${route.source}`}>
                    Remove
                  </button>
                </Form>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

async function add(context: FormRequest<typeof NewRouteForm>): Promise<Response> {
  const { source, address } = context.body
  await addRoute(connectionContext(context), { id: context.params['id'] ?? '', source, address })
  return redirect(context, pathOf(context), success('The route is added.'))
}

async function remove(context: MemberRequest): Promise<Response> {
  const source = textOf(context.values, 'source')
  await removeRoute(connectionContext(context), { id: context.params['id'] ?? '', source })
  return redirect(context, pathOf(context), success('The route is removed.'))
}

/** Routes of the pages on which admins send events of a channel or repository to another team. */
export const routePages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/integrations/:id/routes', (context) => routesPage(context), { role: 'admin' })
    .post('/integrations/:id/routes', add, {
      ...{ role: 'admin', body: NewRouteForm, renderWithErrors: routesPage },
    })
    .post('/integrations/:id/routes/remove', remove, { role: 'admin' })
