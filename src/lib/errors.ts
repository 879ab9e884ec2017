/** The code of every error that a request can have; `api.md` lists them. */
export type ErrorCode =
  | 'malformed_request'
  | 'invalid_json'
  | 'missing_key'
  | 'invalid_key'
  | 'revoked_key'
  | 'expired_key'
  | 'insufficient_scope'
  | 'not_found'
  | 'method_not_allowed'
  | 'invalid_transition'
  | 'block_in_use'
  | 'event_read_only'
  | 'newsletter_sent'
  | 'embargoed'
  | 'request_in_progress'
  | 'version_mismatch'
  | 'too_large'
  | 'unsupported_media_type'
  | 'validation_failed'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'ai_limit_reached'
  | 'preview_limit_reached'
  | 'internal_error'
  | 'ai_unavailable'
  | 'mail_unavailable'
  | 'database_unavailable'

/**
 * One error of the input. `pointer` is a JSON Pointer (RFC 6901) into the body, or the name of a
 * parameter.
 */
export interface FieldError {
  pointer: string
  code: string
  message: string
}

export interface ErrorDetails {
  fields?: FieldError[]
  retryAfterSeconds?: number
  /** Additional members that the response with this code has, such as `required_scope`. */
  extra?: Record<string, unknown>
  /** Response headers that the response with this code has, such as `Allow`. */
  headers?: Record<string, string>
  cause?: unknown
}

/**
 * An error with a code. `message` is public and written for the reader; anything that must not be
 * public is in `details.cause`, which is only logged.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.name = 'AppError'
    this.code = code
    this.details = details
  }
}

/** The 422 for one field. */
export function invalidField(pointer: string, message: string, code = 'invalid'): AppError {
  return validationFailed([{ pointer, code, message }])
}

/** The 422 with all errors of the input, and the names of fields that were sent and are unknown. */
export function validationFailed(
  fields: FieldError[],
  { unmapped = [] }: { unmapped?: string[] } = {},
): AppError {
  const sentences = fields.map((field) => field.message)
  if (unmapped.length > 0) sentences.push(`unknown names were sent: ${unmapped.join(', ')}`)
  return new AppError('validation_failed', sentences.join('; '), { fields })
}

/** The errors of the input that `work` throws; none when it succeeds. Throws every other error. */
export async function inputErrorsOf(work: () => unknown): Promise<FieldError[]> {
  try {
    await work()
    return []
  } catch (error) {
    if (error instanceof AppError && error.code === 'validation_failed') {
      return error.details.fields ?? []
    }
    throw error
  }
}

/** The code of an error of the system, the network or PostgreSQL, such as ENOENT or 57P03; empty when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** The same 404 for a missing row and for a row of another team. */
export function notFound(what: string): AppError {
  return new AppError('not_found', `${what} was not found`)
}
