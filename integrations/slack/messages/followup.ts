import type { RespondArguments, types } from '@slack/bolt'
import { responseError } from '../../kit/provider-error.ts'
import type { ProviderApi } from '../../kit/requests/provider-request.ts'
import { slackClient } from '../client.ts'
import type { Settings } from '../settings.ts'

/** The address of a message to a person. */
export interface Address {
  user: string
  response_url?: string | undefined
  /** When Slack sent the response address, RFC 3339. */
  since: string
  /** The conversation with the person, and the thread in it. */
  place?: { channel: string; thread: string }
}

export interface Message {
  text: string
  blocks?: types.KnownBlock[]
  replace_original?: boolean
}

const hooksHost = 'hooks.slack.com'
const lifetimeMs = 30 * 60 * 1000
const timeoutMs = 10_000

/** A message that only one person sees, as a reply or through a response address. */
export const ephemeral = (text: string) => ({ response_type: 'ephemeral' as const, text })

/**
 * Sends a message to one person: through the response address while it is valid, and otherwise as a
 * direct message. A response address accepts five messages in thirty minutes; we send at most two.
 * Source: https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 */
export async function sendMessage(
  address: Address,
  message: Message,
  context: { settings: Settings; provider: ProviderApi; now: Date },
): Promise<void> {
  const url = usableResponseUrl(address, context)
  if (url === undefined) {
    const { text, blocks } = message
    const client = slackClient(context.settings, context.provider, timeoutMs)
    const { channel = address.user, thread: thread_ts } = address.place ?? {}
    const content = { channel, text, ...(blocks && { blocks }) }
    await client.chat.postMessage(thread_ts === undefined ? content : { ...content, thread_ts })
    return
  }
  const body: RespondArguments = {
    response_type: 'ephemeral',
    replace_original: false,
    ...message,
  }
  const response = await context.provider.fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) throw responseError(response, { name: 'Slack', check: 'bot_token' })
}

function usableResponseUrl(
  { response_url, since }: Address,
  { settings, now }: { settings: Settings; now: Date },
): URL | undefined {
  const url = URL.parse(response_url ?? '')
  const ageMs = now.getTime() - Date.parse(since)
  // This condition treats an unreadable time as too old.
  return url && isAllowed(url, settings) && ageMs < lifetimeMs ? url : undefined
}

/**
 * Whether messages may be sent to an address. It comes from a request, so only Slack's host is
 * allowed (threat T-24).
 */
function isAllowed(url: URL, settings: Settings): boolean {
  if (url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:' && url.host === hooksHost) return true
  // Another base address is a stand-in for Slack, which also has its response addresses.
  const base = URL.parse(settings.api_base_url)
  return base !== null && base.host !== 'slack.com' && url.origin === base.origin
}
