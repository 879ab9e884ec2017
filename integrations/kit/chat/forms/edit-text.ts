import { compile, type FormatCallback } from 'html-to-text'
import { escapeLoneNumbers } from '../../markdown/lone-numbers.ts'
import { renderMarkdown } from '../../markdown/markdown.ts'

/** The text format of a chat, in which people write in its forms. */
interface FormFormat {
  bold: string
  italic: string
  struck: string
  /** The mark of a point in a list. */
  bullet: string
  /** The HTML body of what a person wrote. */
  toHtml(text: string): string
}

/** Markdown, for chats without a format of their own. */
export const markdownFormat: FormFormat = {
  bold: '**',
  italic: '_',
  struck: '~~',
  bullet: '-',
  toHtml: (text) => renderMarkdown(escapeLoneNumbers(text), { escapeHtml: true }),
}

const literal = { noWordTransform: true }

/** Puts the same mark before and after the text of an element. */
const between =
  (mark: string): FormatCallback =>
  (element, walk, builder) => {
    builder.addInline(mark, literal)
    walk(element.children, builder)
    builder.addInline(mark, literal)
  }

const link: FormatCallback = (element, walk, builder) => {
  builder.addInline('[', literal)
  walk(element.children, builder)
  builder.addInline(`](${element.attribs?.['href'] ?? ''})`, literal)
}

/** Puts a mark before each point of a list; those of an inner list begin below the text of its point. */
const listOf =
  (markOf: (index: number) => string): FormatCallback =>
  (element, walk, builder) => {
    const points = element.children?.filter(({ name }) => name === 'li') ?? []
    const first = Number(element.attribs?.['start'] ?? 1)
    const marks = points.map((_, index) => markOf(first + index))
    const lineBreaks = element.parent?.name === 'li' ? 1 : 2
    const maxPrefixLength = Math.max(0, ...marks.map((mark) => mark.length))
    builder.openList({ leadingLineBreaks: lineBreaks, interRowLineBreaks: 1, maxPrefixLength })
    for (const [index, point] of points.entries()) {
      builder.openListItem({ prefix: marks[index] ?? '' })
      walk([point], builder)
      builder.closeListItem()
    }
    builder.closeList({ trailingLineBreaks: lineBreaks })
  }

const converterFor = ({ bold, italic, struck, bullet }: FormFormat, gap: string) =>
  compile({
    wordwrap: false,
    formatters: {
      bold: between(bold),
      italic: between(italic),
      struck: between(struck),
      code: between('`'),
      link,
      bullets: listOf(() => `${bullet} `),
      numbers: listOf((number) => `${number}.${gap}`),
    },
    selectors: [
      ...['strong', 'b'].map((selector) => ({ selector, format: 'bold' })),
      ...['em', 'i'].map((selector) => ({ selector, format: 'italic' })),
      ...['del', 's'].map((selector) => ({ selector, format: 'struck' })),
      { selector: 'code', format: 'code' },
      { selector: 'a', format: 'link' },
      { selector: 'ul', format: 'bullets' },
      { selector: 'ol', format: 'numbers' },
      { selector: 'blockquote', options: { trimEmptyLines: true } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
    ],
  })

/** The tags and the words of HTML, whatever the whitespace and the entities between them. */
const comparableHtml = (html: string) =>
  html
    .replace(/<(\/?[a-z0-9]+)(?:[^>]*?(\shref="[^"]*"))?[^>]*>/g, '<$1$2>')
    .replace(/&(?:#39|apos);/g, "'")
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ')
    .replace(/ ?(<[^>]+>) ?/g, '$1')
    .trim()

/**
 * HTML in the text format of a chat; null when the chat would read it as something else. Behind two spaces, a number
 * that would be that of a date or of no list, as a single one is, begins a point.
 */
const textReadAs = (html: string, format: FormFormat): string | null =>
  [' ', '  ']
    .map((gap) => converterFor(format, gap)(html).trim())
    .find((text) => comparableHtml(format.toHtml(text)) === comparableHtml(html)) ?? null

/** Markdown in the text format of a chat, for its forms. */
export function formText(markdown: string, format: FormFormat): string {
  const html = renderMarkdown(markdown, { escapeHtml: true })
  return textReadAs(html, format) ?? converterFor(format, ' ')(html).trim()
}

/**
 * The text of a block for a form of a chat; null when it has something that would be lost there, such as a table
 * or an image.
 */
export const textForForm = (
  { body, body_format }: { body: string; body_format: 'html' | 'text' },
  format: FormFormat,
): string | null => (body_format === 'text' ? null : textReadAs(body, format))
