import * as v from 'valibot'
import { ProviderError, TokenRefusedError, unreachedError } from '../kit/provider-error.ts'
import type { ProviderApi } from '../kit/requests/provider-request.ts'
import type { Settings } from './settings.ts'

const timeoutMs = 10_000

/** What calls of Discord's API need. */
export interface DiscordContext {
  settings: Settings
  provider: ProviderApi
}

/** Discord refuses a request. `code` says why; 0 when Discord does not. */
class DiscordRefusalError extends ProviderError {
  readonly status: number
  readonly code: number

  constructor(status: number, code: number) {
    super('refused', refusalText(status, code))
    this.status = status
    this.code = code
  }
}

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json-json-error-codes */
export const errorCode = {
  unknownChannel: 10_003,
  unknownMember: 10_007,
  unknownMessage: 10_008,
  unknownUser: 10_013,
  missingAccess: 50_001,
  cannotMessageUser: 50_007,
  missingPermissions: 50_013,
} as const

function refusalText(status: number, code: number): string {
  if (status === 401) return 'Discord refused the token (401). Reset it and save it as bot_token.'
  if (code === errorCode.cannotMessageUser)
    return 'The person takes no direct messages from this application (50007).'
  if (
    [errorCode.missingAccess, errorCode.missingPermissions, errorCode.unknownChannel].some(
      (one) => one === code,
    )
  )
    return `Discord refused the request (${code}). Give the application access to the channel, and check its id in the settings.`
  return `Discord refused the request (${status}, ${code}). Check bot_token and the permissions of the application.`
}

const ErrorBody = v.object({
  code: v.optional(v.number(), 0),
  retry_after: v.optional(v.number()),
})

/**
 * Discord can block programs that do not say what they are in this form. There is no page about Tidings at this address.
 * Source: https://docs.discord.com/developers/reference#user-agent
 */
export const userAgent = { 'user-agent': 'DiscordBot (https://tidings.example, 1)' }

interface DiscordCall {
  method: 'GET' | 'PATCH' | 'POST' | 'PUT'
  /** Below the base address, without a slash at the start. */
  path: string
  body?: object
}

/**
 * Calls Discord's API with the token of the bot, and returns what `schema` picks of the response. Throws a
 * `ProviderError`; a {@link DiscordRefusalError} when Discord refuses.
 * Source: https://docs.discord.com/developers/topics/rate-limits
 */
export async function callDiscord<Schema extends v.GenericSchema>(
  { settings, provider }: DiscordContext,
  { method, path, body }: DiscordCall,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const [token] = settings.bot_token ?? []
  if (token === undefined) throw new ProviderError('refused', 'Set bot_token first.')
  const response = await fetchOrFail(provider, `${baseOf(settings)}/${path}`, {
    method,
    headers: {
      authorization: `Bot ${token}`,
      ...userAgent,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const read: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw errorOf(response, read)
  const { success, output } = v.safeParse(schema, read)
  if (success) return output
  throw new ProviderError('unavailable', 'Discord answered in a form that it does not document.')
}

/** The base address without a slash at the end. */
export const baseOf = ({ api_base_url }: Settings): string => api_base_url.replace(/\/*$/, '')

async function fetchOrFail(
  provider: ProviderApi,
  url: string,
  init: RequestInit,
): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    return await provider.fetch(url, { ...init, redirect: 'error', signal })
  } catch (error) {
    throw unreachedError(error, 'Discord could not be reached.')
  }
}

/** The error of a response, whose JSON is `read`. */
export function errorOf({ status, headers }: Response, read: unknown): ProviderError {
  const parsed = v.safeParse(ErrorBody, read)
  const { code, retry_after } = parsed.success ? parsed.output : { code: 0 }
  if (status === 429) {
    const header = Number(headers.get('retry-after') ?? '')
    const seconds = Math.ceil(retry_after ?? (header > 0 ? header : 1))
    const text = 'Discord limits our requests. They are repeated as soon as Discord accepts them.'
    return new ProviderError('rate_limited', text, Math.max(seconds, 1))
  }
  if (status === 401) return new TokenRefusedError(refusalText(status, code))
  if (status >= 400 && status < 500) return new DiscordRefusalError(status, code)
  return new ProviderError('unavailable', `Discord answered ${status}.`)
}

/** Whether an error is one of Discord's codes. */
export const isRefusedWith = (error: unknown, ...codes: readonly number[]): boolean =>
  error instanceof DiscordRefusalError && codes.includes(error.code)
