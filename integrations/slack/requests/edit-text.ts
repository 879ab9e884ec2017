import { compile, type FormatCallback } from 'html-to-text'
import type { Language } from '../../../src/contract/vocabulary.ts'
import { message } from '../../../src/locales/index.ts'
import { renderMarkdown } from '../../kit/markdown/markdown.ts'
import { parseMrkdwn } from '../../kit/markdown/mrkdwn.ts'
import { mrkdwnToMarkdown } from '../../kit/markdown/mrkdwn-markdown.ts'
import { removeUserIds, resolveNames } from '../stored-event.ts'

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

const convert = compile({
  wordwrap: false,
  formatters: {
    bold: between('*'),
    italic: between('_'),
    struck: between('~'),
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

/** The HTML body of what a person wrote in a form of Slack. */
export function bodyFromForm(text: string, language: Language): string {
  const parts = removeUserIds(parseMrkdwn(text, language), [])
  const resolved = resolveNames(parts, () => undefined, message(language, 'someone', {}))
  return renderMarkdown(mrkdwnToMarkdown(resolved), { escapeHtml: true })
}

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
 * The text of a block for a form of Slack; null when it has something that would be lost there, such as a table
 * or an image.
 */
export function textForForm(
  { body, body_format }: { body: string; body_format: 'html' | 'text' },
  language: Language,
): string | null {
  if (body_format === 'text') return null
  const text = convert(body).trim()
  return comparableHtml(bodyFromForm(text, language)) === comparableHtml(body) ? text : null
}
