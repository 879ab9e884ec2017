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
  parseSettings,
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
import { redirect, success } from '../../http/responses.ts'
import type { Translate } from '../../messages/index.ts'

function integrationOf({ deps, params }: MemberRequest): Integration {
  const found = deps.integrations.catalog.find(({ slug }) => slug === params['slug'])
  if (!found) throw notFound('This integration')
  return found
}

async function connectPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context

  const integration = integrationOf(context)
  const { slug, name } = integration
  const about = await integration.page()
  return await layout(
    context,
    { title: `Connect ${name}`, section: 'integrations' },
    <>
      <PageHeader title={`Connect ${name}`} lead={about.summary} />
      <ReachabilityNotice baseUrl={context.deps.baseUrl} />
      <div class="two-columns">
        <section class="card" aria-labelledby="settings">
          <h2 id="settings">Settings</h2>
          <Form context={context} action={`/integrations/connect/${slug}`}>
            <ErrorSummary submitted={submitted} exceptFields={settingFieldNames(integration)} />
            <SettingFields integration={integration} page={about} submitted={submitted} />
            <button type="submit" class="primary">
              Connect
            </button>
          </Form>
        </section>
        <div>
          <SetupGuide name={name} html={about.guide} />
          <SetupText
            t={t}
            integration={integration}
            hook={`${context.deps.baseUrl}/hooks/${slug}/not-yet`}
            base={context.deps.baseUrl}
          />
        </div>
      </div>
    </>,
  )
}

/** The setup steps at the provider. */
export function SetupGuide({ name, html }: { name: string; html: string }) {
  if (html === '') return ''
  return (
    <section class="prose" aria-labelledby="guide">
      <h2 id="guide" safe>{`Steps at ${name}`}</h2>
      {html as 'safe'}
    </section>
  )
}

/** The text to paste at the provider. Before a connection exists, it contains a placeholder URL. */
export function SetupText({
  t,
  integration,
  hook,
  base,
}: {
  t: Translate
  integration: Integration
  hook: string
  base: string
}) {
  const text = integration.setup?.({ hook, base })
  if (!text) return ''
  return (
    <details class="setup-text" open>
      <summary safe>{`What to paste at ${integration.name}`}</summary>
      <CodeSnippet t={t} id="paste" label="the text" text={text} />
    </details>
  )
}

/** A warning when providers cannot reach this installation. */
export function ReachabilityNotice({ baseUrl }: { baseUrl: string }) {
  const { hostname, protocol } = new URL(baseUrl)
  const isOwn = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (!isOwn && protocol === 'https:') return ''
  return (
    <p class="notice warning" safe>
      {isOwn
        ? `Providers cannot reach ${baseUrl}, the address of this machine. An operator has to set BASE_URL to a public https address.`
        : `Most providers require an https address, and BASE_URL is ${baseUrl}. An operator has to add a proxy with a certificate and set BASE_URL.`}
    </p>
  )
}

async function connect(context: MemberRequest): Promise<Response> {
  const integration = integrationOf(context)
  const given = parseSettings(integration, context.values)
  const made = generateSecrets(integration, given)
  const settings = {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')),
    ...made,
  }
  const { id } = await createConnection(connectionContext(context), {
    ...{ kind: integration, given: settings, unshown: Object.keys(made) },
  })
  const done = `${integration.name} is connected. Now enter the webhook URL below at the provider.`
  return redirect(context, `/integrations/${id}`, success(done))
}

/** Routes of the page that connects a provider. */
export const connectPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/integrations/connect/:slug', (context) => connectPage(context), { role: 'admin' })
    .post('/integrations/connect/:slug', connect, {
      role: 'admin',
      renderWithErrors: connectPage,
    })
