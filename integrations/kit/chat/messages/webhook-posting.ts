import * as v from 'valibot'
import { webAddress } from '../../../../src/contract/text.ts'
import type { Language } from '../../../../src/contract/vocabulary.ts'
import {
  type FoundPost,
  type PostContext,
  type PostedNewsletter,
  type PostedWith,
  secret,
} from '../../adapter.ts'
import { ProviderError, responseError, unreachedError } from '../../provider-error.ts'
import type { ProviderApi } from '../../requests/provider-request.ts'
import { withOrWithoutCover } from './newsletter-post.ts'

/** The setting with the address of a channel's incoming webhook, which is a secret. */
export const newsletterWebhook = () =>
  v.optional(
    v.pipe(
      secret(),
      v.everyItem((address) => v.is(webAddress, address), 'must be a web address'),
    ),
  )

/** How a chat is posted to that has incoming webhooks: `name` for people, and its message. */
interface WebhookPosting {
  name: string
  /** What the chat expects beside the content type. */
  headers?: Record<string, string>
  message(newsletter: PostedNewsletter, language: Language): object
}

/** The settings of a connection that posts to an incoming webhook. */
interface WebhookSettings {
  newsletter_webhook?: string[] | undefined
}

/** Posts newsletters to the incoming webhook in the setting `newsletter_webhook`. */
export const webhookPosting = ({ name, headers = {}, message: messageOf }: WebhookPosting) => ({
  settings: ['newsletter_webhook'],
  async post(context: PostContext<WebhookSettings>): Promise<PostedWith> {
    const { newsletter, settings, provider, language } = context
    const [url] = settings.newsletter_webhook ?? []
    if (url === undefined) throw new ProviderError('refused', 'Set newsletter_webhook first.')
    return await withOrWithoutCover(newsletter, async (shown) => {
      await postToWebhook({ provider, url, name, headers }, messageOf(shown, language))
      return 'webhook'
    })
  },
  /** A webhook shows no messages. */
  find: async (): Promise<FoundPost> => 'unknown',
})

interface ChannelWebhook {
  provider: ProviderApi
  /** The address of the channel's webhook. */
  url: string
  /** The name of the chat, for people. */
  name: string
  headers: Record<string, string>
}

async function postToWebhook(
  { provider, url, name, headers }: ChannelWebhook,
  body: object,
): Promise<void> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    redirect: 'error',
  } as const
  const response = await provider.fetch(url, init).catch((error: unknown) => {
    throw unreachedError(error, `${name} could not be reached. Check newsletter_webhook.`)
  })
  if (response.ok) return
  // The address is the secret: a refusal says nothing about the token of the connection.
  if ([400, 401, 403, 404, 410, 413].includes(response.status)) {
    throw new ProviderError(
      'refused',
      `${name} refused the message (${response.status}). Create the webhook of the channel again and save its address as newsletter_webhook.`,
    )
  }
  throw responseError(response, { name, check: 'newsletter_webhook' })
}
