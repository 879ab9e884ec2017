const knownTags = new Set(
  (
    'a abbr article aside audio b base bdi bdo big blockquote body br button caption center cite code col ' +
    'colgroup dd del details dfn div dl dt em embed fieldset figcaption figure font form frame h1 h2 h3 h4 ' +
    'h5 h6 head hgroup hr html i iframe img input ins kbd legend li link mark math meta nav nobr noscript ' +
    'object ol option p picture pre q rp rt ruby s samp script section select small span strike strong ' +
    'style sub summary sup svg table tbody td template textarea tfoot th thead title tr tt u ul video ' +
    'wbr xmp'
  ).split(' '),
)
/** True for an element of HTML, with its name in lower case. */
export const isKnownTag = (name: string): boolean => knownTags.has(name)

const bareAttributes = new Set(
  'async autofocus autoplay checked controls defer disabled hidden ismap loop multiple muted nowrap open required reversed selected'.split(
    ' ',
  ),
)

// An element that has no end tag, and one whose end tag is optional.
const voidTags = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'wbr'])
const openTags = new Set(['body', 'dd', 'dt', 'html', 'li', 'p', 'td', 'th', 'tr'])

/**
 * True for HTML and false for plain text, for callers that may send either. HTML contains an element
 * from its start tag to its end tag, a tag with attributes, one that needs no end tag, two tags without
 * text between them, or a comment.
 * An unclear text, such as `i<p and p>3`, `Map<K, V>` and `the <title> tag`, is plain text.
 */
export function looksLikeHtml(text: string): boolean {
  const comment = text.indexOf('<!--')
  if (comment !== -1 && text.indexOf('-->', comment) !== -1) return true
  const [before = '', ...segments] = text.split('<')
  const started = new Set<string>()
  let previous: Tag | null = null
  for (const [at, segment] of segments.entries()) {
    const tag = tagAtStart(segment)
    const isFirst = at === 0 && before.trim() === ''
    if (tag && (previous?.endsSegment || isProof(tag, { started, isFirst }))) return true
    if (tag) started.add(tag.name)
    previous = tag
  }
  return false
}

/** True when a tag is one of HTML, after the tags that have started. */
function isProof(
  { name, isEnd, hasAttributes }: Tag,
  { started, isFirst }: { started: ReadonlySet<string>; isFirst: boolean },
): boolean {
  if (isEnd) return started.has(name)
  return hasAttributes || isComplete(name, started.has(name)) || (isFirst && openTags.has(name))
}

/** True for an element without an end tag; for one whose end tag is optional, when it is repeated. */
const isComplete = (name: string, isRepeated: boolean) =>
  voidTags.has(name) || (openTags.has(name) && isRepeated)

/** The tag at the start of the text after a `<`, or null for other text. */
function tagAtStart(segment: string): Tag | null {
  const end = segment.indexOf('>')
  const tag = end > 0 ? readTag(segment.slice(0, end)) : null
  return tag && { ...tag, endsSegment: segment.slice(end + 1).trim() === '' }
}

interface Tag {
  /** In lower case. */
  name: string
  isEnd: boolean
  hasAttributes: boolean
  /** Nothing but space is between it and the next `<`. */
  endsSegment: boolean
}

/** The tag between `<` and `>`, or null for other text. */
function readTag(inner: string): Omit<Tag, 'endsSegment'> | null {
  const isEnd = inner.startsWith('/')
  const [name = '', ...attributes] = inner
    .replace(/^\//, '')
    .replace(/\/$/, '')
    .replaceAll(/"[^"]*"|'[^']*'/g, 'value')
    .trim()
    .toLowerCase()
    .split(/\s+/)
  if (!/^[a-z][\w:.-]*$/.test(name)) return null
  const hasValue = attributes.some((one) => /^[\w:@.-]+=./.test(one))
  const hasWord = attributes.some((one) => !one.includes('=') && !isBareAttribute(one))
  if (hasWord || !(hasValue || isKnownTag(name))) return null
  return { name, isEnd, hasAttributes: attributes.length > 0 }
}

/** True for an attribute of HTML that needs no value. */
export const isBareAttribute = (name: string) => bareAttributes.has(name.toLowerCase())
