import sanitize from 'sanitize-html'
import type { BodyFormat } from '../../../contract/vocabulary.ts'
import { sanitizeHtml } from '../../../lib/html/sanitize-html.ts'
import { hashInAddress } from '../../images/index.ts'
import { type Direction, sideOf } from './locale.ts'

/** The text of a block, as it was stored. */
export interface BlockText {
  title: string
  body: string
  body_format: BodyFormat
}

export interface BodyStyle {
  /** The color of links and of the bar beside a quotation, `#rrggbb`. */
  accent: string
  /** The maximum width of an image, in pixels. */
  widthPx: number
  /** The widths of uploaded images, in pixels, by their hashes. */
  imageWidths: ReadonlyMap<string, number>
  /** The level of the highest heading: below that of the heading above the body. */
  headingLevel: number
}

/**
 * A block's body for an email: sanitized again, and with inline styles, because Gmail drops
 * `<style>` for some of its readers and Outlook ignores most selectors.
 */
export function emailBody(block: BlockText, look: BodyStyle, direction: Direction): string {
  const html = block.body_format === 'html' ? block.body : paragraphs(block.body)
  const styles = bodyStyles(look, direction)
  const safe = sanitizeHtml(html)
  const headings = headingsFrom(safe, look.headingLevel)
  return sanitize(safe, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    parseStyleAttributes: false,
    nonTextTags: [],
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !isShowable(attribs['src']),
    transformTags: {
      '*': (tagName, attribs) => {
        const style = styleOf(tagName, attribs, styles)
        const own = tagName === 'img' ? image(attribs, block.title, look) : attribs
        const table = tagName === 'table' && { cellpadding: '0', cellspacing: '0' }
        return {
          tagName: headings.get(tagName) ?? tagName,
          attribs: { ...own, ...table, ...(style && { style }) },
        }
      },
    },
  })
}

/**
 * The names of the headings in a body, so that the highest has the given level and the others keep their distance. A
 * screen reader then finds them under the title of their block.
 */
function headingsFrom(html: string, top: number): Map<string, string> {
  const levels = [...html.matchAll(/<h([1-6])[\s>]/g)].map(([, level]) => Number(level))
  const highest = Math.min(...levels)
  return new Map(levels.map((level) => [`h${level}`, `h${Math.min(top + level - highest, 6)}`]))
}

/** The style of an element: that of its kind, of a link only with an address, of a cell with its own alignment. */
function styleOf(
  name: string,
  { align, href }: sanitize.Attributes,
  styles: Record<string, string>,
): string | undefined {
  if (name === 'a' && href === undefined) return undefined
  const style = styles[name]
  return align === undefined ? style : style?.replace(/text-align:\w+/, `text-align:${align}`)
}

/**
 * True for an address from which an email may load an image: https, or an image of ours, which is
 * embedded where the service is reached over http.
 */
export function isShowable(address: string | null | undefined): address is string {
  if (URL.parse(address ?? '')?.protocol === 'https:') return true
  return /^http:/i.test(address ?? '') && hashInAddress(address ?? '') !== null
}

/**
 * Outlook reads the width attribute and no style, so every image gets one that fits: its own, or that of the column
 * when it is not known.
 */
function image(
  attribs: sanitize.Attributes,
  title: string,
  { widthPx, imageWidths }: BodyStyle,
): sanitize.Attributes {
  const { src = '', alt } = attribs
  const given = /^\d{1,4}$/.test(attribs['width'] ?? '') ? Number(attribs['width']) : null
  const known = imageWidths.get(hashInAddress(src) ?? '')
  return {
    src,
    alt: alt ?? title,
    width: String(Math.min(given ?? known ?? widthPx, widthPx)),
    style: `${given === null ? 'width:auto;' : ''}max-width:100%;height:auto;border:0`,
  }
}

const line = '#d5d9de'
const codeBackground = '#eceef2'
const codeColor = '#1b1f24'
const mono = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'Courier New',monospace"

function bodyStyles({ accent }: BodyStyle, direction: Direction): Record<string, string> {
  const start = sideOf(direction)
  const heading = 'margin:20px 0 6px;line-height:1.35;font-weight:700'
  const cell = `border:1px solid ${line};padding:6px 10px;text-align:${start};vertical-align:top;word-break:normal;overflow-wrap:break-word`
  const list = `margin:0 0 14px;padding:0;padding-${start}:24px`
  return {
    p: 'margin:0 0 14px',
    a: `color:${accent};text-decoration:underline`,
    h1: `${heading};font-size:1.15em`,
    h2: `${heading};font-size:1.1em`,
    h3: `${heading};font-size:1em`,
    h4: `${heading};font-size:1em`,
    h5: `${heading};font-size:1em`,
    h6: `${heading};font-size:1em`,
    ul: list,
    ol: list,
    li: 'margin:0 0 4px',
    dl: 'margin:0 0 14px',
    dt: 'font-weight:700',
    dd: `margin:0 0 6px;margin-${start}:24px`,
    blockquote: `margin:0 0 14px;padding:2px 0;padding-${start}:16px;border-${start}:3px solid ${accent}`,
    pre: `margin:0 0 14px;padding:12px 14px;background-color:${codeBackground};color:${codeColor};border-radius:6px;${mono};font-size:0.85em;line-height:1.5;white-space:pre-wrap;direction:ltr;text-align:left`,
    code: `${mono};font-size:0.9em;background-color:${codeBackground};color:${codeColor};border-radius:3px`,
    kbd: `${mono};font-size:0.9em`,
    samp: `${mono};font-size:0.9em`,
    hr: `margin:18px 0;border:0;border-top:1px solid ${line}`,
    figure: 'margin:0 0 14px',
    figcaption: 'margin:6px 0 0;font-size:0.85em;color:#59636e',
    table: 'margin:0 0 14px;width:100%;border-collapse:collapse;font-size:0.95em;line-height:1.45',
    caption: `padding:0 0 6px;font-size:0.9em;text-align:${start}`,
    th: `${cell};font-weight:700;background-color:${codeBackground};color:${codeColor}`,
    td: cell,
  }
}

const address = /https?:\/\/[^\s<>"]+/g

/** Plain text as HTML: escaped, with paragraphs, line breaks and links. */
function paragraphs(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .trim()
    .split(/\n[^\S\n]*\n\s*/)
    .map((paragraph) => `<p>${linkAddresses(paragraph).replaceAll('\n', '<br />')}</p>`)
    .join('')
}

function linkAddresses(text: string): string {
  let html = ''
  let at = 0
  for (const { 0: found, index } of text.matchAll(address)) {
    const link = withoutPunctuation(found)
    const escaped = Bun.escapeHTML(link)
    html += `${Bun.escapeHTML(text.slice(at, index))}<a href="${escaped}">${escaped}</a>`
    at = index + link.length
  }
  return html + Bun.escapeHTML(text.slice(at))
}

/**
 * A full stop at the end belongs to the sentence, not to the address; so does a bracket that was
 * opened before it.
 */
function withoutPunctuation(link: string): string {
  const marks = link.includes('(') ? ".,;:!?'*_]}" : ".,;:!?'*_]})"
  let end = link.length
  while (marks.includes(link.charAt(end - 1)) && end > 0) end--
  return link.slice(0, end)
}
