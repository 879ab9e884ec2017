import { Elysia } from 'elysia'
import {
  completeInstallation,
  requireInstallationState,
  startInstallation,
} from '../../../features/app-installations/index.ts'
import type { AppInstallation, Integration } from '../../../features/connections/index.ts'
import { AppError, notFound } from '../../../lib/errors.ts'
import { attribute } from '../../attribute.ts'
import { access } from '../../http/access.ts'
import { type ConsoleDeps, connectionContext, type MemberRequest } from '../../http/context.ts'
import { failure, redirect, success } from '../../http/responses.ts'
import type { Translate } from '../../locales/index.ts'

const installPath = (slug: string) => `/integrations/install/${slug}`

/** The button that adds the operator's app to a workspace; nothing when there is no app. */
export function AddApp({
  t,
  integration: { slug, name, installer },
}: {
  t: Translate
  integration: Integration
}) {
  if (installer === null) return ''
  return (
    <section class="card" aria-labelledby="add-app">
      <h2 id="add-app" safe>
        {t('integrations.add_app', { name })}
      </h2>
      <p safe>{t('integrations.add_app_lead', { name })}</p>
      <a class="button primary" href={attribute(installPath(slug))} safe>
        {t('integrations.add_app', { name })}
      </a>
    </section>
  )
}

/** The button that adds an app again that was removed at the provider. */
export function AddAppAgain({ t, integration }: { t: Translate; integration: Integration }) {
  const { slug, name } = integration
  return (
    <a class="button primary" href={attribute(installPath(slug))} safe>
      {t('integrations.add_app_again', { name })}
    </a>
  )
}

/** The integration in the path whose app can be added. Throws `not_found`. */
function installableOf({ deps, params }: MemberRequest) {
  const found = deps.integrations.catalog.find(({ slug }) => slug === params['slug'])
  if (!found || found.installer === null) throw notFound('This integration')
  return { integration: found, installer: found.installer }
}

const redirectUrlOf = ({ deps }: MemberRequest, { slug }: Integration) =>
  `${deps.baseUrl}${installPath(slug)}/callback`

async function start(context: MemberRequest): Promise<Response> {
  const { integration, installer } = installableOf(context)
  const { id: accountId } = context.signedIn.account
  const state = await startInstallation(context.ctx, { accountId, adapter: integration.slug })
  const redirectUrl = redirectUrlOf(context, integration)
  return redirect(context, await installer.authorizeUrl({ state, redirectUrl }))
}

// A redirect in every case, because the address of a callback works once and is of no use in the history.
async function complete(context: MemberRequest): Promise<Response> {
  const { t } = context
  const { integration, installer } = installableOf(context)
  const { slug, name } = integration
  try {
    const connectionId = await connect(context, { integration, installer })
    if (connectionId === null) {
      const cancelled = t('integrations.add_app_cancelled', { name })
      return redirect(context, `/integrations/connect/${slug}`, failure(cancelled))
    }
    const done = t('integrations.app_is_added', { name })
    return redirect(context, `/integrations/${connectionId}`, success(done))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const reason = t.fromEnglish(error.message)
    return redirect(context, `/integrations/connect/${slug}`, failure(reason))
  }
}

/** The connection to the workspace in the callback; null when the person has cancelled. */
async function connect(
  context: MemberRequest,
  { integration, installer }: { integration: Integration; installer: AppInstallation },
): Promise<string | null> {
  const query = context.url.searchParams
  const { id: accountId } = context.signedIn.account
  const state = query.get('state') ?? ''
  await requireInstallationState(context.ctx, { accountId, adapter: integration.slug, state })
  const redirectUrl = redirectUrlOf(context, integration)
  const installed = await installer.install({ query, redirectUrl })
  if (installed === null) return null
  const installation = { ...installed, adapter: integration }
  const { connectionId } = await completeInstallation(connectionContext(context), installation)
  return connectionId
}

/** Routes that add the operator's app to a workspace of a provider, with OAuth. */
export const installPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/integrations/install/:slug', start, { role: 'admin' })
    .get('/integrations/install/:slug/callback', complete, { role: 'admin' })
