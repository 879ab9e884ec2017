import * as v from 'valibot'
import { messageContent, peopleNamedIn } from '../../../kit/chat/messages/message-content.ts'
import type {
  MessageReference,
  Messaging,
  SendContext,
} from '../../../kit/chat/messages/messaging.ts'
import { messagingOptions } from '../../../kit/chat/settings.ts'
import { ProviderError } from '../../../kit/provider-error.ts'
import { hasBot, isChannelId, type Settings } from '../../settings.ts'
import { type BotContext, callConnector } from '../client.ts'
import { Created, findMember, getPerson, notInstalled, personalConversation } from '../members.ts'
import { adaptiveCard, cardAttachment, elementsOf } from './cards.ts'
import { chatLocale } from './format.ts'

/**
 * The time between two messages: a conversation takes 60 in 30 seconds.
 * Source: https://learn.microsoft.com/microsoftteams/platform/bots/how-to/rate-limit
 */
const intervalMs = 600

export const messaging: Messaging<Settings> = {
  intervalMs,
  // A message has at most 100 KB; longer cards are hard to read.
  draftsPerMessage: 10,
  isChannel: isChannelId,
  options: (settings) => (hasBot(settings) ? messagingOptions(settings) : null),
  getPerson: async ({ user, ...context }) => await getPerson(context, user),
  send,
  // Teams shows the messages of a conversation only to apps with further permissions.
  find: async () => 'unknown',
  update,
}

const Activity = v.object({ id: v.nullish(v.string(), '') })
/** Sends a message to a conversation. */
export async function sendActivity(
  context: BotContext,
  conversation: string,
  activity: object,
): Promise<MessageReference> {
  const path = `conversations/${encodeURIComponent(conversation)}/activities`
  const body = { type: 'message', ...activity }
  const call = { method: 'POST', path, body, isOnce: true } as const
  const sent = await callConnector(context, call, Activity)
  if (sent === null) throw new ProviderError('refused', notInstalled)
  return { conversation, activity: sent.id }
}

/** Replaces a message, unless somebody has deleted it. */
export async function replaceActivity(
  context: BotContext,
  { conversation = '', activity = '' }: MessageReference,
  content: object,
): Promise<void> {
  const ids = [conversation, 'activities', activity].map(encodeURIComponent).join('/')
  const body = { type: 'message', id: activity, ...content }
  await callConnector(context, { method: 'PUT', path: `conversations/${ids}`, body }, Activity)
}

/** A new thread in a channel. */
export async function startThread(
  context: BotContext,
  channel: string,
  content: object,
): Promise<MessageReference> {
  const { app_id, tenant_id } = context.settings
  const created = await callConnector(
    context,
    {
      method: 'POST',
      path: 'conversations',
      isOnce: true,
      body: {
        isGroup: true,
        bot: { id: `28:${app_id}` },
        tenantId: tenant_id,
        channelData: { channel: { id: channel }, tenant: { id: tenant_id } },
        activity: { type: 'message', ...content },
      },
    },
    Created,
  )
  if (created === null) throw new ProviderError('refused', notInstalled)
  return { conversation: created.id, activity: created.activityId }
}

async function send(context: SendContext<Settings>): Promise<MessageReference> {
  const { recipient } = context
  if (isChannelId(recipient))
    return await startThread(context, recipient, await contentOf(context, recipient))
  const conversation = await personalConversation(context, recipient)
  return await sendActivity(context, conversation, await contentOf(context, conversation))
}

async function update(
  context: SendContext<Settings> & { reference: MessageReference },
): Promise<void> {
  const content = await contentOf(context, context.reference['conversation'] ?? '')
  await replaceActivity(context, context.reference, content)
}

async function contentOf(context: SendContext<Settings>, conversation: string) {
  const { message, language } = context
  const names = new Map<string, string>()
  for (const user of peopleNamedIn(message)) {
    const found = await findMember(context, conversation, user)
    if (found) names.set(user, found.name)
  }
  const { notification, parts } = messageContent(message, chatLocale(language, names))
  return { summary: notification, attachments: [cardAttachment(adaptiveCard(elementsOf(parts)))] }
}
