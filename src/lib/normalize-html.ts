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

/**
 * True when an HTML parser certainly leaves the fragment unchanged; false when that is unknown.
 * Expects the output of sanitize-html: every element closed, no `>` in an attribute value.
 */
export function isPlainMarkup(html: string): boolean {
  if (droppedText.test(html)) return false
  const open = [fragment]
  for (const [, closing, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/g)) {
    if (closing) {
      open.pop()
      continue
    }
    if (!content.get(open.at(-1) ?? fragment)?.has(name)) return false
    // A parser closes the outer link there.
    if (name === 'a' && open.includes('a')) return false
    if (!voidElements.has(name)) open.push(name)
  }
  return true
}

const container = defaultTreeAdapter.createElement('div', namespaces.NS.HTML, [])

/** The fragment as an HTML parser reads it, serialized (HTML, sections 13.2 and 13.3). */
export function reparse(html: string): string {
  // The parser removes one line break after <pre> each time, so repeated parsing would never end.
  return serialize(parseFragment(container, html, {})).replaceAll(/<pre>\n+/g, '<pre>')
}
