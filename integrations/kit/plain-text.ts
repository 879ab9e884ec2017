import { compile } from 'html-to-text'

const convert = compile({
  wordwrap: false,
  // Deeper elements are left out: the library calls itself for each level until the stack overflows.
  limits: { maxDepth: 200 },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
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
      options: { suffix: ' ' },
    })),
    { selector: 'blockquote', options: { trimEmptyLines: true } },
  ],
})

/** The text of HTML without the addresses of links, block by block. */
export const htmlToText = (html: string): string => convert(html).trim()

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
