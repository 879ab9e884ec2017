import * as v from 'valibot'
import { maxAuthorCharacters } from '../../src/contract/text.ts'
import { oneLine } from '../kit/text/fit-length.ts'
import { htmlToParagraphs, htmlToText, withWholeAddresses } from '../kit/text/html.ts'
import { keyPart, providerText } from '../kit/text/plain-text.ts'
import type { Element } from './document.ts'
import {
  firstImage,
  fullText,
  teaser,
  textToHtml,
  withoutPageParts,
  withoutTitleAtStart,
} from './text.ts'

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
  const image = imageOf(elements, options.base)
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

/** The first element with text that has one of these names, in the order of the names. */
function find(elements: readonly Element[], names: readonly string[]): Element | undefined {
  for (const name of names) {
    const found = elements.find((one) => one.name === name && one.content.trim() !== '')
    if (found) return found
  }
  return undefined
}

const textOf = (elements: readonly Element[], names: readonly string[]): string =>
  find(elements, names)?.content.trim() ?? ''

function titleOf(elements: readonly Element[]): string {
  const title = find(elements, ['title'])
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
  const whole = find(elements, fullNames)
  const short = find(elements, summaryNames) ?? whole
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

const firstLine = (html: string): string => oneLine(htmlToText(html).split('\n')[0] ?? '', 120)

const maxAddressCharacters = 2_048

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

// What systems call the account that publishes.
const technicalName = /^(?:admin(?:istrator)?|editor|root|user|webmaster|wordpress|author)$/i

/** A name with which somebody signs in, such as `ines.aker`. */
const accountName = /^[a-z0-9]+(?:[._][a-z0-9]+)+$/

const authorNames = ['dc:creator', 'author/name', 'author', 'itunes:author']
const maxAuthors = 5

/** The names of the authors. */
function authorOf(elements: readonly Element[]): string | null {
  const first = find(elements, authorNames)?.name
  const names = elements
    .filter(({ name }) => name === first)
    .map(({ content }) => personIn(oneLine(content)))
    .filter((name) => name !== null)
  return oneLine([...new Set(names)].slice(0, maxAuthors).join(', '), maxAuthorCharacters) || null
}

/** The name of an author. RSS has `address (name)`; an email address alone is not a name. */
function personIn(text: string): string | null {
  const name = /@\S+\s*\((?<name>[^()]{1,200})\)$/.exec(text)?.groups?.['name'] ?? text
  const isName = name !== '' && !name.includes('@') && !technicalName.test(name)
  return isName && !accountName.test(name) ? name : null
}

const timeNames = ['pubDate', 'published', 'dc:date', 'updated', 'date']

/** When an entry was published, in ms since 1970; null when it does not say. */
export function publishedAtOf(elements: readonly Element[]): number | null {
  const text = textOf(elements, timeNames)
  // The name of the day is not needed, and some feeds write it in their language.
  const ms = Date.parse(text.replace(/^\p{L}+\.?,\s*/u, ''))
  return Number.isNaN(ms) ? null : ms
}

const imageNames = new Set([
  'enclosure',
  'media:content',
  'media:thumbnail',
  'media:group/media:content',
  'media:group/media:thumbnail',
  'media:content/media:thumbnail',
  'itunes:image',
  'link',
])

/** The picture of an entry: one that the feed names, or the first in its text. */
function imageOf(elements: readonly Element[], base: URL) {
  const named = elements.find(isImage)
  const { url, href } = named?.attributes ?? {}
  const found = { address: url ?? href ?? '', alt: '' }
  const inText = [...fullNames, ...summaryNames].map((name) => find(elements, [name]))
  const texts = inText.flatMap((one) => (one && isHtml(one) ? [one.content] : []))
  const image = named ? found : texts.map(firstImage).find((one) => one !== undefined)
  const address = URL.parse(image?.address ?? '', base.href)
  if (!image || address?.protocol !== 'https:' || address.href.length > maxAddressCharacters)
    return undefined
  return { address: address.href, alt: oneLine(image.alt, 500) || null }
}

function isImage({ name, attributes }: Element): boolean {
  const { url, href, type = '', medium = '', rel } = attributes
  if (!imageNames.has(name) || !(url ?? href)) return false
  if (name === 'link' && rel !== 'enclosure') return false
  if (name.endsWith('thumbnail') || name === 'itunes:image') return true
  return type.startsWith('image/') || medium === 'image'
}
