import { compile, type DomNode, type FormatCallback } from 'html-to-text'
import { sanitizeHtml } from '../../../lib/html/sanitize-html.ts'
import type { BlockText } from './email-body.ts'

/** As browsers read it (HTML, 2.3.4.1): the digits at the start. They also show a number that is too large as 1. */
const numberedList: FormatCallback = (element, walk, builder, options) => {
  const start = Number.parseInt(element.attribs['start'] ?? '1', 10)
  element.attribs['start'] = String(Math.abs(start) < 2 ** 31 ? start : 1)
  builder.options.formatters?.['orderedList']?.(element, walk, builder, options)
}

const textOf = ({ data = '', children = [] }: DomNode): string =>
  data + children.map(textOf).join('')

const isText = ({ type }: DomNode) => type === 'text'
const hasWords = (node: DomNode): boolean => /\S/.test(textOf(node))

const markOf = (data: string): DomNode => ({ type: 'text', data, children: [] })

/** Puts a mark before the first word. A link whose text has a mark would no longer be the same as its address. */
function markStart(nodes: DomNode[], mark: string): void {
  const at = nodes.findIndex(hasWords)
  const node = nodes[at]
  if (!node) return
  if (isText(node)) node.data = node.data?.replace(/\S/, (first) => mark + first)
  else if (node.name === 'a' || node.name === 'sup') nodes.splice(at, 0, markOf(mark))
  else markStart(node.children, mark)
}

/** Puts a mark after the last word. */
function markEnd(nodes: DomNode[], mark: string): void {
  const at = nodes.findLastIndex(hasWords)
  const node = nodes[at]
  if (!node) return
  const { data = '' } = node
  const end = data.trimEnd().length
  if (isText(node)) node.data = data.slice(0, end) + mark + data.slice(end)
  else if (node.name === 'a' || node.name === 'sup') nodes.splice(at + 1, 0, markOf(mark))
  else markEnd(node.children, mark)
}

const struckOut: FormatCallback = ({ children }, walk, builder) => {
  markStart(children, '~')
  markEnd(children, '~')
  walk(children, builder)
}

const inline = new Set(['a', 'b', 'code', 'del', 'em', 'i', 's', 'span', 'strong', 'u'])

/** The text before an element in its line. */
function textBefore(node: DomNode): string {
  const { parent } = node
  if (!parent) return ''
  const nodes = parent.children.slice(0, parent.children.indexOf(node))
  const last = nodes.findLast((one) => one.name === 'br' || textOf(one) !== '')
  if (last) return textOf(last)
  return inline.has(parent.name ?? '') ? textBefore(parent) : ''
}

const whole = /^[+\-−]?\d+$/
/** Other exponents. A raised `a`, `e` or `o` is the end of an ordinal in other languages. */
const otherExponent = /^[+\-−]?(?:\d+[.,]\d+|[knxy])$/
/** A digit, a bracket, a unit or a variable. Other raised numbers are those of notes. */
const base = /(?:[\d)\]]|(?<!\p{L})(?:\p{L}|[nµmcdhk]m|ft|yd))$/u

const isExponent = (text: string, before: string): boolean =>
  whole.test(text) ? base.test(before) : otherExponent.test(text) && /[\d)\]]$/.test(before)

/** A raised text: the exponent of a power is marked, as `10^6`; `1st` stays. */
const raised: FormatCallback = (element, walk, builder) => {
  const text = textOf(element)
  if (!isExponent(text.trim(), textBefore(element))) {
    walk(element.children, builder)
    return
  }
  builder.addInline(`^${text.trim()}`)
  if (/\s$/.test(text)) builder.addInline(' ')
}

const htmlToPlainText = compile({
  wordwrap: 78,
  formatters: {
    numberedList,
    struckOut,
    raised,
    alternativeText: ({ attribs }, _walk, builder) => {
      if (attribs.alt) builder.addInline(`[${attribs.alt}]`)
    },
  },
  selectors: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
      selector,
      options: { uppercase: false },
    })),
    ...['dl', 'dt', 'dd', 'figure', 'figcaption', 'details', 'summary', 'caption'].map(
      (selector) => ({ selector, format: 'block' }),
    ),
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'ol', format: 'numberedList' },
    { selector: 's', format: 'struckOut' },
    { selector: 'del', format: 'struckOut' },
    { selector: 'sup', format: 'raised' },
    { selector: 'img', format: 'alternativeText' },
    { selector: 'table', format: 'dataTable', options: { maxColumnWidth: 40 } },
  ],
})

const span = / (?:col|row)span="(\d+)"/g

/** The most columns and rows that the cells of a table span in total. Tables for readers have far fewer. */
const manySpanned = 1_000

/** HTML without spans when the cells of its tables claim too many: the time for a table grows with the square of its columns. */
function withFewSpans(html: string): string {
  let spanned = 0
  for (const [, number] of html.matchAll(span)) spanned += Number(number)
  return spanned > manySpanned ? html.replaceAll(span, '') : html
}

const noteName = String.raw`<sup>([\w-]{1,40})</sup>`
const noteNames = new RegExp(`(?:<p>|<br ?/?>)\\s*${noteName}`, 'g')
const references = new RegExp(`( ?)${noteName}`, 'g')

/** The names of footnotes in brackets, as in `Fast [1]`. A note begins with its name (`integrations/kit/markdown`). */
function withNoteNames(html: string): string {
  const names = new Set([...html.matchAll(noteNames)].map(([, name]) => name))
  if (names.size === 0) return html
  return html
    .replaceAll(noteNames, (note, name) => note.replace(`<sup>${name}</sup>`, `[${name}]`))
    .replaceAll(references, (found, _space, name) => (names.has(name) ? ` [${name}]` : found))
}

// One rendering needs the text of a block about six times, such as for the reading time and the contents.
const texts = new WeakMap<Readonly<BlockText>, string>()

/** A block's body as plain text: the same text, with addresses of links in square brackets and at most one empty line in a row. */
export function textBody(block: Readonly<BlockText>): string {
  const known = texts.get(block)
  if (known !== undefined) return known
  const { body, body_format } = block
  const lines =
    body_format === 'text' ? body : htmlToPlainText(withNoteNames(withFewSpans(sanitizeHtml(body))))
  // Spaces before the first word are the indentation of a list or of code.
  const text = lines
    .trimEnd()
    .replace(/^\s*\n/, '')
    .replaceAll(/\n(?:[^\S\n]*\n){2,}/g, '\n\n')
  texts.set(block, text)
  return text
}
