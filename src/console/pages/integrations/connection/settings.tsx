import { Elysia } from 'elysia'
import { deleteConnection, updateConnection } from '../../../../features/connections/index.ts'
import { ErrorSummary, Field, Form } from '../../../components/form/form.tsx'
import {
  readSettingsForm,
  SettingFields,
  settingFieldNames,
} from '../../../components/form/setting-fields.tsx'
import { layout, PageHeader } from '../../../components/layout/layout.tsx'
import { connectionName } from '../../../components/provider-name.ts'
import { access } from '../../../http/access.ts'
import {
  type ConsoleDeps,
  connectionContext,
  type MemberRequest,
  type SubmittedForm,
} from '../../../http/context.ts'
import { listValuesOf, textOf } from '../../../http/forms/form-data.ts'
import { once } from '../../../http/forms/once.ts'
import { redirect, success } from '../../../http/responses.ts'
import { connectionLayout } from './layout.tsx'
import { getConnectionInPath, loadWithIntegration } from './load-connection.ts'

async function connectionSettingsPage(
  context: MemberRequest,
  submitted?: SubmittedForm,
): Promise<Response> {
  const { t } = context
  const { connection, integration } = await loadWithIntegration(context)
  const title = t('integrations.settings_of', { name: integration.name })
  return await connectionLayout(
    context,
    { connection, title, tab: '/settings' },
    <Form context={context} action={`/integrations/${connection.id}/settings`} class="narrow" draft>
      <ErrorSummary submitted={submitted} exceptFields={settingFieldNames(t, integration)} />
      <Field
        name="connection_label"
        label={t('integrations.name_of_this_connection')}
        hint={t('integrations.distinguishes_it_from_other_connections')}
        value={connection.label ?? ''}
        maxlength={100}
        submitted={submitted}
      />
      <SettingFields
        context={context}
        integration={integration}
        page={await integration.page(context.userLocale.language)}
        settings={connection.settings}
        submitted={submitted}
      />
      <div class="row">
        <button type="submit" class="primary">
          {t('common.save')}
        </button>
        <a href={`/integrations/${connection.id}`}>{t('common.cancel')}</a>
      </div>
    </Form>,
  )
}

async function change(context: MemberRequest): Promise<Response> {
  const { t } = context
  const { connection, integration } = await loadWithIntegration(context)
  const given = readSettingsForm(t, integration, context.values, connection.settings)
  const keepPrevious = listValuesOf(context.values, 'keep_previous[]').filter((name) => given[name])
  const { id } = connection
  const label = textOf(context.values, 'connection_label')
  const change = { adapter: integration, id, given, keepPrevious, label }
  await updateConnection(connectionContext(context), change)
  return redirect(
    context,
    `/integrations/${connection.id}`,
    success(t('integrations.the_settings_are_saved')),
  )
}

async function askRemove(context: MemberRequest): Promise<Response> {
  const { t } = context
  const connection = await getConnectionInPath(context)
  const name = connectionName(context, connection)
  return await layout(
    context,
    { title: t('integrations.disconnect_name', { name }), section: 'integrations' },
    <div class="narrow">
      <PageHeader
        title={t('integrations.confirm_disconnect', { name })}
        parent={{ href: `/integrations/${connection.id}`, title: name }}
      />
      <p>{t('integrations.its_webhook_url_stops_working')}</p>
      <div class="row">
        <Form context={context} action={`/integrations/${connection.id}/remove`}>
          <button type="submit" class="primary danger">
            {t('integrations.disconnect')}
          </button>
        </Form>
        <a href={`/integrations/${connection.id}`}>{t('common.cancel')}</a>
      </div>
    </div>,
  )
}

async function remove(context: MemberRequest): Promise<Response> {
  const { t } = context
  const connection = await getConnectionInPath(context)
  await deleteConnection(context.ctx, connection.id)
  return redirect(
    context,
    '/integrations',
    success(t('integrations.is_disconnected', { connection: connectionName(context, connection) })),
  )
}

/** Routes that change and remove a connection. */
export const connectionSettingsPages = (deps: ConsoleDeps) =>
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
    .post('/integrations/:id/remove', once(remove), { role: 'admin' })
