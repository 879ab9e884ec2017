import { compile, type FormatCallback } from 'html-to-text'
import { escapeLoneNumbers } from '../../markdown/lone-numbers.ts'
import { renderMarkdown } from '../../markdown/markdown.ts'

/** The text format of a chat, in which people write in its forms. */
interface FormFormat {
  bold: string
  italic: string
  struck: string
  /** The HTML body of what a person wrote. */
  toHtml(text: string): string
}

/** Markdown, for chats without a format of their own. */
export const markdownFormat: FormFormat = {
  bold: '**',
  italic: '_',
  struck: '~~',
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

const converterFor = ({ bold, italic, struck }: FormFormat) =>
  compile({
    wordwrap: false,
    formatters: {
      bold: between(bold),
      italic: between(italic),
      struck: between(struck),
      code: between('`'),
      link,
    },
    selectors: [
      ...['strong', 'b'].map((selector) => ({ selector, format: 'bold' })),
      ...['em', 'i'].map((selector) => ({ selector, format: 'italic' })),
      ...['del', 's'].map((selector) => ({ selector, format: 'struck' })),
      { selector: 'code', format: 'code' },
      { selector: 'a', format: 'link' },
      { selector: 'ul', options: { itemPrefix: '• ' } },
      { selector: 'blockquote', options: { trimEmptyLines: true } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
    ],
  })

/** Markdown in the text format of a chat, for its forms. */
export const formText = (markdown: string, format: FormFormat): string =>
  converterFor(format)(renderMarkdown(markdown, { escapeHtml: true })).trim()

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
 * The text of a block for a form of a chat; null when it has something that would be lost there, such as a table
 * or an image.
 */
export function textForForm(
  { body, body_format }: { body: string; body_format: 'html' | 'text' },
  format: FormFormat,
): string | null {
  if (body_format === 'text') return null
  const text = converterFor(format)(body).trim()
  return comparableHtml(format.toHtml(text)) === comparableHtml(body) ? text : null
}
