import { toNfc } from '../../contract/text.ts'
import { invalidField } from '../../lib/errors.ts'

/** What the audit log calls a connection. */
export const subjectOf = (adapter: string, id: string) => `${adapter} ${id}`

const maxLabelCharacters = 100

/** A label without spaces at its ends, or null when nothing is left. Throws `validation_failed`. */
export function parseLabel(label: string): string | null {
  const trimmed = toNfc(label).trim()
  if (trimmed.length > maxLabelCharacters || /\p{Cc}/u.test(trimmed)) {
    throw invalidField(
      '/label',
      `label must be one line of at most ${maxLabelCharacters} characters`,
    )
  }
  return trimmed === '' ? null : trimmed
}
