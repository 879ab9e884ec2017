import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { messageContent } from '../../kit/chat/messages/message-content.ts'
import type {
  FindContext,
  MessageReference,
  Messaging,
  SendContext,
} from '../../kit/chat/messages/messaging.ts'
import { messagingOptions } from '../../kit/chat/settings.ts'
import { callDiscord, type DiscordContext, errorCode, isRefusedWith } from '../api.ts'
import { getPerson } from '../person.ts'
import { isSnowflake, type Settings } from '../settings.ts'
import { componentMessage, draftsPerMessage } from './components.ts'
import { chatLocale } from './format.ts'

/**
 * The time between two messages. Each is up to three of the 50 requests per second of a bot, and a channel takes
 * about one message per second; Discord names no number and asks to obey its 429.
 * Source: https://docs.discord.com/developers/topics/rate-limits
 */
const intervalMs = 1_000
/** The messages of a channel that are searched for one that may have been sent. */
const maxSearched = 100

export const messaging: Messaging<Settings> = {
  intervalMs,
  draftsPerMessage,
  isChannel: isSnowflake,
  options: (settings) => (settings.bot_token ? messagingOptions(settings) : null),
  getPerson: (context) => getPerson(context, context.user),
  send,
  find,
  update,
}

const hashOf = (id: string) => createHash('sha256').update(id).digest()

/** The number by which a message is found in its channel: the id of its first component, 31 bits. */
export const markOf = (id: string): number => hashOf(id).readUInt32BE() >>> 1 || 1

/** Discord creates no second message with the same nonce within a few minutes. */
const nonceOf = (id: string): string => hashOf(id).toString('base64url').slice(0, 25)

const Sent = v.object({ id: v.string(), channel_id: v.string() })
const Channel = v.object({ id: v.string() })

const contentOf = ({ id, message, language }: SendContext<Settings>) =>
  componentMessage(messageContent(message, chatLocale(language)), markOf(id))

/** Source: https://docs.discord.com/developers/resources/message#create-message */
async function send(context: SendContext<Settings>): Promise<MessageReference> {
  return await postMessage(
    context,
    await channelOfRecipient(context),
    contentOf(context),
    context.id,
  )
}

/** Posts a message once: with the same id, Discord returns the one that it has. Throws a `ProviderError`. */
export async function postMessage(
  context: DiscordContext,
  channel: string,
  content: object,
  id: string,
): Promise<MessageReference> {
  const body = { ...content, nonce: nonceOf(id), enforce_nonce: true }
  const path = `channels/${channel}/messages`
  const sent = await callDiscord(context, { method: 'POST', path, body }, Sent)
  return { channel: sent.channel_id, message: sent.id }
}

async function update({
  reference,
  ...context
}: SendContext<Settings> & { reference: MessageReference }): Promise<void> {
  const { channel = '', message = '' } = reference
  const path = `channels/${channel}/messages/${message}`
  try {
    await callDiscord(context, { method: 'PATCH', path, body: contentOf(context) }, v.unknown())
  } catch (error) {
    // Somebody has deleted the message.
    if (!isRefusedWith(error, errorCode.unknownMessage)) throw error
  }
}

const Found = v.array(
  v.object({
    id: v.string(),
    components: v.optional(v.array(v.object({ id: v.optional(v.number()) })), []),
  }),
)

/**
 * Searches a channel for a message by the id of its first component.
 * Source: https://docs.discord.com/developers/resources/message#get-channel-messages
 */
async function find(context: FindContext<Settings>): Promise<MessageReference | null | 'unknown'> {
  try {
    return await findMessageIn(context, await channelOfRecipient(context))
  } catch (error) {
    return unknownIfHidden(error)
  }
}

/** The message of a channel with our id in its first component; null without one, `unknown` when it cannot be seen. Throws a `ProviderError`. */
export async function findMessageIn(
  context: DiscordContext & Pick<FindContext<Settings>, 'id' | 'since'>,
  channel: string,
): Promise<MessageReference | null | 'unknown'> {
  try {
    const path = `channels/${channel}/messages?limit=${maxSearched}&after=${firstIdAt(context.since)}`
    const messages = await callDiscord(context, { method: 'GET', path }, Found)
    const mark = markOf(context.id)
    const found = messages.find(({ components: [first] }) => first?.id === mark)
    if (found) return { channel, message: found.id }
    return messages.length < maxSearched ? null : 'unknown'
  } catch (error) {
    return unknownIfHidden(error)
  }
}

/** Throws an error again that does not say that the channel is hidden from the app. */
function unknownIfHidden(error: unknown): 'unknown' {
  const { missingAccess, missingPermissions, unknownChannel } = errorCode
  if (isRefusedWith(error, missingAccess, missingPermissions, unknownChannel)) return 'unknown'
  throw error
}

const discordEpochMs = 1_420_070_400_000
const minuteMs = 60_000

/** The smallest id of a message that was sent a minute before `since`: our clock is not that of Discord. */
const firstIdAt = (since: Date): string =>
  String(BigInt(since.getTime() - minuteMs - discordEpochMs) << 22n)

/** The channel of a recipient; for a person, that of their direct messages. */
export async function channelOfRecipient(
  context: DiscordContext & Pick<SendContext<Settings>, 'recipient' | 'to'>,
): Promise<string> {
  if (context.to === 'channel') return context.recipient
  const body = { recipient_id: context.recipient }
  const call = { method: 'POST', path: 'users/@me/channels', body } as const
  return (await callDiscord(context, call, Channel)).id
}
