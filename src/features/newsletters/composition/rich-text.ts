import { invalidField } from '../../../lib/errors.ts'
import { hasContent, sanitizeHtml } from '../../../lib/html/sanitize-html.ts'

/** HTML from a person, sanitized. Throws `validation_failed` for the field when nothing is left of it. */
export function richText(html: string, pointer: string): string {
  const sanitized = sanitizeHtml(html)
  if (hasContent(sanitized)) return sanitized
  const name = pointer.slice(1)
  throw invalidField(pointer, `${name} has no text left after sanitizing`, 'empty')
}

interface Texts {
  intro?: string | null | undefined
  closing?: string | null | undefined
}

/** A newsletter's texts, sanitized. Throws `validation_failed` for one of which nothing is left. */
export const withCleanTexts = <Fields extends Texts>(fields: Fields): Fields => ({
  ...fields,
  ...(fields.intro && { intro: richText(fields.intro, '/intro') }),
  ...(fields.closing && { closing: richText(fields.closing, '/closing') }),
})
