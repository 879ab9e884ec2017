import { defaultTreeAdapter, html as namespaces, parseFragment, serialize } from 'parse5'

const inline = [
  ...['a', 'abbr', 'b', 'br', 'cite', 'code', 'del', 'em', 'i', 'img', 'ins', 'kbd', 'mark', 'q'],
  ...['s', 'samp', 'small', 'span', 'strong', 'sub', 'sup', 'u'],
]
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const containers = ['div', 'blockquote', 'figure', 'figcaption', 'details']
const voidElements = new Set(['br', 'hr', 'img'])

const phrasing = new Set(inline)
const flow = new Set([
  ...inline,
  ...headings,
  ...containers,
  ...['p', 'pre', 'hr', 'ul', 'ol', 'dl', 'summary'],
])
const fragment = '#fragment'

/**
 * For each element, the elements that a parser accepts inside it without moving them. Tables are
 * missing, because a parser adds elements to them and moves text out of them.
 */
const content = new Map<string, ReadonlySet<string>>([
  ...[...inline, ...headings, 'p', 'pre', 'summary'].map((name) => [name, phrasing] as const),
  ...[fragment, ...containers, 'li', 'dt', 'dd'].map((name) => [name, flow] as const),
  ...['ul', 'ol'].map((name) => [name, new Set(['li'])] as const),
  ['dl', new Set(['dt', 'dd'])],
])

// A parser removes U+0000 and the first line break in <pre>.
const droppedText = /\0|<pre>\n/

/** sanitize-html removes elements at depth 50; few texts come close. */
const maxDepth = 40

/**
 * True when an HTML parser certainly leaves the fragment unchanged; false when that is unknown.
 * Expects no `>` in an attribute value.
 */
export function isPlainMarkup(html: string): boolean {
  if (droppedText.test(html)) return false
  const open = [fragment]
  for (const [, closing, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/g)) {
    if (closing) {
      if (open.pop() !== name) return false
      continue
    }
    if (!staysInside(open, name)) return false
    if (!voidElements.has(name)) open.push(name)
  }
  return open.length === 1
}

/** True when a parser leaves an element where it is, inside the open ones. */
function staysInside(open: readonly string[], name: string): boolean {
  if (open.length > maxDepth || !content.get(open.at(-1) ?? fragment)?.has(name)) return false
  // A parser closes the outer link there.
  return name !== 'a' || !open.includes('a')
}

const plainTag = /<\/?[a-z][a-z0-9]*>|<a href="https?:\/\/[\w.~:/?#@!$()*+,;=%-]+">/g
const plainEntity = /&(?:amp|lt|gt|nbsp);/g
const markupLeft = /[<>&\0\r\u00a0]/

/**
 * True when sanitizing certainly leaves the HTML unchanged: it consists of text and allowed elements
 * without attributes, apart from addresses of links. Most bodies do, and need no parser then.
 */
export function isSanitized(html: string): boolean {
  const text = html.replaceAll(plainTag, ' ').replaceAll(plainEntity, '')
  return !markupLeft.test(text) && isPlainMarkup(html)
}

const container = defaultTreeAdapter.createElement('div', namespaces.NS.HTML, [])

/** The fragment as an HTML parser reads it, serialized (HTML, sections 13.2 and 13.3). */
export function reparse(html: string): string {
  // The parser removes one line break after <pre> each time, so repeated parsing would never end.
  return serialize(parseFragment(container, html, {})).replaceAll(/<pre>\n+/g, '<pre>')
}
