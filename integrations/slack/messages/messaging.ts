import type { types, webApi } from '@slack/bolt'
import { messageContent } from '../../kit/chat/messages/message-content.ts'
import type {
  FindContext,
  MessageReference,
  Messaging,
  SendContext,
} from '../../kit/chat/messages/messaging.ts'
import { messagingOptions } from '../../kit/chat/settings.ts'
import { ProviderError } from '../../kit/provider-error.ts'
import { errorCode, providerError, type SlackContext, slackClient } from '../client.ts'
import { chatLocale } from '../format.ts'
import { getPerson } from '../person.ts'
import { isChannelId, type Settings } from '../settings.ts'
import { slackMessage } from './message-blocks.ts'

const timeoutMs = 10_000
/** The messages of a conversation that are searched for one that may have been sent. */
const maxSearched = 100

/**
 * The time between two messages. A message is one request of Tier 3 (50 and more in a minute), and a
 * channel takes one message per second.
 * Source: https://docs.slack.dev/apis/web-api/rate-limits
 */
const intervalMs = 1_200

export const messaging: Messaging<Settings> = {
  intervalMs,
  // Each draft takes up to three of the 50 blocks that a message has.
  draftsPerMessage: 12,
  isChannel: isChannelId,
  options: messagingOptions,
  getPerson: (context) => getPerson(context, context.user),
  send,
  find,
  update,
}

/** Marks the first block of a message with its id, by which it is found. */
export const marked = (id: string, blocks: readonly types.KnownBlock[]): types.KnownBlock[] => {
  const [first, ...others] = blocks
  return first ? [{ ...first, block_id: markOf(id) }, ...others] : []
}

const contentOf = ({ message, language }: SendContext<Settings>) =>
  slackMessage(messageContent(message, chatLocale(language)))

/** The block id by which a message is found in its conversation. */
const markOf = (id: string) => `tidings:${id}`

async function send(context: SendContext<Settings>): Promise<MessageReference> {
  const client = slackClient(context.settings, context.provider, timeoutMs)
  const { text, blocks } = contentOf(context)
  try {
    const conversation = await conversationOf(client, context.recipient)
    const { channel = conversation, ts = '' } = await client.chat.postMessage({
      channel: conversation,
      text,
      blocks: marked(context.id, blocks),
      ...(context.thread !== null && { thread_ts: context.thread }),
      unfurl_links: false,
      unfurl_media: false,
    })
    return { channel, ts }
  } catch (error) {
    throw sendError(error)
  }
}

async function update({
  reference,
  ...context
}: SendContext<Settings> & { reference: MessageReference }): Promise<void> {
  const client = slackClient(context.settings, context.provider, timeoutMs)
  const { text, blocks } = contentOf(context)
  const { channel = '', ts = '' } = reference
  try {
    await client.chat.update({ channel, ts, text, blocks })
  } catch (error) {
    // Somebody has deleted the message, or it is too old for changes.
    if (
      ['message_not_found', 'cant_update_message', 'edit_window_closed'].includes(errorCode(error))
    )
      return
    throw sendError(error)
  }
}

type SearchContext = SlackContext &
  Pick<FindContext<Settings>, 'id' | 'recipient' | 'thread' | 'since'>

/**
 * Searches a conversation for a message by the id of its first block.
 * Sources: https://docs.slack.dev/reference/methods/conversations.history and conversations.replies
 */
export async function find({
  settings,
  provider,
  id,
  recipient,
  thread,
  since,
}: SearchContext): Promise<MessageReference | null | 'unknown'> {
  const client = slackClient(settings, provider, timeoutMs)
  try {
    const channel = await conversationOf(client, recipient)
    // Without the permission, a person is not a conversation whose messages can be read.
    if (/^[UW]/.test(channel)) return 'unknown'
    // A minute earlier, because our clock is not that of Slack.
    const oldest = String(since.getTime() / 1000 - 60)
    const slice = { channel, oldest, limit: maxSearched }
    const { messages = [] } =
      thread === null
        ? await client.conversations.history(slice)
        : await client.conversations.replies({ ...slice, ts: thread })
    const found = messages.find(({ blocks }) => blocks?.[0]?.block_id === markOf(id))
    if (found?.ts !== undefined) return { channel, ts: found.ts }
    return messages.length < maxSearched ? null : 'unknown'
  } catch (error) {
    if (['missing_scope', 'not_in_channel', 'channel_not_found'].includes(errorCode(error)))
      return 'unknown'
    throw providerError(error)
  }
}

/** The conversation with a person, or the channel itself. Without the permission, it is the person. */
async function conversationOf(client: webApi.WebClient, recipient: string): Promise<string> {
  if (!/^[UW]/.test(recipient)) return recipient
  try {
    const { channel } = await client.conversations.open({ users: recipient })
    return channel?.id ?? recipient
  } catch (error) {
    if (errorCode(error) === 'missing_scope') return recipient
    throw error
  }
}

/** Why Slack refuses to post in a channel. */
export const channelCodes = [
  'not_in_channel',
  'channel_not_found',
  'is_archived',
  'restricted_action',
]

function sendError(error: unknown): ProviderError {
  const code = errorCode(error)
  if (!channelCodes.includes(code)) return providerError(error)
  const action =
    'Invite the app to the channel with /invite, and check the channel in the settings.'
  return new ProviderError('refused', `Slack refused to post in the channel (${code}). ${action}`)
}
