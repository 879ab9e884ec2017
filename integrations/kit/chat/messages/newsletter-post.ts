import * as v from 'valibot'
import { webAddress } from '../../../../src/contract/text.ts'
import type { Language } from '../../../../src/contract/vocabulary.ts'
import { message } from '../../../../src/locales/index.ts'
import {
  type FoundPost,
  type PostContext,
  type PostedNewsletter,
  type PostedWith,
  secret,
} from '../../adapter.ts'
import {
  ProviderError,
  responseError,
  TokenRefusedError,
  TokenRevokedError,
  unreachedError,
} from '../../provider-error.ts'
import type { ProviderApi } from '../../requests/provider-request.ts'
import { oneLine, truncateLineUtf16 } from '../../text/fit-length.ts'
import { chatText } from '../locales/index.ts'

const maxHeadlines = 10
const headlineCharacters = 150
/** Each chat takes descriptions of this length. */
const altCharacters = 250

/** The first headlines of a newsletter, by default ten, and how many more there are. */
export function headlinesOf(
  { headlines }: PostedNewsletter,
  language: Language,
  max = maxHeadlines,
): { headlines: string[]; more: string | null } {
  const count = headlines.length - max
  return {
    headlines: headlines
      .slice(0, max)
      .map((headline) => truncateLineUtf16(headlineCharacters, headline)),
    more: count > 0 ? message(language, 'release_more', { count }) : null,
  }
}

/** The image at the top of a newsletter with its description, which mentions nobody; null without one that chats can fetch. */
export function coverOf({ cover, title }: PostedNewsletter): { url: string; alt: string } | null {
  if (cover === null || URL.parse(cover.url)?.protocol !== 'https:') return null
  const alt = truncateLineUtf16(altCharacters, oneLine(cover.alt) || oneLine(title))
  return { url: cover.url, alt: alt.replaceAll('@', '@\u200b') }
}

/** Posts a newsletter, and without its cover when the chat refuses it, such as an image that it cannot fetch. */
export async function withOrWithoutCover(
  newsletter: PostedNewsletter,
  post: (newsletter: PostedNewsletter) => Promise<PostedWith>,
): Promise<PostedWith> {
  return await post(newsletter).catch(async (error: unknown) => {
    const isRefused = error instanceof ProviderError && error.problem === 'refused'
    const isToken = error instanceof TokenRefusedError || error instanceof TokenRevokedError
    if (coverOf(newsletter) === null || !isRefused || isToken) throw error
    return await post({ ...newsletter, cover: null })
  })
}

/** The label of the link to the newsletter. */
export const linkLabel = (language: Language): string => chatText(language, 'published_read')

/**
 * A newsletter in Markdown: its title, its headlines and the link. `maxCharacters` is the longest message
 * that the chat accepts: a longer one gets fewer headlines, because an end that is cut off takes the link away.
 */
export function markdownMessage(
  newsletter: PostedNewsletter,
  language: Language,
  maxCharacters = Number.POSITIVE_INFINITY,
): string {
  let count = maxHeadlines
  let message = messageWith(count, newsletter, language)
  while (message.length > maxCharacters && count > 0) {
    count -= 1
    message = messageWith(count, newsletter, language)
  }
  return message
}

function messageWith(count: number, newsletter: PostedNewsletter, language: Language): string {
  const { headlines, more } = headlinesOf(newsletter, language, count)
  const items = [...headlines.map(escapeForChat), ...(more === null ? [] : [more])]
  const link = newsletter.url === null ? [] : ['', `[${linkLabel(language)}](${newsletter.url})`]
  return [
    `**${escapeForChat(oneLine(newsletter.title))}**`,
    ...items.map((item) => `- ${item}`),
    ...link,
  ].join('\n')
}

// Chats make links of addresses, which a backslash would break.
const address = /(https?:\/\/[\w./?=&%+,;:#~-]+)/

/**
 * Escapes text for Markdown, so that it has no formatting, label of a link or mention. A mention is cut by a
 * zero-width space, because chats have no escape for it.
 */
export const escapeForChat = (text: string): string =>
  text
    .split(address)
    .map((part, index) => (index % 2 === 1 ? part : escapeWords(part)))
    .join('')

const escapeWords = (text: string) =>
  text.replace(/[\\`*_~[\]<>#|()]/g, '\\$&').replaceAll('@', '@\u200b')

/** What a search for a message says about a post. */
export const foundPost = (found: object | null | 'unknown'): FoundPost =>
  found === 'unknown' ? 'unknown' : found === null ? 'missing' : 'posted'

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
