import type { Context, ReadContext } from '../../lib/context.ts'
import { invalidField } from '../../lib/errors.ts'
import type { ConnectionDeps } from './secrets/decrypted-connection.ts'

/** What functions that read connections work with. */
export type ConnectionReadContext = ReadContext & Pick<ConnectionDeps, 'encryption'>

/** What functions that change connections work with. */
export type ConnectionContext = Context & Pick<ConnectionDeps, 'encryption'>

/** What the audit log calls a connection. */
export const subjectOf = (adapter: string, id: string) => `${adapter} ${id}`

const maxLabelCharacters = 100

/** A label without spaces at its ends, or null when nothing is left. Throws `validation_failed`. */
export function parseLabel(label: string): string | null {
  const trimmed = label.normalize('NFC').trim()
  if (trimmed.length > maxLabelCharacters || /\p{Cc}/u.test(trimmed)) {
    throw invalidField(
      '/label',
      `label must be one line of at most ${maxLabelCharacters} characters`,
    )
  }
  return trimmed === '' ? null : trimmed
}
