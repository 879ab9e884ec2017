/**
 * A failure that the person who starts Tidings can correct. The message says what happened and what
 * to do.
 */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError'
}

const advice: [RegExp, (path: string) => string][] = [
  [
    /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded|could not extend file/,
    (path) => `The disk is full at ${path}: free some space there and start again.`,
  ],
  [
    /EROFS|Read-only file system/,
    (path) =>
      `${path} cannot be written: set DATA_DIR to a folder that can be written, and start again.`,
  ],
  [
    /EACCES|EPERM|Permission denied|Operation not permitted/,
    (path) =>
      `No permission for ${path}: give that folder to the user who starts Tidings, or set DATA_DIR to another one.`,
  ],
  [
    /ENOENT|ENAMETOOLONG|ELOOP|EINVAL/,
    (path) => `${path} cannot be created: set DATA_DIR to another folder and start again.`,
  ],
  [/ENOTDIR|EEXIST/, (path) => `${path} is not a folder: set DATA_DIR to one and start again.`],
  [
    /effective user ID/,
    () =>
      'PostgreSQL needs a user with a name, and the user who starts Tidings has only a number: start it as a user of this system, or set DATABASE_URL.',
  ],
]

/**
 * A failed file operation at `path`, or the output of a PostgreSQL program, as an error that says
 * what to do. Undefined when the failure is of no known kind.
 */
export function friendlyError(failure: unknown, path: string): EmbeddedError | undefined {
  if (failure instanceof EmbeddedError) return failure
  const words = failure instanceof Error ? codeOf(failure) : String(failure)
  const sentence = advice.find(([pattern]) => pattern.test(words))?.[1](path)
  return sentence === undefined ? undefined : new EmbeddedError(sentence, { cause: failure })
}

/**
 * Runs file operations at `path`. Throws an `EmbeddedError` in place of each failure of a known
 * kind.
 */
export async function withFriendlyErrors<Result>(path: string, work: () => Promise<Result>) {
  try {
    return await work()
  } catch (error) {
    throw friendlyError(error, path) ?? error
  }
}

/** The code of a system or PostgreSQL error, such as ENOENT or 57P03; empty when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
