import { changeSettings, removeConnection } from '../../../features/connections/index.ts'
import { notFound } from '../../../lib/errors.ts'
import { recordAuditFor } from '../../audit.ts'
import { ErrorSummary, Form } from '../../components/form.tsx'
import { layout, PageHead } from '../../components/screen.tsx'
import { SettingFields, settingNames, settingsIn } from '../../components/setting-fields.tsx'
import { listOf } from '../../form-data.ts'
import {
  action,
  type MemberRequest,
  NoFields,
  page,
  type Route,
  type SubmittedForm,
} from '../../page.ts'
import { redirect, success } from '../../responses.ts'
import { nameOf } from './catalog.tsx'
import { connectionOf, integrationOf } from './connection.tsx'

const ask = page('/integrations/:id/settings', 'admin', (visit) => settingsScreen(visit))

async function settingsScreen(visit: MemberRequest, entry?: SubmittedForm): Promise<Response> {
  const { connection, integration } = await known(visit)
  const title = `Settings of ${integration.name}`
  return await layout(
    visit,
    { title, section: 'integrations' },
    <div class="narrow">
      <PageHead title={title} />
      <Form visit={visit} action={`/integrations/${connection.id}/settings`}>
        <ErrorSummary entry={entry} but={settingNames(integration)} />
        <SettingFields
          integration={integration}
          page={await integration.page()}
          settings={connection.settings}
          entry={entry}
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

async function known(visit: MemberRequest) {
  const connection = await connectionOf(visit)
  const integration = integrationOf(visit, connection)
  if (!integration) throw notFound('This integration')
  return { connection, integration }
}

const change = action('/integrations/:id/settings', 'admin', {
  form: NoFields,
  renderWithErrors: settingsScreen,
  async handle(visit) {
    const { connection, integration } = await known(visit)
    const { integrations } = visit.deps
    const given = settingsIn(integration, visit.values)
    const beside = listOf(visit.values, 'beside[]').filter((name) => given[name])
    const { id } = connection
    await changeSettings(integrations, visit.teamId, integration, id, given, beside)
    await recordAuditFor(visit, 'connection_changed', `${connection.adapter} ${connection.id}`)
    return redirect(visit, `/integrations/${connection.id}`, success('The settings are saved.'))
  },
})

const askRemove = page('/integrations/:id/remove', 'admin', async (visit) => {
  const connection = await connectionOf(visit)
  const name = nameOf(visit, connection)
  return await layout(
    visit,
    { title: `Disconnect ${name}`, section: 'integrations' },
    <div class="narrow">
      <PageHead title={`Disconnect ${name}?`} />
      <p>
        Its address stops answering at once, its key is revoked and its secrets are forgotten. This
        cannot be taken back. Blocks that came in stay in the library; what is still on its way does
        not arrive.
      </p>
      <div class="row">
        <Form visit={visit} action={`/integrations/${connection.id}/remove`}>
          <button type="submit" class="primary danger">
            Disconnect
          </button>
        </Form>
        <a href={`/integrations/${connection.id}`}>Keep it</a>
      </div>
    </div>,
  )
})

const remove = action('/integrations/:id/remove', 'admin', {
  form: NoFields,
  async handle(visit) {
    const connection = await connectionOf(visit)
    await removeConnection(visit.deps.integrations, visit.teamId, connection.id)
    await recordAuditFor(visit, 'connection_removed', `${connection.adapter} ${connection.id}`)
    return redirect(
      visit,
      '/integrations',
      success(`${nameOf(visit, connection)} is disconnected.`),
    )
  },
})

/** How a connection changes, and how it ends. */
export const changeRoutes: readonly Route[] = [ask, change, askRemove, remove]
