import { Elysia } from 'elysia'
import { deleteConnection, updateConnection } from '../../../features/connections/index.ts'
import { ErrorSummary, Field, Form } from '../../components/form/form.tsx'
import {
  parseSettings,
  SettingFields,
  settingFieldNames,
} from '../../components/form/setting-fields.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { connectionName } from '../../components/provider.ts'
import { access } from '../../http/access.ts'
import {
  type ConsoleDeps,
  connectionContext,
  type MemberRequest,
  type SubmittedForm,
} from '../../http/context.ts'
import { listOf, textOf } from '../../http/form-data.ts'
import { redirect, success } from '../../http/responses.ts'
import { loadConnection, loadWithIntegration } from './connection.tsx'

async function connectionSettingsPage(
  context: MemberRequest,
  submitted?: SubmittedForm,
): Promise<Response> {
  const { connection, integration } = await loadWithIntegration(context)
  const title = `Settings of ${integration.name}`
  return await layout(
    context,
    { title, section: 'integrations' },
    <div class="narrow">
      <PageHeader title={title} />
      <Form context={context} action={`/integrations/${connection.id}/settings`}>
        <ErrorSummary submitted={submitted} exceptFields={settingFieldNames(integration)} />
        <Field
          name="connection_label"
          label="Name of this connection"
          hint="Distinguishes it from other connections to the same provider. Optional."
          value={connection.label ?? ''}
          maxlength={100}
          submitted={submitted}
        />
        <SettingFields
          integration={integration}
          page={await integration.page()}
          settings={connection.settings}
          submitted={submitted}
        />
        <div class="row">
          <button type="submit" class="primary">
            Save
          </button>
          <a href={`/integrations/${connection.id}`}>Cancel</a>
        </div>
      </Form>
    </div>,
  )
}

async function change(context: MemberRequest): Promise<Response> {
  const { connection, integration } = await loadWithIntegration(context)
  const given = parseSettings(integration, context.values)
  const keepPrevious = listOf(context.values, 'keep_previous[]').filter((name) => given[name])
  const { id } = connection
  const label = textOf(context.values, 'connection_label')
  const change = { kind: integration, id, given, keepPrevious, label }
  await updateConnection(connectionContext(context), change)
  return redirect(context, `/integrations/${connection.id}`, success('The settings are saved.'))
}

async function askRemove(context: MemberRequest): Promise<Response> {
  const connection = await loadConnection(context)
  const name = connectionName(context, connection)
  return await layout(
    context,
    { title: `Disconnect ${name}`, section: 'integrations' },
    <div class="narrow">
      <PageHeader title={`Disconnect ${name}?`} />
      <p>
        Its webhook URL stops working at once, its key is revoked and its secrets are deleted. This
        cannot be undone. Its blocks stay in the library; deliveries that are not processed yet are
        dropped.
      </p>
      <div class="row">
        <Form context={context} action={`/integrations/${connection.id}/remove`}>
          <button type="submit" class="primary danger">
            Disconnect
          </button>
        </Form>
        <a href={`/integrations/${connection.id}`}>Cancel</a>
      </div>
    </div>,
  )
}

async function remove(context: MemberRequest): Promise<Response> {
  const connection = await loadConnection(context)
  await deleteConnection(context.ctx, connection.id)
  return redirect(
    context,
    '/integrations',
    success(`${connectionName(context, connection)} is disconnected.`),
  )
}

/** Routes that change and remove a connection. */
export const changePages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/integrations/:id/settings', (context) => connectionSettingsPage(context), {
      role: 'admin',
    })
    .post('/integrations/:id/settings', change, {
      role: 'admin',
      renderWithErrors: connectionSettingsPage,
    })
    .get('/integrations/:id/remove', askRemove, { role: 'admin' })
    .post('/integrations/:id/remove', remove, { role: 'admin' })
