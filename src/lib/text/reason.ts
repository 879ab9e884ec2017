const maxCharacters = 500

/**
 * A failure as one line that PostgreSQL can store and people may read. Paths of URLs are removed
 * because they can be secret, and email addresses because they are personal.
 */
export function toReason(text: string): string {
  return text
    .slice(0, 4 * maxCharacters)
    .toWellFormed()
    .replace(/(https?:\/\/[^\s/"']+)[^\s"']*/g, '$1')
    .replace(/[^\s<>@,;:"'()]{1,64}@[^\s<>@,;:"'()]{1,255}/g, '…@…')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .slice(0, maxCharacters)
    .toWellFormed()
}

/** The message of an error in the form that {@link toReason} returns. */
export const reasonOf = (error: unknown): string =>
  toReason(error instanceof Error && error.message !== '' ? error.message : 'unknown error')
