import * as v from 'valibot'
import { formatMessage } from '../../../src/locales/index.ts'
import { messageContent, peopleNamedIn } from '../../kit/chat/messages/message-content.ts'
import type { MessageContent } from '../../kit/chat/messages/message-part.ts'
import type {
  ChatPerson,
  FindContext,
  MessageReference,
  Messaging,
  MessagingContext,
  SendContext,
} from '../../kit/chat/messages/messaging.ts'
import { messagingOptions } from '../../kit/chat/settings.ts'
import { ProviderError } from '../../kit/provider-error.ts'
import { shortHash } from '../../kit/text/plain-text.ts'
import { type ChatContext, callGoogleChat } from '../client.ts'
import { withAddress } from '../requests/add-on.ts'
import { hasCredentials, isSpaceName, type Settings } from '../settings.ts'
import { messageCard, widgetsOf } from './cards.ts'
import { cardLocale } from './format.ts'

/**
 * The time between two messages: a space takes one per second.
 * Source: https://developers.google.com/workspace/chat/limits
 */
const intervalMs = 1_200

export const messaging: Messaging<Settings> = {
  intervalMs,
  // A message has at most 32 KB.
  draftsPerMessage: 10,
  isChannel: isSpaceName,
  options: (settings) => (hasCredentials(settings) ? messagingOptions(settings) : null),
  getPerson,
  send,
  find,
  update,
}

const Named = v.object({ name: v.string() })
const Membership = v.object({
  state: v.nullish(v.string()),
  member: v.nullish(
    v.object({
      displayName: v.nullish(v.string(), ''),
      isAnonymous: v.nullish(v.boolean(), false),
    }),
  ),
})

const noConversation =
  'The person has not opened a conversation with the app, so that the app cannot write to them.'
const noSpace = 'Google Chat has no such space, or the app is not in it. Add the app to the space.'

/** The webhook URL of the connection is missing for messages without buttons that do something. */
type MessageContext = ChatContext & { webhookUrl?: string }

/**
 * Creates a message once: a second request with the same id creates none.
 * Source: https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/create
 */
export async function createMessage(
  context: MessageContext,
  { space, id, body }: { space: string; id: string; body: object },
): Promise<MessageReference> {
  const messageId = messageIdOf(id)
  const created = await callGoogleChat(
    context,
    {
      method: 'POST',
      path: `${space}/messages`,
      query: {
        messageId,
        requestId: messageId,
        messageReplyOption: 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD',
      },
      body: inFormatOfApp(context, body),
    },
    v.object({}),
  )
  if (created === 'missing') throw new ProviderError('refused', noSpace)
  return { message: `${space}/messages/${messageId}` }
}

/** Our id of a message: lowercase letters, digits and hyphens, at most 63. */
const messageIdOf = (id: string) => `client-${shortHash(id)}`

/** The conversation of the app with a person; null when they have none. */
export async function directSpace(context: ChatContext, user: string): Promise<string | null> {
  const path = 'spaces:findDirectMessage'
  const found = await callGoogleChat(context, { path, query: { name: user } }, Named)
  return typeof found === 'string' ? null : found.name
}

const spaceOf = async (context: ChatContext, recipient: string) =>
  isSpaceName(recipient) ? recipient : await directSpace(context, recipient)

async function send(context: SendContext<Settings>): Promise<MessageReference> {
  const { id, recipient } = context
  const space = await spaceOf(context, recipient)
  if (space === null) throw new ProviderError('refused', noConversation)
  return await createMessage(context, { space, id, body: await bodyOf(context, space) })
}

async function find(context: FindContext<Settings>): Promise<MessageReference | null | 'unknown'> {
  const space = await spaceOf(context, context.recipient)
  return space === null ? null : await findMessageIn(context, space)
}

/** The message of a space with our id; null without one. Throws a `ProviderError`. */
export async function findMessageIn(
  context: ChatContext & { id: string },
  space: string,
): Promise<MessageReference | null> {
  const message = `${space}/messages/${messageIdOf(context.id)}`
  const found = await callGoogleChat(context, { path: message }, Named)
  return typeof found === 'string' ? null : { message }
}

async function update(
  context: SendContext<Settings> & { reference: MessageReference },
): Promise<void> {
  const { message = '' } = context.reference
  const [space = ''] = message.split('/messages/')
  const { cardsV2 } = await bodyOf(context, space)
  await replaceMessage(context, message, { cardsV2 })
}

/** Replaces the card and the text of a message, unless somebody has deleted it. */
export async function replaceMessage(
  context: MessageContext,
  message: string,
  body: { cardsV2: object[]; text?: string },
): Promise<void> {
  const updateMask = body.text === undefined ? 'cardsV2' : 'text,cardsV2'
  const query = { updateMask }
  const call = {
    method: 'PATCH',
    path: message,
    query,
    body: inFormatOfApp(context, body),
  } as const
  await callGoogleChat(context, call, v.object({}))
}

/** The buttons of an add-on call the webhook URL of the connection. */
const inFormatOfApp = ({ settings, webhookUrl }: MessageContext, body: object): object =>
  settings.built_as === 'add_on' && webhookUrl !== undefined ? withAddress(body, webhookUrl) : body

async function bodyOf(context: SendContext<Settings>, space: string) {
  const names = new Map<string, string>()
  for (const user of peopleNamedIn(context.message)) {
    const name = await memberName(context, { space, user })
    if (name) names.set(user, name)
  }
  return cardMessage(messageContentIn(context, names))
}

const messageContentIn = (
  { message, language }: SendContext<Settings>,
  names: ReadonlyMap<string, string>,
) => messageContent(message, cardLocale(language, names, formatMessage(language, 'someone', {})))

const cardMessage = ({ notification, parts }: MessageContent) => ({
  fallbackText: notification,
  cardsV2: messageCard(widgetsOf(parts)),
})

async function memberName(
  context: ChatContext,
  { space, user }: { space: string; user: string },
): Promise<string> {
  const found = await membership(context, { space, user })
  return found?.member?.displayName ?? ''
}

async function membership(
  context: ChatContext,
  { space, user }: { space: string; user: string },
): Promise<v.InferOutput<typeof Membership> | null> {
  const path = `${space}/members/${user.replace(/^users\//, '')}`
  const found = await callGoogleChat(context, { path }, Membership)
  return typeof found === 'string' ? null : found
}

/**
 * A person, as the conversation with the app shows them: an account that was deleted is anonymous there. A person
 * without such a conversation is not known.
 * Source: https://developers.google.com/workspace/chat/api/reference/rest/v1/User
 */
async function getPerson({
  user,
  ...context
}: MessagingContext<Settings> & { user: string }): Promise<ChatPerson> {
  const space = await directSpace(context, user)
  const found = space === null ? null : await membership(context, { space, user })
  const isGone = found?.member?.isAnonymous === true || found?.state === 'NOT_A_MEMBER'
  const name = found?.member?.displayName || user
  return { id: user, name, isActive: !isGone, email: null }
}
