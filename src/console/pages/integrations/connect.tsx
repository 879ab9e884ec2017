import { Elysia } from 'elysia'
import {
  createConnection,
  generateSecrets,
  type Integration,
} from '../../../features/connections/index.ts'
import { notFound } from '../../../lib/errors.ts'
import { Command } from '../../components/copy.tsx'
import { ErrorSummary, Form } from '../../components/form.tsx'
import { layout, PageHead } from '../../components/screen.tsx'
import { SettingFields, settingNames, settingsIn } from '../../components/setting-fields.tsx'
import { access } from '../../http/access.ts'
import {
  type ConsoleDeps,
  connectionContext,
  type MemberRequest,
  type SubmittedForm,
} from '../../http/context.ts'
import { redirect, success } from '../../http/responses.ts'

function integrationOf({ deps, params }: MemberRequest): Integration {
  const found = deps.integrations.catalog.find(({ slug }) => slug === params['slug'])
  if (!found) throw notFound('This integration')
  return found
}

async function connectScreen(context: MemberRequest, entry?: SubmittedForm): Promise<Response> {
  const integration = integrationOf(context)
  const { slug, name } = integration
  const about = await integration.page()
  return await layout(
    context,
    { title: `Connect ${name}`, section: 'integrations' },
    <>
      <PageHead title={`Connect ${name}`} lead={about.summary} />
      <ReachNotice baseUrl={context.deps.baseUrl} />
      <div class="beside">
        <section class="card" aria-labelledby="settings">
          <h2 id="settings">Settings</h2>
          <Form context={context} action={`/integrations/connect/${slug}`}>
            <ErrorSummary entry={entry} but={settingNames(integration)} />
            <SettingFields integration={integration} page={about} entry={entry} />
            <button type="submit" class="primary">
              Connect
            </button>
          </Form>
        </section>
        <div>
          <Guide name={name} html={about.guide} />
          <Paste
            integration={integration}
            hook={`${context.deps.baseUrl}/hooks/${slug}/not-yet`}
            base={context.deps.baseUrl}
          />
        </div>
      </div>
    </>,
  )
}

/** What to do at the provider. */
export function Guide({ name, html }: { name: string; html: string }) {
  if (html === '') return ''
  return (
    <section class="prose" aria-labelledby="guide">
      <h2 id="guide" safe>{`Steps at ${name}`}</h2>
      {html as 'safe'}
    </section>
  )
}

/** What an admin pastes at the provider; before there is a connection, with an address that stands in. */
export function Paste({
  integration,
  hook,
  base,
}: {
  integration: Integration
  hook: string
  base: string
}) {
  const text = integration.setup?.({ hook, base })
  if (!text) return ''
  return (
    <details class="paste" open>
      <summary safe>{`What to paste at ${integration.name}`}</summary>
      <Command id="paste" what="the text" text={text} />
    </details>
  )
}

/** Says so when no provider can reach this address. */
export function ReachNotice({ baseUrl }: { baseUrl: string }) {
  const { hostname, protocol } = new URL(baseUrl)
  const isOwn = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (!isOwn && protocol === 'https:') return ''
  return (
    <p class="notice warn" safe>
      {isOwn
        ? `Providers cannot reach ${baseUrl}, the address of this machine. An operator has to set BASE_URL to a public https address.`
        : `Most providers require an https address, and BASE_URL is ${baseUrl}. An operator has to add a proxy with a certificate and set BASE_URL.`}
    </p>
  )
}

async function connect(context: MemberRequest): Promise<Response> {
  const integration = integrationOf(context)
  const given = settingsIn(integration, context.values)
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

/** The guided page that connects a provider. */
export const connectPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/integrations/connect/:slug', (context) => connectScreen(context), { role: 'admin' })
    .post('/integrations/connect/:slug', connect, {
      role: 'admin',
      renderWithErrors: connectScreen,
    })
