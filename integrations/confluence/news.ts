import type { ComposeContext } from '../kit/adapter.ts'
import type { Composed } from '../kit/composed.ts'
import { buildItem, paragraph, withoutTicketJargon } from '../kit/item.ts'
import { oneLine } from '../kit/text/fit-length.ts'
import { cellEnd, htmlToParagraphs, htmlToText, withWholeAddresses } from '../kit/text/html.ts'
import { fitsBody, linkOnHostOf } from '../kit/text/plain-text.ts'
import type { BlogEvent } from './event.ts'
import { type BlogPost, readPost } from './post.ts'
import type { Settings } from './settings.ts'
import { shortenHtml } from './shorten.ts'

/**
 * A new blog post becomes an item. A later change updates its draft, and one that is deleted or restricted withdraws
 * it.
 */
export async function composePost({
  event,
  settings,
  provider,
  now,
}: ComposeContext<Settings, BlogEvent>): Promise<Composed> {
  const { origin } = new URL(settings.base_url)
  const externalId = `confluence:blog:${origin}:${event.id}`
  const withdrawal: Composed = { kind: 'withdraw', externalIds: [externalId] }
  if (event.action === 'removed') return withdrawal
  const post = await readPost(event.id, settings, provider)
  if (post === undefined) return ignored('it is no longer there, or access_token does not see it')
  const isNew = event.action === 'created'
  if (post === 'restricted')
    return isNew ? ignored('only some people may read the blog post') : withdrawal
  if (settings.spaces.length > 0 && !settings.spaces.includes(post.space))
    return ignored('the space is not on the list of this connection (spaces)')
  const items = [itemOf(post, externalId, settings)]
  const sourceUpdatedAt = now.toISOString()
  return isNew
    ? { kind: 'items', items, updateExisting: true, sourceUpdatedAt }
    : { kind: 'update', items, sourceUpdatedAt }
}

const ignored = (reason: string): Composed => ({ kind: 'ignored', reason })

function itemOf(
  { title, html, author, url }: BlogPost,
  externalId: string,
  { base_url }: Settings,
) {
  return buildItem({
    title: withoutTicketJargon(title),
    body: htmlToText(html) === '' ? '' : bodyOf(withWholeAddresses(withoutPageParts(html), url)),
    url: linkOnHostOf(base_url, url),
    blockType: 'general',
    externalId,
    author: author ?? undefined,
  })
}

// A lookahead matches one attribute, and tries no other when the rest does not match.

// The table of contents of a page, and the empty paragraphs that the editor leaves.
const contents =
  /<div\b(?=[^<>]*\bclass="[^"<>]*\btoc-macro\b)[^<>]*>[^<]*(?:<(?!\/?div\b)[^<]*)*<\/div>/gi
const emptyParagraph = /<p\b[^<>]*>(?:\s|&nbsp;|<br ?\/?>)*<\/p>/gi
// The label of a text that is collapsed in Confluence.
const expandControl =
  /<div\b(?=[^<>]*\bclass="[^"<>]*\bexpand-control\b)[^<>]*>[^<]*(?:<(?!\/?div\b)[^<]*)*<\/div>/gi
// Images are not in blocks; what is around one is left without content.
const image = /<img\b[^<>]*>/gi
const emptySpan = /<span\b[^<>]*>\s*<\/span>/gi

const withoutPageParts = (html: string): string =>
  html
    .replace(contents, '')
    .replace(expandControl, '')
    .replace(taskList, (list: string) =>
      list.replace(/<li\b([^<>]*)>/gi, (_, attributes: string) =>
        /\bclass="[^"<>]*\bchecked\b/i.test(attributes) ? '<li>✓ ' : '<li>☐ ',
      ),
    )
    .replace(emoticon, '$1')
    .replace(image, '')
    .replace(emptySpan, '')
    .replace(emptyParagraph, '')
    .replace(mention, '$1')
    .trim()

// The boxes of a task list, and pictures of emoji, as characters.
const taskList =
  /<ul\b(?=[^<>]*\bclass="[^"<>]*\binline-task-list\b)[^<>]*>[^<]*(?:<(?!\/?ul\b)[^<]*)*<\/ul>/gi
// A mention is a link to the profile of a person.
const mention = /<a\b(?=[^<>]*\bclass="[^"<>]*\bconfluence-userlink\b)[^<>]*>([^<>]*)<\/a>/gi
const emoticon = /<img\b(?=[^<>]*\bdata-emoji-fallback="([^"<>:]{1,20})")[^<>]*>/gi

/** A long post is shortened to its first elements, because blocks are short. */
function bodyOf(html: string): string {
  if (fitsBody(html) && htmlToText(html).length <= maxCharacters) return html
  const words = () => htmlToParagraphs(html).replaceAll(cellEnd, ' ')
  return shortenHtml(html, maxCharacters) || paragraph(oneLine(words(), maxCharacters))
}

const maxCharacters = 4_000
