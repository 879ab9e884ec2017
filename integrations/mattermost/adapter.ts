import * as v from 'valibot'
import { webAddress } from '../../src/contract/text.ts'
import { defineAdapter, secret } from '../kit/adapter.ts'
import { buildChatItem, type ChatSubmission } from '../kit/chat/chat.ts'
import { chatText } from '../kit/chat/locales/index.ts'
import { markdownMessage, newsletterWebhook, webhookPosting } from '../kit/chat/newsletter-post.ts'
import { ProviderError, responseError } from '../kit/provider-error.ts'
import { apiUrl } from '../kit/provider-request.ts'
import type { Received } from '../kit/received.ts'
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
  /** The token of a bot or a person, with which the images of posts are fetched. */
  access_token: v.optional(secret()),
  newsletter_webhook: newsletterWebhook(),
})

export const adapter = defineAdapter({
  slug: 'mattermost',
  name: 'Mattermost',
  category: 'chat',
  settings: Settings,
  sourceOf: channelOf,

  async receive(request, context): Promise<Received<ChatSubmission>> {
    const { headers } = request
    const { settings } = context
    const inHeader = tokenIn(headers.get('authorization'))
    if (inHeader && !isSharedSecret(inHeader, settings.token)) return unauthorized
    const text = strictUtf8(request.body)
    const fields = text && readFields(headers.get('content-type'), text)
    if (!fields) return inHeader ? badRequest('neither a form nor a JSON object') : unauthorized
    const inBody = 'token' in fields ? fields.token : undefined
    if (!isTrusted(inHeader, inBody, settings.token)) return unauthorized
    return receiveRequest(fields, text, context)
  },

  /** Needs no call: the event contains everything. */
  async compose({ event, language }) {
    return { kind: 'items', items: [buildChatItem(event, language)] }
  },

  /** https://developers.mattermost.com/api-documentation/#/operations/GetFile */
  async fetchAttachment({ attachment, settings: { server_url, access_token }, provider }) {
    if (!server_url || !access_token)
      throw new ProviderError('refused', 'Set server_url and access_token to import images.')
    const url = apiUrl(server_url, '', `/api/v4/files/${attachment.file}`)
    const response = await provider.fetch(url, {
      headers: { authorization: `Bearer ${access_token[0]}` },
    })
    if (response.ok) return await response.bytes()
    if (response.status === 404) throw new ProviderError('refused', 'Mattermost has no such file.')
    throw responseError(response, { name: 'Mattermost', check: 'access_token' })
  },

  async onDelivered({ blocks: [block], ephemeralContext, settings, provider, now, language }) {
    if (block)
      await notifyDelivered(deliveredText(block, language), ephemeralContext, {
        settings,
        provider,
        now,
      })
  },

  posting: webhookPosting({
    name: 'Mattermost',
    message: (newsletter, language) => ({ text: markdownMessage(newsletter, language) }),
  }),

  async onFailed({ ephemeralContext, settings, provider, now, language }) {
    await notifyDelivered(chatText(language, 'not_saved'), ephemeralContext, {
      settings,
      provider,
      now,
    })
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
