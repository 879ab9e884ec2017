import { compile, type FormatCallback } from 'html-to-text'
import { sanitizeHtml } from '../../../lib/html/sanitize-html.ts'
import type { Body } from './email-body.ts'

/** As browsers read it (HTML, 2.3.4.1): the digits at the start. They also show a number that is too large as 1. */
const numberedList: FormatCallback = (element, walk, builder, options) => {
  const start = Number.parseInt(element.attribs['start'] ?? '1', 10)
  element.attribs['start'] = String(Math.abs(start) < 2 ** 31 ? start : 1)
  builder.options.formatters?.['orderedList']?.(element, walk, builder, options)
}

/** What is between two marks, which an element without words does not get. */
const between =
  (before: string, after: string): FormatCallback =>
  ({ children }, walk, builder) => {
    if (children.length === 0) return
    builder.addInline(before)
    walk(children, builder)
    builder.addInline(after)
  }

const htmlToPlainText = compile({
  wordwrap: 78,
  formatters: {
    numberedList,
    struckOut: between('~', '~'),
    power: between('^', ''),
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
    { selector: 'sup', format: 'power' },
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

// One rendering needs the text of a block about six times, such as for the reading time and the contents.
const texts = new WeakMap<Readonly<Body>, string>()

/** A block's body as plain text: the same text, with addresses of links in square brackets and at most one empty line in a row. */
export function textBody(block: Readonly<Body>): string {
  const known = texts.get(block)
  if (known !== undefined) return known
  const { body, body_format } = block
  const lines = body_format === 'text' ? body : htmlToPlainText(withFewSpans(sanitizeHtml(body)))
  // Spaces before the first word are the indentation of a list or of code.
  const text = lines
    .trimEnd()
    .replace(/^\s*\n/, '')
    .replaceAll(/\n(?:[^\S\n]*\n){2,}/g, '\n\n')
  texts.set(block, text)
  return text
}
