import type { Language } from '../../../../src/contract/vocabulary.ts'
import { formatMessage } from '../../../../src/locales/index.ts'
import type { FoundPost, PostedNewsletter, PostedWith } from '../../adapter.ts'
import { ProviderError, TokenRefusedError, TokenRevokedError } from '../../provider-error.ts'
import { oneLine, truncateLineUtf16 } from '../../text/fit-length.ts'
import { chatText } from '../locales/index.ts'
import { escapeForChat } from './escape-for-chat.ts'

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
    more: count > 0 ? formatMessage(language, 'release_more', { count }) : null,
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

/** What a search for a message says about a post. */
export const foundPost = (found: object | null | 'unknown'): FoundPost =>
  found === 'unknown' ? 'unknown' : found === null ? 'missing' : 'posted'
