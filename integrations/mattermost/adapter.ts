import * as v from 'valibot'
import { webAddress } from '../../src/contract/text.ts'
import { defineAdapter, type Received, secret } from '../kit/adapter.ts'
import { buildChatItem, type ChatSubmission, notSavedText } from '../kit/chat.ts'
import { markdownMessage, newsletterWebhook, webhookPosting } from '../kit/newsletter-post.ts'
import { channelOf } from '../kit/request-source.ts'
import { isSharedSecret } from '../kit/signature.ts'
import { badRequest, strictUtf8, unauthorized } from '../kit/webhook-request.ts'
import { deliveredText, notifyDelivered } from './followup.ts'
import { receiveRequest } from './message.ts'
import { readFields } from './request.ts'

const Settings = v.object({
  token: secret(),
  /** The address of the Mattermost server. Without it, people get no link to the block. */
  server_url: v.optional(webAddress),
  newsletter_webhook: newsletterWebhook(),
})

export const adapter = defineAdapter({
  slug: 'mattermost',
  name: 'Mattermost',
  category: 'chat',
  settings: Settings,
  sourceOf: channelOf,

  async receive(request, { settings, now }): Promise<Received<ChatSubmission>> {
    const { headers } = request
    const inHeader = tokenIn(headers.get('authorization'))
    if (inHeader && !isSharedSecret(inHeader, settings.token)) return unauthorized
    const text = strictUtf8(request.body)
    const fields = text && readFields(headers.get('content-type'), text)
    if (!fields) return inHeader ? badRequest('neither a form nor a JSON object') : unauthorized
    const inBody = 'token' in fields ? fields.token : undefined
    if (!isTrusted(inHeader, inBody, settings.token)) return unauthorized
    return receiveRequest(fields, text, settings, now)
  },

  /** Needs no call: the event contains everything. */
  async compose({ event, language }) {
    return { kind: 'items', items: [buildChatItem(event, language)] }
  },

  async onDelivered({ blocks: [block], ephemeralContext, settings, provider, now }) {
    if (block)
      await notifyDelivered(deliveredText(block), ephemeralContext, { settings, provider, now })
  },

  posting: webhookPosting({
    name: 'Mattermost',
    message: (newsletter, language) => ({ text: markdownMessage(newsletter, language) }),
  }),

  async onFailed({ ephemeralContext, settings, provider, now }) {
    await notifyDelivered(notSavedText, ephemeralContext, { settings, provider, now })
  },
})

const tokenIn = (header: string | null) => /^Token (\S+)$/i.exec(header ?? '')?.[1]

/**
 * Mattermost does not sign requests. It sends the token of the command or webhook in the header, in
 * the body or in both. Every token in the request has to be right.
 * Source: https://developers.mattermost.com/integrate/slash-commands/custom
 */
function isTrusted(inHeader: string | undefined, inBody: unknown, tokens: readonly string[]) {
  const given = [inHeader, inBody].filter((token) => token !== undefined && token !== '')
  return (
    given.length > 0 &&
    given.every((token) => typeof token === 'string' && isSharedSecret(token, tokens))
  )
}
