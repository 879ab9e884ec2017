import type { Logger, webApi } from '@slack/bolt'
import {
  NotReachedError,
  ProviderError,
  unreachedError as sharedUnreachedError,
  TokenRefusedError,
  TokenRevokedError,
} from '../kit/provider-error.ts'
import type { ProviderApi } from '../kit/requests/provider-request.ts'
import { oneLine } from '../kit/text/fit-length.ts'
import { bolt } from './packages.ts'
import type { Settings } from './settings.ts'

/** What calls of Slack's API need. */
export interface SlackContext {
  settings: Settings
  provider: ProviderApi
}

const nothing = () => {}

/** Bolt's log lines can contain text of people; the host logs failures without it. */
export const silentLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  getLevel: () => bolt().LogLevel.ERROR,
  setName: nothing,
}

/**
 * A client for Slack's Web API with the bot token of the connection. It does not wait for a rate
 * limit to end, because the host retries.
 */
export function slackClient(settings: Settings, provider: ProviderApi, timeoutMs: number) {
  return new (bolt().webApi.WebClient)(settings.bot_token[0], {
    slackApiUrl: settings.api_base_url,
    fetch: (url, init) => provider.fetch(url, init),
    timeout: timeoutMs,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    maxRequestConcurrency: 25,
    allowAbsoluteUrls: false,
    logger: silentLogger,
  })
}

/**
 * Requests the display names of people by user id. People whom Slack does not know or does not show
 * are left out. Throws a `ProviderError` when Slack does not answer for all of them.
 */
export async function displayNames(
  client: webApi.WebClient,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const unique = [...new Set(ids)]
  const results = await Promise.allSettled(unique.map((id) => displayName(client, id)))
  const errors = results.flatMap((result) =>
    result.status === 'rejected' ? [providerError(result.reason)] : [],
  )
  const error = errors.find(({ problem }) => problem === 'refused') ?? longestWait(errors)
  if (error) throw error
  const names = results.map((result) => (result.status === 'fulfilled' ? result.value : undefined))
  return new Map(
    unique.flatMap((id, index): [string, string][] => {
      const name = names[index]
      return name === undefined ? [] : [[id, name]]
    }),
  )
}

const longestWait = (errors: readonly ProviderError[]) =>
  errors.toSorted((a, b) => (b.retryAfterSeconds ?? 0) - (a.retryAfterSeconds ?? 0))[0]

const unknownPerson = ['user_not_found', 'users_not_found', 'user_not_visible']

/** Whether Slack does not know a person, or does not show them to the app. */
export const isUnknownPerson = (error: unknown) => unknownPerson.includes(errorCode(error))

/**
 * Whether Slack does not describe a conversation because it is private: the app may see public channels only, and
 * Slack names another permission for those of which it is a member.
 * Source: https://docs.slack.dev/apis/web-api/using-the-conversations-api
 */
export function isHiddenConversation(error: unknown): boolean {
  if (!(error instanceof bolt().webApi.WebAPIPlatformError)) return false
  const { error: code, provided }: { error: string; provided?: unknown } = error.data
  const seesPublic = String(provided ?? '')
    .split(',')
    .includes('channels:read')
  return code === 'channel_not_found' || (code === 'missing_scope' && seesPublic)
}

/** Slack's code of an error; empty when the error is not a response of Slack. */
export const errorCode = (error: unknown): string =>
  error instanceof bolt().webApi.WebAPIPlatformError ? error.data.error : ''

/** A person, as Slack describes them. */
export type User = NonNullable<webApi.UsersInfoResponse['user']>

/** The name that a person has chosen; empty when Slack shows none. */
export function nameOf({ profile, real_name, name }: User): string {
  const candidates = [profile?.display_name, profile?.real_name, real_name, name]
  return candidates.map((text) => oneLine(text ?? '')).find((text) => text !== '') ?? ''
}

