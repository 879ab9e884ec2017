import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Installation } from '@slack/bolt'
import type { AppCredentials } from '../../../src/contract/app-credentials.ts'
import type { AppInstaller, InstalledWorkspace } from '../../kit/installer.ts'
import { ProviderError } from '../../kit/provider-error.ts'
import type { ProviderApi } from '../../kit/requests/provider-request.ts'
import type { RawRequest } from '../../kit/requests/received.ts'
import { strictUtf8 } from '../../kit/requests/webhook-request.ts'
import { oneLine } from '../../kit/text/fit-length.ts'
import { errorCode, providerError, silentLogger } from '../client.ts'
import { readBody } from '../events/event.ts'
import manifest from '../manifest.json' with { type: 'json' }
import { ephemeral } from '../messages/followup.ts'
import { bolt, oauth } from '../packages.ts'
import { defaultApiUrl } from '../settings.ts'
import { isFromSlack } from '../signature.ts'
import { isOfAny, workspacesOf } from './workspace.ts'

const timeoutMs = 10_000
const notConnected =
  'This workspace is not connected to Tidings. An admin of your newsletter can add the app again.'

/** Adds the operator's app to workspaces and organizations with Bolt's installer. */
export const installer: AppInstaller = {
  async authorizeUrl(app, { state, redirectUrl }) {
    const scopes = manifest.oauth_config.scopes.bot
    return await providerOf(app).generateInstallUrl(
      { scopes, redirectUri: redirectUrl },
      true,
      state,
    )
  },

  async install({ app, provider, now, query, redirectUrl }) {
    if (query.get('error') === 'access_denied') return null
    return installedOf(app, await exchange({ app, provider, query, redirectUrl }), now)
  },

  async refresh({ app, provider, now, refreshToken }) {
    const client = new (bolt().webApi.WebClient)(undefined, clientOptions(app, provider))
    try {
      const access = await client.oauth.v2.access({
        client_id: app.clientId,
        client_secret: app.clientSecret,
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      })
      const { access_token: token, refresh_token: next, expires_in } = access
      if (!token || !next || !expires_in) throw undocumented()
      const expiresAt = new Date(now.getTime() + expires_in * 1000)
      return { settings: { bot_token: token }, expiring: { refreshToken: next, expiresAt } }
    } catch (error) {
      throw error instanceof ProviderError ? error : oauthError(error)
    }
  },

  async revoke({ app, provider, settings }) {
    const { bot_token: given } = settings
    const token: unknown = Array.isArray(given) ? given[0] : given
    if (typeof token !== 'string') return
    try {
      // Source: https://docs.slack.dev/reference/methods/auth.revoke
      await new (bolt().webApi.WebClient)(token, clientOptions(app, provider)).auth.revoke()
    } catch (error) {
      throw providerError(error)
    }
  },

  identify(request, app, now) {
    const text = strictUtf8(request.body)
    if (text === undefined) return { kind: 'rejected', status: 400, reason: 'not UTF-8' }
    if (!isFromSlack(request.headers, text, [app.signingSecret], now))
      return { kind: 'rejected', status: 401, reason: 'no valid signature' }
    return identifyVerified(request, text)
  },
}

function identifyVerified({ headers }: RawRequest, text: string) {
  const read = readBody(headers.get('content-type'), text)
  if (read.kind === 'unreadable')
    return { kind: 'rejected', status: 400, reason: read.reason } as const
  if (read.kind !== 'body') return { kind: 'immediateReply', reply: {} } as const
  const { body } = read
  if (body.type === 'url_verification')
    return { kind: 'immediateReply', reply: { body: { challenge: body.challenge } } } as const
  const unknown = body.type === 'command' ? { body: ephemeral(notConnected) } : {}
  return { kind: 'workspace', ids: workspacesOf(body), isOfAny: isOfAny(body), unknown } as const
}

const clientOptions = (app: AppCredentials, provider: ProviderApi) => ({
  slackApiUrl: app.apiUrl,
  fetch: (url: string | URL | Request, init?: RequestInit) =>
    provider.fetch(url instanceof Request ? url.url : url, init),
  timeout: timeoutMs,
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
  allowAbsoluteUrls: false,
  logger: silentLogger,
})

/** The host has its own states, which are bound to an admin and a team, so Bolt's are switched off. */
const providerOf = ({ clientId, clientSecret, apiUrl }: AppCredentials, options = {}) =>
  new (oauth().InstallProvider)({
    clientId,
    clientSecret,
    stateVerification: false,
    authorizationUrl: new URL('/oauth/v2/authorize', apiUrl).href,
    logger: silentLogger,
    clientOptions: options,
  })

interface Exchange {
  app: AppCredentials
  provider: ProviderApi
  query: URLSearchParams
  redirectUrl: string
}

/** Passes the callback to Bolt's installer, which reads only its address. */
async function exchange({ app, provider, query, redirectUrl }: Exchange): Promise<Installation> {
  const request = new IncomingMessage(new Socket())
  request.url = `/?${query}`
  const given = { scopes: manifest.oauth_config.scopes.bot, redirectUri: redirectUrl }
  const { promise, resolve, reject } = Promise.withResolvers<Installation>()
  await providerOf(app, clientOptions(app, provider)).handleCallback(
    request,
    new ServerResponse(request),
    {
      // The tokens go to the host, not to a store of Bolt.
      afterInstallation: async (installation) => {
        resolve(installation)
        return false
      },
      failure: (error) => reject(oauthError(error)),
    },
    given,
  )
  return await promise
}

function installedOf(
  app: AppCredentials,
  installation: Installation,
  now: Date,
): InstalledWorkspace {
  const { bot, enterprise, team, isEnterpriseInstall, appId } = installation
  const workspace = isEnterpriseInstall ? enterprise : team
  if (!bot || !workspace || !appId) throw undocumented()
  const { refreshToken, expiresAt } = bot
  return {
    workspaceId: workspace.id,
    workspaceName: oneLine(workspace.name ?? ''),
    settings: {
      signing_secret: app.signingSecret,
      bot_token: bot.token,
      workspace_id: workspace.id,
      app_id: appId,
      ...(app.apiUrl !== defaultApiUrl && { api_base_url: app.apiUrl }),
    },
    expiring:
      refreshToken === undefined || expiresAt === undefined
        ? null
        : { refreshToken, expiresAt: new Date(Math.max(expiresAt * 1000, now.getTime())) },
  }
}

const undocumented = () =>
  new ProviderError('unavailable', 'Slack answered in a form that it does not document.')

/** Slack's responses to a code or a refresh token that is not valid any more, and to wrong credentials. */
const refusals: Record<string, string> = {
  invalid_code: 'The approval has expired. Add the app again.',
  code_already_used: 'The approval was used already. Add the app again.',
  bad_redirect_uri: 'Add the address of the callback to the app under "OAuth & Permissions".',
  invalid_client_id: 'Check SLACK_CLIENT_ID.',
  bad_client_secret: 'Check SLACK_CLIENT_SECRET.',
  invalid_refresh_token: 'Add the app to the workspace again.',
  token_expired: 'Add the app to the workspace again.',
  token_revoked: 'Add the app to the workspace again.',
}

/** Source of the codes: https://docs.slack.dev/reference/methods/oauth.v2.access */
function oauthError(error: unknown): ProviderError {
  const code = errorCode(error)
  const action = refusals[code]
  return action === undefined
    ? providerError(error)
    : new ProviderError('refused', `Slack refused the request (${code}). ${action}`)
}
