import * as v from 'valibot'
import type { Language } from '../../src/contract/vocabulary.ts'
import { defineAdapter, type ReceiveContext } from '../kit/adapter.ts'
import { composeCommand, composeDirectMessage } from '../kit/chat/direct-message.ts'
import { unknownPerson } from '../kit/chat/messages/messaging.ts'
import { buildChatItem, type ChatSubmission, receiveChatMessage } from '../kit/chat/submissions.ts'
import type { RawRequest, Received } from '../kit/requests/received.ts'
import { isHmac } from '../kit/requests/signature.ts'
import {
  badRequest,
  nameForLogs,
  readObject,
  strictUtf8,
  unauthorized,
} from '../kit/requests/webhook-request.ts'
import { shortHash } from '../kit/text/plain-text.ts'
import { Activity, activityTypes, Message } from './activity.ts'
import { appPackage } from './app-package.ts'
import { fetchAttachment } from './bot/files.ts'
import { getPerson } from './bot/members.ts'
import { messaging } from './bot/messages/messaging.ts'
import { notifyDelivered, notifyFailed, notifyOfAction } from './bot/messages/notify.ts'
import { receiveActivity } from './bot/requests/receive.ts'
import {
  type BotEvent,
  contributors,
  personalUser,
  readEphemeralContext,
} from './bot/stored-event.ts'
import { findNewsletter, postNewsletter } from './newsletter.ts'
import { type Settings, settingsSchema } from './settings.ts'
import { readText } from './text.ts'

/**
 * The tolerance for the time in the body, which protects against repeated old requests: Teams sends
 * no other time.
 */
const toleranceMs = 10 * 60 * 1000

/** The stored event: of a bot, or of an outgoing webhook, which has no type. */
type TeamsEvent = BotEvent | (ChatSubmission & { type?: undefined })

export const adapter = defineAdapter({
  slug: 'teams',
  name: 'Microsoft Teams',
  category: 'chat',
  settings: settingsSchema,

  /** A bot gets requests with a token, an outgoing webhook signed ones. */
  async receive(request, context): Promise<Received<TeamsEvent>> {
    return /^Bearer /i.test(request.headers.get('authorization') ?? '')
      ? await receiveActivity(request, context)
      : receiveWebhook(request, context)
  },

  async compose(context) {
    const { event, ephemeralContext, language } = context
    switch (event.type) {
      case 'undo':
        return { kind: 'withdraw', externalIds: [event.external_id] }
      case 'message': {
        const user = readEphemeralContext(ephemeralContext)?.user
        return user === undefined
          ? { kind: 'ignored', reason: 'Nobody knows any more who wrote it.' }
          : composeDirectMessage(event, user)
      }
      case 'action': {
        const address = readEphemeralContext(ephemeralContext)
        if (!address)
          return { kind: 'ignored', reason: 'Nobody knows any more who used the button.' }
        const { user, conversation, name } = address
        // A reply needs no permission.
        if (event.action.type === 'answer')
          return { kind: 'action', action: event.action, person: unknownPerson(user, name) }
        const person = await getPerson(context, user, conversation)
        return { kind: 'action', action: event.action, person }
      }
      default:
        return composeCommand(buildChatItem(event, language), {
          command: event.command,
          user: personalUser(ephemeralContext),
        })
    }
  },

  fetchAttachment,
  onDelivered: async (context) => await ofBot(context, notifyDelivered),
  onFailed: async (context) => await ofBot(context, notifyFailed),
  onAction: async (context) => await ofBot(context, notifyOfAction),
  async contributors(context) {
    const { event } = context
    return event.type === undefined ? undefined : await contributors({ ...context, event })
  },
  messaging,
  posting: {
    settings: ['newsletter_webhook', 'newsletter_channel'],
    post: postNewsletter,
    find: findNewsletter,
  },
  appPackage,
})

/** Notifies people of the result of an event of the bot: an outgoing webhook has no way to do that. */
async function ofBot<Context extends { event: TeamsEvent }>(
  context: Context,
  notify: (context: Context & { event: BotEvent }) => Promise<void>,
): Promise<void> {
  const { event } = context
  if (event.type !== undefined) await notify({ ...context, event })
}

function receiveWebhook(
  { headers, body }: RawRequest,
  { settings, now, language }: ReceiveContext<Settings>,
): Received<TeamsEvent> {
  const { security_token: tokens = [] } = settings
  if (!isFromTeams(headers.get('authorization'), body, tokens)) return unauthorized
  const payload = readObject(strictUtf8(body) ?? '')
  if (payload === undefined) return badRequest('the body is not a JSON object')

  const { success, output: activity } = v.safeParse(Activity, payload)
  if (!success) return badRequest('the body is not an activity as Teams documents it')
  // This condition refuses an unreadable time.
  if (!(Math.abs(now.getTime() - Date.parse(activity.timestamp)) <= toleranceMs))
    return { kind: 'rejected', status: 401, reason: 'the message is too old, or from the future' }
  if (activity.type === 'message') return receiveNews(payload, language)
  const { type } = activity
  return activityTypes.has(type)
    ? { kind: 'ignored', deliveryId: idOf(activity), reason: `${type}: not a message` }
    : { kind: 'unknown', eventName: nameForLogs(type) }
}

/**
 * Whether Teams signed the body. The token is the key in base64.
 * Source:
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-outgoing-webhook
 */
function isFromTeams(header: string | null, body: Uint8Array, tokens: readonly string[]): boolean {
  const [, signature = ''] = /^HMAC (\S+)$/i.exec(header ?? '') ?? []
  const keys = tokens.map((token) => Buffer.from(token, 'base64'))
  return body.length > 0 && isHmac(signature, body, keys, { encoding: 'base64' })
}

function receiveNews(payload: object, language: Language): Received<ChatSubmission> {
  const { success, output: message } = v.safeParse(Message, payload)
  if (!success) return badRequest('a message without the fields it needs')
  const id = idOf(message)
  return receiveChatMessage({
    text: readText(message.text),
    before: '@Tidings ',
    deliveryId: id,
    externalId: `teams:${id}`,
    author: message.from.name,
    ...(message.attachments.some(isImage) && { file: 'image' }),
    language,
    reply: (text) => ({ body: { type: 'message', text } }),
  })
}

const isImage = ({ contentType }: Message['attachments'][number]) =>
  contentType.startsWith('image/')

/** The id of a message is unique in its conversation only. */
const idOf = ({ id, conversation }: Pick<Message, 'id' | 'conversation'>) =>
  `message:${shortHash(`${conversation.id} ${id}`)}`
