import { Elysia } from 'elysia'
import {
  createConnection,
  generateSecrets,
  type Integration,
} from '../../../features/connections/index.ts'
import { notFound } from '../../../lib/errors.ts'
import { CodeSnippet } from '../../components/form/copy-field.tsx'
import { ErrorSummary, Form } from '../../components/form/form.tsx'
import {
  readSettingsForm,
  SettingFields,
  settingFieldNames,
} from '../../components/form/setting-fields.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import {
  type ConsoleDeps,
  connectionContext,
  type MemberRequest,
  type SubmittedForm,
} from '../../http/context.ts'
import { once } from '../../http/forms/once.ts'
import { redirect, success } from '../../http/responses.ts'
import type { Translate } from '../../locales/index.ts'
import { AddApp } from './install.tsx'

function integrationOf({ deps, params }: MemberRequest): Integration {
  const found = deps.integrations.catalog.find(({ slug }) => slug === params['slug'])
  if (!found) throw notFound('This integration')
  return found
}

async function connectPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context
  const integration = integrationOf(context)
  const { slug, name } = integration
  const about = await integration.page(context.userLocale.language)
  return await layout(
    context,
    { title: t('integrations.connect_name', { name }), section: 'integrations' },
    <>
      <PageHeader
        title={t('integrations.connect_name', { name })}
        lead={about.summary}
        parent={{ href: '/integrations', title: t('common.integrations') }}
      />
      {integration.polling ? '' : <ReachabilityNotice t={t} baseUrl={context.deps.baseUrl} />}
      <AddApp t={t} integration={integration} />
      <div class="two-columns">
        <section class="card" aria-labelledby="settings">
          <h2 id="settings">
            {t(integration.installer ? 'integrations.own_app' : 'common.settings')}
          </h2>
          <Form context={context} action={`/integrations/connect/${slug}`} draft>
            <ErrorSummary submitted={submitted} exceptFields={settingFieldNames(t, integration)} />
            <SettingFields {...{ context, integration, submitted }} page={about} />
            <button type="submit" class="primary">
              {t('integrations.connect')}
            </button>
          </Form>
        </section>
        <div>
          <SetupGuide title={t('integrations.how_to_connect', { name })} html={about.guide} />
          <SetupText
            t={t}
            integration={integration}
            webhookUrl={`${context.deps.baseUrl}/hooks/${slug}/not-yet`}
            base={context.deps.baseUrl}
          />
        </div>
      </div>
    </>,
  )
}

/** The steps of a set-up, or those that are left. */
export function SetupGuide({ title, html }: { title: string; html: string }) {
  if (html === '') return ''
  return (
    <section class="prose" aria-labelledby="guide">
      <h2 id="guide" safe>
        {title}
      </h2>
      {html as 'safe'}
    </section>
  )
}

/** The text to paste at the provider. Before a connection exists, it contains a placeholder URL. */
export function SetupText({
  t,
  integration,
  webhookUrl,
  base,
}: {
  t: Translate
  integration: Integration
  webhookUrl: string
  base: string
}) {
  const text = integration.setup?.({ webhookUrl, base })
  if (!text) return ''
  return (
    <details class="setup-text" open>
      <summary safe>{t('integrations.what_to_paste_at', { name: integration.name })}</summary>
      <CodeSnippet t={t} id="paste" label={t('integrations.the_text')} text={text} />
    </details>
  )
}

/** A warning when providers cannot reach this installation. */
export function ReachabilityNotice({ t, baseUrl }: { t: Translate; baseUrl: string }) {
  const { hostname, protocol } = new URL(baseUrl)
  const isOwn = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (!isOwn && protocol === 'https:') return ''
  return (
    <p class="notice warning" safe>
      {isOwn
        ? t('integrations.providers_cannot_reach_the_address', { baseUrl })
        : t('integrations.most_providers_require_an_https', { baseUrl })}
    </p>
  )
}

async function connect(context: MemberRequest): Promise<Response> {
  const { t } = context
  const integration = integrationOf(context)
  const given = readSettingsForm(t, integration, context.values)
  const made = generateSecrets(integration, given)
  const settings = {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')),
    ...made,
  }
  const { id } = await createConnection(connectionContext(context), {
    adapter: integration,
    given: settings,
    unseenSecrets: Object.keys(made),
  })
  const { name } = integration
  const done = integration.polling
    ? t('integrations.source_is_connected', { name })
    : t('integrations.is_connected', { name })
  return redirect(context, `/integrations/${id}`, success(done))
}

/** Routes of the page that connects a provider. */
export const connectPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/integrations/connect/:slug', (context) => connectPage(context), { role: 'admin' })
    .post('/integrations/connect/:slug', once(connect), {
      role: 'admin',
      renderWithErrors: connectPage,
    })
