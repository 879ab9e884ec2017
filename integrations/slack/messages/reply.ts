import type { ActionContext } from '../../kit/adapter.ts'
import type { ReplyTopic } from '../../kit/chat/actions.ts'
import { replyText } from '../../kit/chat/tidings-command.ts'
import { shortHash } from '../../kit/text/plain-text.ts'
import { slackClient } from '../client.ts'
import type { EphemeralContext, SlackEvent } from '../events/stored-event.ts'
import { chatLocale } from '../format.ts'
import { getPerson } from '../person.ts'
import type { Settings } from '../settings.ts'
import { type Address, sendMessage } from './followup.ts'
import { textBlock, writeButton } from './message-blocks.ts'

const timeoutMs = 10_000

/** The event after which a job sends a person a reply of the bot. `cause` identifies what the person did. */
export function replyEvent(about: ReplyTopic, cause: string, address: Address) {
  const { user, since, response_url } = address
  const event: SlackEvent = { type: 'action', action: { type: 'answer', about } }
  const ephemeralContext: EphemeralContext = {
    user,
    people: [],
    since,
    ...(response_url && { response_url }),
  }
  return { deliveryId: `answer:${about}:${shortHash(cause)}`, event, ephemeralContext }
}

/**
 * Sends the reply of the bot to a person: in the thread of their message to it, to them alone in a channel, and
 * otherwise where they used a command or a button.
 */
export async function sendReply(
  context: ActionContext<Settings, SlackEvent>,
  address: EphemeralContext,
  about: ReplyTopic,
): Promise<void> {
  const { settings, provider, language, team } = context
  const { user, message, thread: thread_ts = message?.ts, source } = address
  // Only the page of the link shows the name.
  const hasLink = about === 'link' || about === 'draft_not_linked'
  const name = hasLink ? (await getPerson(context, user)).name : user
  const text = await replyText(about, { user, name, team }, chatLocale(language))
  const blocks = about === 'form' ? [textBlock(text), writeButton(language)] : undefined
  if (!message || thread_ts === undefined) return await sendMessage(address, { text }, context)
  const { channel, ts } = message
  const client = slackClient(settings, provider, timeoutMs)
  const content = { channel, text, ...(blocks && { blocks }) }
  if (source === undefined)
    await client.chat.postMessage({ ...content, thread_ts, unfurl_links: false })
  else await client.chat.postEphemeral({ ...content, user, ...(thread_ts !== ts && { thread_ts }) })
}
