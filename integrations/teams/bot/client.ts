import * as v from 'valibot'
import { getAccessToken, invalidateAccessToken } from '../../kit/access-token.ts'
import {
  NotReachedError,
  ProviderError,
  responseError,
  UnconfirmedError,
  unreachedError,
} from '../../kit/provider-error.ts'
import { type ProviderApi, withRequestDeadline } from '../../kit/requests/provider-request.ts'
import { type BotSettings, botUrls, hasBot, isServiceUrl, type Settings } from '../settings.ts'

const name = 'Microsoft Teams'
const check = 'app_id, app_password and tenant_id, and that the app is installed there'
const timeoutMs = 10_000
/** How long a request to which a person waits for the response may take. */
const deadlineMs = 4_000

/** The Bot Connector with the settings of a connection. */
export interface BotContext {
  settings: Settings
  provider: ProviderApi
}

/** The Bot Connector for a request to which Teams expects the response within some seconds. */
export const inTime = ({ settings, provider }: BotContext): BotContext => ({
  settings,
  provider: withRequestDeadline(provider, deadlineMs),
})

interface ConnectorCall {
  method?: 'GET' | 'POST' | 'PUT'
  /** Below `v3/`. */
  path: string
  body?: object
  /** Whether a repetition would be done again: the Bot Connector does not recognize it. */
  isOnce?: true
}

/**
 * Calls the Bot Connector. Returns what `schema` picks of the response, and null for a 404. Throws a `ProviderError`:
 * `refused` and `rate_limited` mean that nothing was done, and `UnconfirmedError` that it may be. Sources:
 * https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference and
 * https://learn.microsoft.com/microsoftteams/platform/bots/how-to/rate-limit
 */
export async function callConnector<Schema extends v.GenericSchema>(
  context: BotContext,
  call: ConnectorCall,
  schema: Schema,
): Promise<v.InferOutput<Schema> | null> {
  const { method = 'GET', path, body } = call
  const url = `${botUrls(context.settings).service}v3/${path}`
  const response = await requestAsBot(context, url, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    if (error instanceof ProviderError) throw error
    const unreached = unreachedError(error, `${name} could not be reached.`)
    throw unreached instanceof NotReachedError ? unreached : failure(call, 'could not be reached')
  })
  const { status } = response
  if (status === 404) return null
  if (status === 400) throw new ProviderError('refused', `${name} refused the request (400).`)
  // Requests for the same conversation at the same moment: it was not done.
  if (status === 412)
    throw new ProviderError('rate_limited', `${name} is busy with this conversation (412).`)
  if (status >= 500) throw failure(call, `answered ${status}`)
  if (!response.ok) throw responseError(response, { name, check })
  const parsed = v.safeParse(schema, await response.json().catch(() => ({})))
  if (parsed.success) return parsed.output
  throw failure(call, 'answered in a form that it does not document')
}

function failure({ isOnce }: ConnectorCall, what: string): ProviderError {
  const text = `${name} ${what}.`
  return isOnce ? new UnconfirmedError(text) : new ProviderError('unavailable', text)
}

/** Requests an address with the token of the bot, and once more when the token is not accepted any more. */
export async function requestAsBot(
  context: BotContext,
  url: string,
  init: RequestInit = {},
): Promise<Response> {
  const { settings } = context
  if (!hasBot(settings))
    throw new ProviderError('refused', 'Set app_id, app_password and tenant_id first.')
  if (!isServiceUrl(url, settings))
    throw new ProviderError('refused', `${name} has another address than service_url.`)
  return await requestWithToken(context, settings, { url, init, scope: connectorScope })
}

/**
 * Reads a path of Microsoft Graph with the token of the app.
 * Source: https://learn.microsoft.com/graph/auth-v2-service
 */
export async function requestGraph(context: BotContext, path: string): Promise<Response> {
  const { settings } = context
  if (!hasBot(settings))
    throw new ProviderError('refused', 'Set app_id, app_password and tenant_id first.')
  const url = `${botUrls(settings).graph}${path}`
  return await requestWithToken(context, settings, { url, init: {}, scope: graphScope })
}

const connectorScope = 'https://api.botframework.com/.default'
const graphScope = 'https://graph.microsoft.com/.default'

interface TokenRequest {
  url: string
  init: RequestInit
  /** The API that the token is for. */
  scope: string
}

async function requestWithToken(
  context: BotContext,
  settings: BotSettings,
  request: TokenRequest,
): Promise<Response> {
  const response = await requestOnce(context, settings, request)
  if (response.status !== 401) return response
  invalidateAccessToken(credentialsOf(settings, request.scope))
  return await requestOnce(context, settings, request)
}

async function requestOnce(
  { provider }: BotContext,
  settings: BotSettings,
  { url, init, scope }: TokenRequest,
): Promise<Response> {
  const token = await accessToken(provider, settings, scope)
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${token}`)
  const signal = AbortSignal.timeout(timeoutMs)
  return await provider.fetch(url, { ...init, headers, redirect: 'error', signal })
}

const credentialsOf = (settings: BotSettings, scope: string) => ({
  url: botUrls(settings).token,
  credentials: `${settings.app_id} ${settings.app_password[0] ?? ''} ${scope}`,
})

/** https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication */
const accessToken = (
  provider: ProviderApi,
  settings: BotSettings,
  scope: string,
): Promise<string> =>
  getAccessToken({
    ...credentialsOf(settings, scope),
    provider,
    name: 'Microsoft Entra',
    check: 'app_id, app_password and tenant_id',
    form: async () => ({
      grant_type: 'client_credentials',
      client_id: settings.app_id,
      client_secret: settings.app_password[0] ?? '',
      scope,
    }),
  })
