import type { BodyFormat } from '../../contract/vocabulary.ts'
import { invalidField } from '../../lib/errors.ts'
import { hasContent, looksLikeHtml, sanitizeHtml } from '../../lib/sanitize-html.ts'

/** A body as it is stored: HTML is sanitized, plain text is not. Throws `validation_failed` when nothing is left. */
export function prepareBody(
  body: string,
  format: BodyFormat = looksLikeHtml(body) ? 'html' : 'text',
): { body: string; body_format: BodyFormat } {
  if (format === 'text') return { body, body_format: format }
  const cleaned = sanitizeHtml(body)
  if (!hasContent(cleaned)) {
    throw invalidField('/body', 'body has no content left once unsafe HTML is removed', 'empty')
  }
  return { body: cleaned, body_format: format }
}
