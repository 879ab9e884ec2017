import * as v from 'valibot'
import { oneLine } from '../kit/text/fit-length.ts'
import { htmlToParagraphs, htmlToText, withWholeAddresses } from '../kit/text/html.ts'
import { keyPart, providerText } from '../kit/text/plain-text.ts'
import { authorOf } from './author.ts'
import { type Element, findElement, maxAddressCharacters, textOf } from './document.ts'
import { imageOf } from './image.ts'
import { fullText, teaser, textToHtml, withoutPageParts, withoutTitleAtStart } from './text.ts'

/** The stored event: what readers see of an entry, and its id in the feed. */
export interface FeedEvent {
  id: string
  title: string
  /** HTML. */
  body: string
  url: string | null
  author: string | null
  image: string | null
  image_alt: string | null
}

interface ReadOptions {
  /** The address of the document, for relative addresses. */
  base: URL
  text: 'summary' | 'full'
  /** What ids begin with that other feeds can have, too. */
  idPrefix: string
}

/** An entry of a feed; undefined for one without words. */
export function readEntry(
  elements: readonly Element[],
  options: ReadOptions,
): FeedEvent | undefined {
  const url = linkOf(elements, options.base)
  const given = titleOf(elements)
  const body = bodyOf(elements, {
    wanted: options.text,
    title: given,
    page: url,
    base: url ?? options.base.href,
  })
  const title = given || firstLine(body)
  if (title === '') return undefined
  const id = textOf(elements, ['guid', 'id']) || url || `${title} ${textOf(elements, timeNames)}`
  const image = imageOf(elements, htmlTextsOf(elements), options.base)
  return {
    id: keyPart(isUniqueEverywhere.test(id) ? id : options.idPrefix + id),
    title: storable(title),
    body: storable(body),
    url: url ?? null,
    author: authorOf(elements),
    image: image?.address ?? null,
    image_alt: image?.alt ?? null,
  }
}

/** Two feeds with the same id of this form have the same entry; a number, by contrast, is unique only within its feed. */
const isUniqueEverywhere = /^(?:https?|tag|urn):/i

const storable = (text: string) => v.parse(providerText, text)

function titleOf(elements: readonly Element[]): string {
  const title = findElement(elements, ['title'])
  return title ? oneLine(plainText(title, htmlToText)) : ''
}

const htmlTypes = new Set(['html', 'xhtml', 'text/html'])
const looksLikeHtml = /<\/?[a-z]|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,10});/i

/** RSS does not say whether a text is HTML; Atom does. */
const isHtml = ({ attributes, content, hasMarkup }: Element): boolean =>
  hasMarkup ||
  htmlTypes.has(attributes['type'] ?? '') ||
  (attributes['type'] !== 'text' && looksLikeHtml.test(content))

const maxTextCharacters = 100_000

/** The text of an element as plain text. Nobody reads more than its beginning. */
function plainText(element: Element, toText: (html: string) => string): string {
  const content = element.content.slice(0, maxTextCharacters)
  return isHtml(element) ? toText(content) : content.trim()
}

const summaryNames = [
  'summary',
  'description',
  'itunes:summary',
  'media:description',
  'media:group/media:description',
]
const fullNames = ['content:encoded', 'content']

interface BodyOptions {
  wanted: ReadOptions['text']
  title: string
  /** The page of the entry. */
  page: string | undefined
  /** What relative addresses in the text are relative to. */
  base: string
}

/** The text of an entry as HTML; in doubt a summary, because a long text does not fit into a block. */
function bodyOf(elements: readonly Element[], { wanted, title, page, base }: BodyOptions): string {
  const whole = findElement(elements, fullNames)
  const short = findElement(elements, summaryNames) ?? whole
  if (wanted === 'full') {
    const found = whole ?? short
    const html =
      found &&
      fullText(
        isHtml(found)
          ? withWholeAddresses(withoutPageParts(found.content, page), base)
          : textToHtml(found.content),
      )
    if (html) return html
  }
  if (!short) return ''
  const content = isHtml(short) ? withoutPageParts(short.content, page) : short.content
  return teaser(withoutTitleAtStart(plainText({ ...short, content }, htmlToParagraphs), title))
}

/** The texts of an entry that are HTML, the full ones first. */
function htmlTextsOf(elements: readonly Element[]): string[] {
  const found = [...fullNames, ...summaryNames].map((name) => findElement(elements, [name]))
  return found.flatMap((one) => (one && isHtml(one) ? [one.content] : []))
}

const firstLine = (html: string): string => oneLine(htmlToText(html).split('\n')[0] ?? '', 120)

/** An address that readers can open, without the parameters that count readers. */
function webLink(address: string, base: URL): string | undefined {
  const url = URL.parse(address.trim(), base.href)
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password !== '')
    return undefined
  const counting = [...url.searchParams.keys()].filter((name) => name.startsWith('utm_'))
  for (const name of counting) url.searchParams.delete(name)
  return url.href.length <= maxAddressCharacters ? url.href : undefined
}

/** The page of an entry. In RSS, the id is its address unless the feed says otherwise. */
function linkOf(elements: readonly Element[], base: URL): string | undefined {
  const links = elements.filter(({ name }) => name === 'link')
  const alternate = links.find(
    ({ attributes: { rel = 'alternate', href } }) => href && rel === 'alternate',
  )
  const guid = elements.find(
    ({ name, attributes }) => name === 'guid' && attributes['isPermaLink'] !== 'false',
  )
  const permanent = /^\s*https?:/.test(guid?.content ?? '') ? guid?.content : undefined
  const address = alternate?.attributes['href'] || textOf(elements, ['link']) || permanent
  return address ? webLink(address, base) : undefined
}

const timeNames = ['pubDate', 'published', 'dc:date', 'updated', 'date']

/** When an entry was published, in ms since 1970; null when it does not say. */
export function publishedAtOf(elements: readonly Element[]): number | null {
  const text = textOf(elements, timeNames)
  // The name of the day is not needed, and some feeds write it in their language.
  const ms = Date.parse(text.replace(/^\p{L}+\.?,\s*/u, ''))
  return Number.isNaN(ms) ? null : ms
}
