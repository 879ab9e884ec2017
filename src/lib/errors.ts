/** Every way in which a request can fail, as `api.md` names them. */
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

/** One fault of the input: `pointer` is a JSON Pointer (RFC 6901) into the body, or a parameter's name. */
export interface FieldError {
  pointer: string
  code: string
  message: string
}

export interface ErrorDetails {
  fields?: FieldError[]
  retryAfterSeconds?: number
  /** Members that this code promises on top, such as `required_scope`. */
  extra?: Record<string, unknown>
  /** Response headers that this code promises, such as `Allow`. */
  headers?: Record<string, string>
  cause?: unknown
}

/**
 * A failure with a code. `message` is written for the person who reads the answer; what must not
 * leave the house goes into `details.cause`, which is only ever logged.
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

/** A 422 for one field; several are thrown together by whoever collected them. */
export function invalidField(pointer: string, message: string, code = 'invalid'): AppError {
  return validationFailed([{ pointer, code, message }])
}

/** A 422 that reports all faults of the input at once, and names that were sent but mean nothing. */
export function validationFailed(
  fields: FieldError[],
  { unmapped = [] }: { unmapped?: string[] } = {},
): AppError {
  const sentences = fields.map((field) => field.message)
  if (unmapped.length > 0) sentences.push(`unknown names were sent: ${unmapped.join(', ')}`)
  return new AppError('validation_failed', sentences.join('; '), { fields })
}

/** The one answer for what does not exist and for what belongs to another team. */
export function notFound(what: string): AppError {
  return new AppError('not_found', `${what} was not found`)
}
