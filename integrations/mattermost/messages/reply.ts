import type { Language } from '../../../src/contract/vocabulary.ts'
import type { Reply } from '../../kit/requests/received.ts'
import { errorOf, type MattermostContext } from '../api.ts'
import { hasBot } from '../settings.ts'
import type { EphemeralContext } from '../stored-event.ts'
import { createPost, directChannel } from './messaging.ts'
import type { PostContent } from './post.ts'

const timeoutMs = 10_000

/** Mattermost accepts replies at a response address for half an hour. */
const lifetimeMs = 30 * 60 * 1000

/** The response to a request after which Mattermost shows nothing. */
export const noReply: Reply = { body: {} }

/** A reply to a command that only the person who wrote it sees. */
export const ephemeral = (text: string): Reply => ({
  body: { response_type: 'ephemeral', text, skip_slack_parsing: true },
})

/**
 * Whether an address is on the server of the connection. It comes from a request, so other hosts
 * are refused (threat T-24).
 */
export function isOnServer(address: string, server: string | undefined): boolean {
  const [url, base] = [URL.parse(address), URL.parse(server ?? '')]
  if (url === null || base === null || url.username + url.password !== '') return false
  const folder = base.pathname.replace(/\/*$/, '/')
  return url.origin === base.origin && url.pathname.startsWith(folder)
}

export interface ReplyContext extends MattermostContext {
  now: Date
  language: Language
}

/** Whether a person can be sent a reply later. */
export const canReply = (
  address: Pick<EphemeralContext, 'response_url' | 'user'>,
  settings: MattermostContext['settings'],
): boolean =>
  isOnServer(address.response_url ?? '', settings.server_url) ||
  (hasBot(settings) && address.user !== undefined)

/**
 * Sends a person a message that nobody else sees: where they wrote a command, or as a direct message. `id` identifies
 * it, so that a repeated call sends it once. Does nothing without a way to reach the person.
 */
export async function replyTo(
  address: EphemeralContext,
  { id, content }: { id: string; content: PostContent },
  context: ReplyContext,
): Promise<void> {
  const { response_url = '', since, user } = address
  const { settings, now } = context
  // This condition treats an unreadable time as too old.
  const isOpen = now.getTime() - Date.parse(since) < lifetimeMs
  if (isOpen && isOnServer(response_url, settings.server_url))
    return await respond(response_url, content, context)
  if (!hasBot(settings) || user === undefined) return
  const channel = await directChannel(context, user)
  await createPost(context, { channel, id, content })
}

/** https://developers.mattermost.com/integrate/slash-commands/custom */
async function respond(
  url: string,
  { message: text, attachments }: PostContent,
  { provider }: ReplyContext,
): Promise<void> {
  const body = {
    response_type: 'ephemeral',
    text,
    ...(attachments.length > 0 && { attachments }),
    skip_slack_parsing: true,
  }
  const response = await provider.fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) throw errorOf(response)
}
