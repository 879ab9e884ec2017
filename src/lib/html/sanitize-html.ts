import sanitize from 'sanitize-html'
import { isPlainMarkup, isSanitized, reparse } from './normalize-html.ts'
import {
  elementsLostWithText,
  type Removal,
  removalWarnings,
  removedElements,
  reporting,
} from './removals.ts'

const allowedTags = [
  ...['p', 'br', 'hr', 'div', 'span', 'blockquote', 'pre', 'code', 'kbd', 'samp'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'dl', 'dt', 'dd'],
  ...['a', 'b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'sub', 'sup', 'small', 'mark', 'q'],
  ...['cite', 'abbr', 'img', 'figure', 'figcaption', 'details', 'summary'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
]

/** Parts of pages that become elements of prose, so that their texts stay on lines of their own; and an obsolete element. */
const transformTags: sanitize.IOptions['transformTags'] = {
  ...Object.fromEntries(
    ['address', 'article', 'aside', 'center', 'footer', 'header', 'main', 'nav', 'section'].map(
      (name) => [name, 'div'],
    ),
  ),
  menu: 'ul',
  strike: 's',
}

/** How a cell is aligned, as Markdown states it; content security policies allow no style here. */
const alignment = { name: 'align', values: ['left', 'center', 'right'] }

/** Over how many columns or rows a cell may go: the plain text of a table needs memory for each of them. */
const spans = [
  { name: 'colspan', values: numbersTo(20) },
  { name: 'rowspan', values: numbersTo(50) },
]

const cellAttributes = [...spans, alignment]

const allowed: sanitize.IOptions = {
  allowedTags,
  allowedAttributes: {
    '*': ['dir', 'lang'],
    a: ['href', 'title'],
    abbr: ['title'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    ol: ['start'],
    td: cellAttributes,
    th: ['scope', ...cellAttributes],
  },
  transformTags,
  // Another value of it becomes an empty one, which these attributes lose.
  nonBooleanAttributes: [
    ...sanitize.defaults.nonBooleanAttributes,
    ...cellAttributes.map(({ name }) => name),
  ],
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  // The content of these elements is code or markup, not prose, so it is removed with the tags.
  nonTextTags: removedElements,
  nestingLimit: 50,
}

/** The numbers from 1 to `last`, as attributes have them. */
function numbersTo(last: number): string[] {
  return Array.from({ length: last }, (_, at) => String(at + 1))
}

/** The number of rounds after which HTML that a parser still changes is reduced to its text. */
const maxRounds = 4
/**
 * A parser repeats an open `<b>` in every block; above this growth factor, only the text is kept.
 */
const maxGrowth = 4

/**
 * Sanitizes HTML from outside to prose: no scripts, styles, event handlers, forms or frames, and
 * links only to http, https, mailto and tel. The result is normalized: an HTML parser leaves it
 * unchanged, so it cannot close the element that contains it. Sanitizing it again changes nothing.
 * `onRemoval` is called with each thing that somebody may miss.
 */
export function sanitizeHtml(html: string, onRemoval?: (removal: Removal) => void): string {
  if (isSanitized(html)) return html
  if (onRemoval) for (const name of elementsLostWithText(html)) onRemoval({ kind: 'text', name })
  return sanitizeAndNormalize(html, allowed, onRemoval)
}

function sanitizeAndNormalize(
  html: string,
  options: sanitize.IOptions,
  onRemoval?: (removal: Removal) => void,
): string {
  let current = html
  for (let round = 0; round < maxRounds; round++) {
    const reported =
      round === 0 && onRemoval ? { ...options, ...reporting(onRemoval, allowedTags) } : options
    const sanitized = withoutRelativeAddresses(serialized(sanitize(current, reported)))
    if (isPlainMarkup(sanitized)) return sanitized
    // sanitize-html closes some elements in other positions than a parser, which then moves what
    // follows.
    const parsed = reparse(sanitized)
    if (parsed === sanitized) return sanitized
    if (parsed.length > maxGrowth * sanitized.length) break
    current = parsed
  }
  return reparse(serialized(escapedTextOf(html)))
}

/**
 * Sanitized HTML without addresses that lead nowhere in an email: those without a scheme. Their links
 * become text, and their images are left out. Attribute values contain neither quotes nor `>` here.
 */
const withoutRelativeAddresses = (html: string): string =>
  html
    .replaceAll(/(<a(?: [^>]*?)?) href="(?!https?:|mailto:|tel:)[^"]*"/gi, '$1')
    .replaceAll(/<img\b(?![^>]*\bsrc="https?:)[^>]*>/gi, '')

/** The output of sanitize-html in the serialization of the HTML standard. */
function serialized(html: string): string {
  return html.replaceAll(' />', '>').replaceAll('\u00a0', '&nbsp;').replaceAll(/\r\n?/g, '\n')
}

/**
 * Sanitizes HTML from a language model as `sanitizeHtml` does, without images and with links only
 * where `mayLink` allows them; other links become text. Otherwise an address that the model invents
 * could contain what it has read (threat T-27).
 */
export function sanitizeGeneratedHtml(html: string, mayLink: (href: string) => boolean): string {
  return sanitizeAndNormalize(html, {
    ...allowed,
    allowedTags: allowedTags.filter((tag) => tag !== 'img'),
    transformTags: {
      ...transformTags,
      a: (tagName, attribs) =>
        mayLink(attribs['href'] ?? '') ? { tagName, attribs } : { tagName: 'span', attribs: {} },
    },
  })
}

/** The text of HTML without its markup, as HTML: `&`, `<` and `>` are escaped. */
function escapedTextOf(html: string): string {
  return sanitize(html, { allowedTags: [], allowedAttributes: {} })
}

const blockTags =
  /<(?:br|hr|\/?(?:p|div|li|ul|ol|dl|dt|dd|h[1-6]|blockquote|pre|figure|figcaption|table|tr|th|td))\b/gi

/** The text of HTML without its markup, as plain text; paragraphs, list items and cells are lines. */
export function textLinesOf(html: string): string {
  const escaped = escapedTextOf(html.replaceAll(blockTags, '\n$&'))
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n')
  return escaped.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

export interface Reference {
  kind: 'link' | 'picture'
  /** The address of the link; null when it is missing or was refused. */
  address: string | null
  /** The text of the link, or the alternative text of the image; null for an image without one. */
  text: string | null
}

/** The links and images of an HTML text, sanitized, in the order in which they end. */
export function referencesOf(html: string): Reference[] {
  const found: Reference[] = []
  sanitize(html, {
    ...allowed,
    exclusiveFilter({ tag, attribs, text }) {
      const { href = null, src = null, alt = null } = attribs
      if (tag === 'a') found.push({ kind: 'link', address: href, text })
      if (tag === 'img') found.push({ kind: 'picture', address: src, text: alt })
      return false
    },
  })
  return found
}

/** True when sanitized HTML contains a word or an image. */
export function hasContent(sanitized: string): boolean {
  const words = sanitized.replaceAll(/<[^>]*>|&nbsp;/g, '')
  return words.trim() !== '' || /<img [^>]*src=/.test(sanitized)
}

/** The same for HTML that is not sanitized yet. */
export function lostTextWarnings(field: string, html: string): string[] {
  const removals: Removal[] = []
  sanitizeHtml(html, (removal) => removals.push(removal))
  return removalWarnings(field, removals)
}
