import * as v from 'valibot'
import { getAccessToken, invalidateAccessToken } from '../../kit/access-token.ts'
import { ProviderError, responseError } from '../../kit/provider-error.ts'
import type { ProviderApi } from '../../kit/provider-request.ts'
import { type BotSettings, botUrls, isBot, isServiceUrl, type Settings } from '../settings.ts'

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
export function withDeadline({ settings, provider }: BotContext): BotContext {
  const signal = AbortSignal.timeout(deadlineMs)
  return {
    settings,
    provider: { fetch: async (url, init) => await provider.fetch(url, { ...init, signal }) },
  }
}

interface ConnectorCall {
  method?: 'GET' | 'POST' | 'PUT'
  /** Below `v3/`. */
  path: string
  body?: object
}

/**
 * Calls the Bot Connector. Returns what `schema` picks of the response, and null for a 404. Throws a `ProviderError`:
 * `refused` and `rate_limited` mean that nothing was done, `unavailable` that it may be.
 * Source: https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference
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
  })
  if (response.status === 404) return null
  if (response.status === 400)
    throw new ProviderError('refused', `${name} refused the request (400).`)
  if (!response.ok) throw responseError(response, { name, check })
  const parsed = v.safeParse(schema, await response.json().catch(() => ({})))
  if (parsed.success) return parsed.output
  throw new ProviderError('unavailable', `${name} answered in a form that it does not document.`)
}

/** Requests an address with the token of the bot, and once more when the token is not accepted any more. */
export async function requestAsBot(
  context: BotContext,
  url: string,
  init: RequestInit = {},
): Promise<Response> {
  const { settings } = context
  if (!isBot(settings))
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
  if (!isBot(settings))
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
