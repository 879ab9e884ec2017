import * as v from 'valibot'
import type { Language } from '../../src/contract/vocabulary.ts'
import { defineAdapter, secret } from '../kit/adapter.ts'
import { buildChatItem, type ChatSubmission, receiveChatMessage } from '../kit/chat/chat.ts'
import { newsletterWebhook, webhookPosting } from '../kit/chat/newsletter-post.ts'
import { ProviderError } from '../kit/provider-error.ts'
import type { Received } from '../kit/received.ts'
import { isHmac } from '../kit/signature.ts'
import { shortHash } from '../kit/text.ts'
import {
  badRequest,
  nameForLogs,
  readObject,
  strictUtf8,
  unauthorized,
} from '../kit/webhook-request.ts'
import { Activity, activityTypes, Message } from './activity.ts'
import { cardMessage } from './newsletter.ts'
import { readText } from './text.ts'

const Settings = v.object({
  newsletter_webhook: newsletterWebhook(),
  security_token: v.pipe(
    secret(),
    v.everyItem(
      (token) => Buffer.from(token, 'base64').toString('base64') === token,
      'must be as Teams shows it: base64',
    ),
  ),
})

/**
 * The tolerance for the time in the body, which protects against repeated old requests: Teams sends
 * no other time.
 */
const tolerance_ms = 10 * 60 * 1000

export const adapter = defineAdapter({
  slug: 'teams',
  name: 'Microsoft Teams',
  category: 'chat',
  settings: Settings,

  async receive(request, { settings, now, language }): Promise<Received<ChatSubmission>> {
    const { headers, body } = request
    if (!isFromTeams(headers.get('authorization'), body, settings.security_token))
      return unauthorized
    const payload = readObject(strictUtf8(body) ?? '')
    if (payload === undefined) return badRequest('the body is not a JSON object')

    const { success, output: activity } = v.safeParse(Activity, payload)
    if (!success) return badRequest('the body is no activity as Teams documents it')
    // This condition refuses an unreadable time.
    if (!(Math.abs(now.getTime() - Date.parse(activity.timestamp)) <= tolerance_ms))
      return { kind: 'rejected', status: 401, reason: 'the message is too old, or from the future' }
    if (activity.type === 'message') return receiveNews(payload, language)
    const { type } = activity
    return activityTypes.has(type)
      ? { kind: 'ignored', deliveryId: idOf(activity), reason: `${type}: not a message` }
      : { kind: 'unknown', eventName: nameForLogs(type) }
  },

  /** Needs no call: the event contains everything. */
  async compose({ event, language }) {
    return { kind: 'items', items: [buildChatItem(event, language)] }
  },

  /**
   * An image needs the token of a bot, which an outgoing webhook does not have.
   * Source: https://learn.microsoft.com/microsoftteams/platform/bots/how-to/agents-inline-images
   */
  async fetchAttachment() {
    const reason = 'Microsoft Teams gives outgoing webhooks no access to images.'
    throw new ProviderError('refused', `${reason} Add the image to the block in the library.`)
  },

  posting: webhookPosting({ name: 'Microsoft Teams', message: cardMessage }),
})

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
