import sanitize from 'sanitize-html'
import { isPlainMarkup, isSanitized, reparse } from './normalize-html.ts'

const allowedTags = [
  ...['p', 'br', 'hr', 'div', 'span', 'blockquote', 'pre', 'code', 'kbd', 'samp'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'dl', 'dt', 'dd'],
  ...['a', 'b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'sub', 'sup', 'small', 'mark', 'q'],
  ...['cite', 'abbr', 'img', 'figure', 'figcaption', 'details', 'summary'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
]

const allowed: sanitize.IOptions = {
  allowedTags,
  allowedAttributes: {
    '*': ['dir', 'lang'],
    a: ['href', 'title'],
    abbr: ['title'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    ol: ['start'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  // The content of these elements is code or markup, not prose, so it is removed with the tags.
  nonTextTags: [
    ...['script', 'style', 'textarea', 'option', 'noscript', 'template', 'title', 'svg', 'math'],
    ...['iframe', 'object', 'xmp', 'noembed', 'noframes', 'plaintext'],
  ],
  nestingLimit: 50,
}

/** After this many rounds, HTML that a parser still changes is reduced to its text. */
const maxRounds = 4
/**
 * A parser repeats an open `<b>` in every block; above this growth factor, only the text is kept.
 */
const maxGrowth = 4

/**
 * Sanitizes HTML from outside to prose: no scripts, styles, event handlers, forms or frames, and
 * links only to http, https, mailto and tel. The result is normalized: an HTML parser leaves it
 * unchanged, so it cannot close the element that contains it. Sanitizing it again changes nothing.
 * `onLostWord` is called with each word that is removed because it only looks like a part of a tag:
 * the name of an unknown element, or an attribute without a value.
 */
export function sanitizeHtml(html: string, onLostWord?: (word: string) => void): string {
  if (isSanitized(html)) return html
  return sanitizeAndNormalize(html, allowed, onLostWord)
}

function sanitizeAndNormalize(
  html: string,
  options: sanitize.IOptions,
  onLostWord?: (word: string) => void,
): string {
  let current = html
  for (let round = 0; round < maxRounds; round++) {
    const reported = round === 0 && onLostWord ? { ...options, ...reporting(onLostWord) } : options
    const sanitized = serialized(sanitize(current, reported))
    if (isPlainMarkup(sanitized)) return sanitized
    // sanitize-html closes some elements in other positions than a parser, which then moves what
    // follows.
    const parsed = reparse(sanitized)
    if (parsed === sanitized) return sanitized
    if (parsed.length > maxGrowth * sanitized.length) break
    current = parsed
  }
  return reparse(serialized(htmlToText(html)))
}

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
      a: (tagName, attribs) =>
        mayLink(attribs['href'] ?? '') ? { tagName, attribs } : { tagName: 'span', attribs: {} },
    },
  })
}

/** The text of HTML without its markup; entities stay escaped. */
export function htmlToText(html: string): string {
  return sanitize(html, { allowedTags: [], allowedAttributes: {} })
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

const knownTags = new Set(
  (
    'a abbr audio b base big blockquote body br button caption center cite code dd del details div dl ' +
    'dt em embed figcaption figure font form frame h1 h2 h3 h4 h5 h6 head hr html i iframe img input ' +
    'ins kbd li link mark math meta object ol option p pre q s samp script section select small span ' +
    'strike strong style sub summary sup svg table tbody td template textarea tfoot th thead title tr ' +
    'tt u ul video xmp'
  ).split(' '),
)
const bareAttributes = new Set(
  'async autofocus autoplay checked controls defer disabled hidden ismap loop multiple muted nowrap open required reversed selected'.split(
    ' ',
  ),
)

/**
 * True for HTML and false for plain text, for callers that may send either. HTML contains a
 * complete tag whose attributes have values; an unclear text, such as `i<p and p>3` and `Map<K,
 * V>`, is plain text.
 */
export function looksLikeHtml(text: string): boolean {
  if (text.includes('<!--')) return true
  return text.matchAll(/<([^<>]+)>/g).some(([, inner = '']) => isTag(inner))
}

/** True when the text between `<` and `>` is a tag. */
function isTag(inner: string): boolean {
  const plain = inner.replace(/^\//, '').replace(/\/$/, '')
  const [name = '', ...attributes] = plain
    .replaceAll(/"[^"]*"|'[^']*'/g, 'value')
    .trim()
    .split(/\s+/)
  if (!/^[a-z][\w:.-]*$/i.test(name)) return false
  const hasValue = attributes.some((one) => /^[\w:@.-]+=./.test(one))
  const hasWord = attributes.some((one) => !one.includes('=') && !isBareAttribute(one))
  return !hasWord && (hasValue || knownTags.has(name.toLowerCase()))
}

const isBareAttribute = (name: string) => bareAttributes.has(name.toLowerCase())

/** Reports the words that sanitizing removes because they look like parts of a tag. */
const reporting = (onLostWord: (word: string) => void): sanitize.IOptions => ({
  onOpenTag(name, attributes) {
    if (!knownTags.has(name) && !allowedTags.includes(name)) onLostWord(name)
    for (const [key, value] of Object.entries(attributes)) {
      if (value === '' && /^\w/.test(key) && !isBareAttribute(key)) onLostWord(key)
    }
  },
})
