import * as v from 'valibot'
import {
  ProviderError,
  retryAfterSeconds,
  TokenRefusedError,
  unreachedError,
} from '../kit/provider-error.ts'
import { apiUrl, type ProviderApi } from '../kit/requests/provider-request.ts'
import type { Settings } from './settings.ts'

const timeoutMs = 10_000

/** What calls of Mattermost's API need. */
export interface MattermostContext {
  settings: Settings
  provider: ProviderApi
}

/** Mattermost refuses a request, with this status. */
class MattermostRefusalError extends ProviderError {
  readonly status: number

  constructor(status: number) {
    super('refused', refusalText(status))
    this.status = status
  }
}

function refusalText(status: number): string {
  switch (status) {
    case 401:
      return 'Mattermost refused the token (401). Create a new one for the bot and save it as access_token.'
    case 403:
      return 'Mattermost refused the request (403). Add the bot to the team and to the channel.'
    case 404:
      return 'Mattermost does not have this (404). Check the ids of the channels and server_url.'
    default:
      return `Mattermost refused the request (${status}). Check server_url and the ids of the channels.`
  }
}

interface MattermostCall {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/api/v4/`. */
  path: string
  query?: Record<string, string>
  body?: object
}

/**
 * Calls Mattermost's API with the token of the bot, and returns what `schema` picks of the response. Throws a
 * `ProviderError`; `refused` when Mattermost refuses.
 * Source: https://developers.mattermost.com/api-documentation/
 */
export async function callMattermost<Schema extends v.GenericSchema>(
  context: MattermostContext,
  call: MattermostCall,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const response = await requestMattermost(context, call)
  const read: unknown = await response.json().catch(() => undefined)
  const { success, output } = v.safeParse(schema, read)
  if (success) return output
  throw new ProviderError('unavailable', 'Mattermost answered in a form that it does not document.')
}

/** Requests a path of the API. Throws as {@link callMattermost} does. */
export async function requestMattermost(
  { settings: { server_url, access_token = [] }, provider }: MattermostContext,
  { method = 'GET', path, query = {}, body }: MattermostCall,
): Promise<Response> {
  if (server_url === undefined) throw new ProviderError('refused', 'Set server_url first.')
  const url = apiUrl(server_url, '', `/api/v4/${path}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const [token] = access_token
  const response = await fetchOrFail(provider, url, {
    method,
    headers: {
      accept: 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw errorOf(response)
  return response
}

async function fetchOrFail(provider: ProviderApi, url: URL, init: RequestInit): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    return await provider.fetch(url, { ...init, redirect: 'error', signal })
  } catch (error) {
    throw unreachedError(error, 'Mattermost could not be reached. Check server_url.')
  }
}

/**
 * The error of a response. After a 429, Mattermost says in its headers when it accepts requests again.
 * Source: https://github.com/mattermost/mattermost/blob/master/server/channels/app/ratelimit.go
 */
export function errorOf({ status, headers }: Response): ProviderError {
  if (status === 429) {
    const reset = Number(headers.get('x-ratelimit-reset') ?? '')
    const seconds = retryAfterSeconds(headers) ?? (reset > 0 ? Math.ceil(reset) : 1)
    const text =
      'Mattermost limits our requests. They are repeated as soon as Mattermost accepts them.'
    return new ProviderError('rate_limited', text, seconds)
  }
  if (status === 401) return new TokenRefusedError(refusalText(status))
  if (status >= 400 && status < 500) return new MattermostRefusalError(status)
  return new ProviderError('unavailable', `Mattermost answered ${status}.`)
}

/** Whether an error is a refusal with one of these statuses. */
export const isRefusedWith = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof MattermostRefusalError && statuses.includes(error.status)
