import { compile, type FormatCallback } from 'html-to-text'

/** Lists whose numbers have more than four digits start at 1: a Roman number has a letter for each thousand. */
const numberedList: FormatCallback = (element, walk, builder, options) => {
  const { start } = element.attribs
  if (start !== undefined && !/^\d{1,4}$/.test(start)) element.attribs.start = '1'
  builder.options.formatters?.['orderedList']?.(element, walk, builder, options)
}

type Selectors = NonNullable<Parameters<typeof compile>[0]>['selectors']

const converter = (cellSuffix: string, selectors: Selectors = []) =>
  compile({
    wordwrap: false,
    // Deeper elements are left out: the library calls itself for each level until the stack overflows.
    limits: { maxDepth: 200 },
    formatters: { numberedList },
    selectors: [
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'ol', format: 'numberedList' },
      { selector: 'img', format: 'skip' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      { selector: 'ul', options: { itemPrefix: '' } },
      // Cells of a row that are not separate words run into each other.
      ...['td', 'th'].map((selector) => ({
        selector,
        format: 'inlineSurround',
        options: { suffix: cellSuffix },
      })),
      { selector: 'blockquote', options: { trimEmptyLines: true } },
      ...selectors,
    ],
  })

const toText = converter(' ')

/** The text of HTML without the addresses of links, block by block. */
export const htmlToText = (html: string): string => toText(html).trim()

/** The end of a cell of a table in {@link htmlToParagraphs}. */
export const cellEnd = '\u001f'

const oneLineEach = { leadingLineBreaks: 1, trailingLineBreaks: 1 }
const toParagraphs = converter(cellEnd, [
  { selector: 'blockquote', format: 'block' },
  { selector: 'hr', format: 'block' },
  { selector: 'tr', format: 'block', options: oneLineEach },
  { selector: 'li > p', format: 'block', options: oneLineEach },
])

/** The text of HTML for a body, block by block: without marks for quotes and rules, with a line for each row of a table. */
export const htmlToParagraphs = (html: string): string => toParagraphs(html).trim()

/** A URL as readers see it: without its scheme, and shortened to 40 characters. */
export function urlLabel(address: string): string {
  const url = URL.parse(address)
  if (url === null) return address
  const host = url.host.replace(/^www\./, '')
  const path = url.pathname === '/' ? '' : url.pathname.replace(/\/$/, '')
  const whole = host + path
  return whole.length <= maxLabelCharacters ? whole : `${whole.slice(0, maxLabelCharacters - 1)}…`
}

const maxLabelCharacters = 40

// A lookahead matches one attribute, and tries no other when the rest does not match.
const anchor = /<a\b(?=[^<>]*\bhref="([^"<>]*)")[^<>]*>([^<]*(?:<(?!\/?a\b)[^<]*)*)<\/a>/gi
const label = '(?:read more|more|details|see|link|here|mehr(?: lesen)?|weiterlesen|hier)'
const onlyLabel = new RegExp(`^${label}?\\s*[:→»…]*$`, 'i')
const emptyParagraph = new RegExp(
  `<p\\b[^<>]*>(?:\\s|&nbsp;|<br ?/?>)*(?:${label}\\s*(?::\\s*)?)?</p>\\s*`,
  'gi',
)

const addressOf = (href: string) => href.replaceAll('&amp;', '&')

const comparableAddress = (href: string) =>
  addressOf(href)
    .replace(/^http:/, 'https:')
    .replace(/(?<![/#])[/#]+$/, '')

/** Around an address that may be left out; no text that can be stored has this character. */
const addressMark = '\0'
const markedAddress = new RegExp(`${addressMark}[^${addressMark}]*${addressMark}`, 'g')
const insideSentence = new RegExp(
  String.raw`${addressMark}\s?[\p{L}\p{N}]|[\p{L}\p{N},]\s?${addressMark}[.,;!?]`,
  'u',
)

/**
 * A body without links to an address, which templates print as “Read more”. The words of such a link stay, unless they
 * are the address and stand in their line alone or behind a label, or are a label outside of a sentence.
 */
export function withoutLinkTo(body: string, url: string | undefined): string {
  if (!url || !/<a\b/i.test(body)) return body
  const marked = body.replace(anchor, (link, href: string, content: string, start: number) => {
    if (comparableAddress(href) !== comparableAddress(url)) return link
    const words = htmlToText(content).trim()
    const end = start + link.length
    const around = `${body.slice(Math.max(0, start - 2), start)}${addressMark}${body.slice(end, end + 2)}`
    if (onlyLabel.test(words)) return insideSentence.test(around) ? content : ''
    const isAddress =
      /^(?:https?:\/\/|www\.)\S+$/i.test(words) || words === urlLabel(addressOf(href))
    return isAddress ? addressMark + content + addressMark : content
  })
  if (marked === body) return body
  return withoutLinesOfAddresses(marked)
    .replaceAll(addressMark, '')
    .replace(emptyParagraph, '')
    .trim()
}

const lineEnd =
  /(<br ?\/?>|<\/?(?:p|div|h[1-6]|ul|ol|li|blockquote|pre|table|thead|tbody|tr|td|th)\b[^<>]*>)/gi
/** Without its address, a point of a list, a cell, a heading or a quote would be empty. */
const needsWords = /<(?:li|td|th|h[1-6]|blockquote)\b[^<>]*>\s*(?:<p\b[^<>]*>)?$/i

/** HTML without the lines that consist of a marked address and its label, unless the words above lead to them. */
function withoutLinesOfAddresses(html: string): string {
  // The lines, with the tag behind each.
  const parts = html.split(lineEnd)
  let isExpected = false
  for (const [at, line] of parts.entries()) {
    const words = line.replace(/<[^<>]*>/g, '').trim()
    if (words === '') continue
    if (!isExpected && isLineOfAddress(parts, at)) {
      parts[at] = ''
      const lineBreak = [at - 1, at + 1].find((one) => /^<br/i.test(parts[one] ?? ''))
      if (lineBreak !== undefined) parts[lineBreak] = ''
    } else {
      isExpected = leadsToNext(words, parts[at + 1])
    }
  }
  return parts.join('')
}

const leadsToNext = (words: string, tagBehind = '') =>
  /^<\/h[1-6]/i.test(tagBehind) || (/[:：](?:\s|&nbsp;)*$/.test(words) && !onlyLabel.test(words))

function isLineOfAddress(parts: readonly string[], at: number): boolean {
  const line = parts[at] ?? ''
  if (!line.includes(addressMark)) return false
  const rest = htmlToText(line.replace(markedAddress, '')).trim()
  const before = parts.slice(Math.max(0, at - 3), at).join('')
  return onlyLabel.test(rest) && !needsWords.test(before)
}

const hrefOfLink = /(<a\b[^<>]*?\shref=)(["'])([^"'<>]*)\2/gi

/** HTML in which the addresses of links are whole: relative ones lead nowhere outside of their page. */
export const withWholeAddresses = (html: string, base: string): string =>
  html.replace(hrefOfLink, (whole, start: string, quote: string, href: string) => {
    const address = URL.parse(href.replaceAll('&amp;', '&'), base)
    if (/^[a-z][a-z\d+.-]*:/i.test(href.trim()) || address === null) return whole
    return `${start}${quote}${Bun.escapeHTML(address.href)}${quote}`
  })
