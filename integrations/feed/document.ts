import { Parser } from 'htmlparser2'

/** An entry of a feed. */
export interface EntryElements {
  elements: Element[]
  /** `xml:base` of the entry and of what it is in: what relative addresses are relative to; empty without one. */
  base: string
}

/** An element of an entry. */
export interface Element {
  /** Its name, and those of its parents within the entry: `title`, `author/name`. */
  name: string
  attributes: Readonly<Record<string, string>>
  /** Its text, or the markup inside it. */
  content: string
  hasMarkup: boolean
}

/** More entries are not read. A feed that begins with its oldest entry has the newest ones at its end. */
const maxEntries = 20_000
/** No feed is deeper, and no entry has more elements. */
const maxDepth = 100
const maxElements = 200

/** A block contains no longer address. */
export const maxAddressCharacters = 2_048

const entryNames = new Set(['item', 'entry'])
const feedNames = new Set(['rss', 'feed', 'RDF'])
/** What is inside them is the text of an entry. */
const markupNames = new Set(['title', 'summary', 'description', 'content', 'content:encoded'])

interface OpenElement extends Element {
  /** Where its content begins. */
  start: number
}

/** Where the parser is in a document. */
interface Position {
  xml: string
  parser: Parser
  /** The prefix of the root element, with its colon. */
  prefix: string
  isFeed: boolean
  depth: number
  /** The elements of the present entry, and the depth of the entry. */
  entry: Element[] | null
  entryDepth: number
  /** The elements of the entry that are not closed. */
  open: OpenElement[]
  /** `xml:base` of the open elements outside of entries and of the entry, from the outside to the inside. */
  bases: string[]
  entries: EntryElements[]
}

/**
 * The entries of an RSS (0.9 to 2.0) or Atom document, each with its elements in order; null for another document. The
 * time is linear in its size: the parser builds no tree and expands no entities of a DTD.
 */
export function readDocument(xml: string): EntryElements[] | null {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => openElement(position, name, attributes),
      ontext(text) {
        const current = position.open.at(-1)
        if (current) current.content += text
      },
      onclosetag: (_, isImplied) => closeElement(position, isImplied),
    },
    { xmlMode: true, decodeEntities: true },
  )
  const position: Position = {
    xml,
    parser,
    prefix: '',
    isFeed: false,
    depth: 0,
    entry: null,
    entryDepth: 0,
    open: [],
    bases: [],
    entries: [],
  }
  parser.write(xml)
  parser.end()
  return position.isFeed ? position.entries : null
}

function openElement(position: Position, qualified: string, attributes: Record<string, string>) {
  position.depth += 1
  if (position.depth === 1) {
    position.prefix = qualified.slice(0, qualified.indexOf(':') + 1)
    position.isFeed = feedNames.has(qualified.slice(position.prefix.length))
  }
  const { depth, isFeed, parser, open, entry, bases } = position
  if (depth > maxDepth || !isFeed) return parser.pause()
  const name = withoutPrefix(qualified, position.prefix)
  if (entry === null) {
    bases.push(attributes['xml:base'] ?? '')
    return openEntry(position, name)
  }
  const outer = open.at(-1)
  if (outer && markupNames.has(outer.name)) {
    outer.hasMarkup = true
    return
  }
  const path = outer ? `${outer.name}/${name}` : name
  const start = parser.endIndex + 1
  open.push({ name: path, attributes, content: '', hasMarkup: false, start })
}

function openEntry(position: Position, name: string): void {
  if (!entryNames.has(name)) return
  position.entry = []
  position.entryDepth = position.depth
}

function closeElement(position: Position, isImplied: boolean): void {
  position.depth -= 1
  const { depth, entry, entryDepth, open, bases, parser, xml } = position
  if (entry === null) {
    bases.pop()
    return
  }
  if (depth < entryDepth) {
    closeEntry(position, entry, isImplied)
    return
  }
  // The end of an element inside of markup.
  if (depth - entryDepth !== open.length - 1) return
  const closed = open.pop()
  if (!closed || entry.length >= maxElements) return
  const { start, ...element } = closed
  const { content, hasMarkup } = element
  entry.push({ ...element, content: hasMarkup ? xml.slice(start, parser.startIndex) : content })
}

/** An entry without its end is one of a document that was cut off: the whole one follows. */
function closeEntry(position: Position, elements: Element[], isCutOff: boolean): void {
  const { bases, entries, parser } = position
  const base = bases.reduce((outer, own) => (own === '' ? outer : joined(outer, own)), '')
  bases.pop()
  if (!isCutOff) entries.push({ elements, base })
  Object.assign(position, { entry: null, open: [] })
  if (entries.length >= maxEntries) parser.pause()
}

/** An address that can be relative to another one. */
const joined = (outer: string, own: string): string =>
  URL.parse(own, outer === '' ? undefined : outer)?.href ?? own

/** A root with a prefix has elements with this prefix. */
const withoutPrefix = (name: string, prefix: string): string =>
  prefix !== '' && name.startsWith(prefix) ? name.slice(prefix.length) : name

/** The first element with text that has one of these names, in the order of the names. */
export function findElement(
  elements: readonly Element[],
  names: readonly string[],
): Element | undefined {
  for (const name of names) {
    const found = elements.find((one) => one.name === name && one.content.trim() !== '')
    if (found) return found
  }
  return undefined
}

/** The text of that element; empty without one. */
export const textOf = (elements: readonly Element[], names: readonly string[]): string =>
  findElement(elements, names)?.content.trim() ?? ''