async function displayName(client: webApi.WebClient, user: string): Promise<string | undefined> {
  try {
    return nameOf((await client.users.info({ user })).user ?? {}) || undefined
  } catch (error) {
    if (isUnknownPerson(error)) return undefined
    throw error
  }
}

/**
 * The address of a message in Slack: `undefined` when Slack does not show the message to our app.
 * Throws a `ProviderError` when Slack does not answer.
 * Source: https://docs.slack.dev/reference/methods/chat.getPermalink
 */
export async function permalink(
  client: webApi.WebClient,
  { channel, ts }: { channel: string; ts: string },
): Promise<string | undefined> {
  try {
    const link = await client.chat.getPermalink({ channel, message_ts: ts })
    return URL.parse(link.permalink ?? '')?.protocol === 'https:' ? link.permalink : undefined
  } catch (error) {
    const problem = providerError(error)
    // The item is complete without its link.
    if (problem.problem === 'refused') return undefined
    throw problem
  }
}

/**
 * Slack's error codes for a problem of Slack (https://docs.slack.dev/reference/methods/users.info).
 */
const unavailableCodes = ['fatal_error', 'internal_error']

/** Those with which Slack has not begun what it was asked. */
const notBegunCodes = ['request_timeout', 'service_unavailable', 'team_added_to_org']

/** Source: https://docs.slack.dev/reference/methods/chat.postMessage */
const revokedCodes = ['account_inactive', 'token_revoked']

/** Slack's codes for a token that is wrong or has too few permissions, whatever is requested. */
const tokenCodes = ['invalid_auth', 'missing_scope', 'not_allowed_token_type', 'not_authed']

const expired =
  'The token has expired (token_expired). Tidings refreshes the token of an app that was added with “Add to Slack”; save a new bot_token for another app.'

/** Runs calls of Slack's API, whose errors become a `ProviderError`. */
export async function withProviderErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw error instanceof ProviderError ? error : providerError(error)
  }
}

/** The reason why Slack did not do what it was asked. */
export function providerError(error: unknown): ProviderError {
  if (error instanceof bolt().webApi.WebAPIRateLimitedError) return rateLimited(error.retryAfter)
  if (!(error instanceof bolt().webApi.WebAPIPlatformError)) return unreachedError(error)
  const code = String(error.data.error ?? '')
  // Not Slack's own response, such as the page of a proxy.
  if (!/^[a-z][a-z0-9_]{0,60}$/i.test(code))
    return new ProviderError('unavailable', 'Slack answered in a form that it does not document.')
  if (code === 'ratelimited') return rateLimited()
  const problem = `Slack has a problem (${code}).`
  if (unavailableCodes.includes(code)) return new ProviderError('unavailable', problem)
  if (notBegunCodes.includes(code)) return new NotReachedError(problem)
  // A token that was added with "Add to Slack" is refreshed within ten minutes after a long outage.
  if (code === 'token_expired') return new NotReachedError(expired)
  const action = 'Install the app again in your workspace and save its token as bot_token.'
  const text = `Slack refused the request (${code}). ${action}`
  if (revokedCodes.includes(code)) return new TokenRevokedError(text)
  if (tokenCodes.includes(code)) return new TokenRefusedError(text)
  return new ProviderError('refused', text)
}

/** The error without a response of Slack: 503 and a connection that was refused mean that it has not begun the request. */
function unreachedError(error: unknown): ProviderError {
  const text = 'Slack could not be reached.'
  const { WebAPIHTTPError, WebAPIRequestError } = bolt().webApi
  const isRefused = error instanceof WebAPIHTTPError && error.statusCode === 503
  if (isRefused) return new NotReachedError(text)
  return sharedUnreachedError(error instanceof WebAPIRequestError ? error.original : error, text)
}

const rateLimited = (seconds?: number) =>
  new ProviderError(
    'rate_limited',
    'Slack limits our requests. They are repeated as soon as Slack accepts them.',
    seconds,
  )
