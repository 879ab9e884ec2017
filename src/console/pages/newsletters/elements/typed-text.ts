import { looksLikeHtml } from '../../../../lib/html/looks-like-html.ts'
import { sanitizeHtml } from '../../../../lib/html/sanitize-html.ts'

/** HTML of what a person typed: HTML as it is, text with its paragraphs and line breaks. */
export function htmlOf(typed: string): string {
  if (looksLikeHtml(typed)) return typed
  return typed
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${Bun.escapeHTML(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('')
}

/** A stored text as it is edited: without markup when it has only paragraphs and line breaks. */
export function typedTextOf(html: string | null): string {
  const inner = (html ?? '').replace(/^<p>/, '').replace(/<\/p>$/, '')
  const text = inner.replaceAll('</p><p>', '\n\n').replaceAll(/<br ?\/?>/g, '\n')
  if (/[<&]/.test(text)) return html ?? ''
  return sanitizeHtml(htmlOf(text)) === sanitizeHtml(html ?? '') ? text : (html ?? '')
}
