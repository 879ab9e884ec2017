import { AppError, type ErrorCode } from '../lib/errors.ts'

const statuses = {
  invalid_json: 400,
  missing_key: 401,
  invalid_key: 401,
  revoked_key: 401,
  expired_key: 401,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  invalid_transition: 409,
  block_in_use: 409,
  newsletter_sent: 409,
  embargoed: 409,
  request_in_progress: 409,
  version_mismatch: 412,
  too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  ai_limit_reached: 429,
  preview_limit_reached: 429,
  internal_error: 500,
  ai_unavailable: 503,
  mail_unavailable: 503,
  database_unavailable: 503,
} as const satisfies Record<ErrorCode, number>

/** The HTTP status of every error code. */
export const errorStatuses: Readonly<Record<ErrorCode, number>> = statuses

const titleOf = (code: ErrorCode) => {
  const words = code.replaceAll('_', ' ').replace('json', 'JSON')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * The answer to a failure: a problem document (RFC 9457) with `error` and `errors` for simple
 * clients. What is not an `AppError` becomes a 500 that says nothing of its cause.
 */
export function problemResponse(error: AppError, requestId: string): Response {
  const { code, message, details } = error
  const status = errorStatuses[code]
  const fields = details.fields ?? []
  const headers = new Headers({ 'content-type': 'application/problem+json', ...details.headers })
  if (details.retryAfterSeconds) headers.set('retry-after', String(details.retryAfterSeconds))
  if (status === 401) headers.set('www-authenticate', 'Bearer')
  const body = {
    type: `/docs/errors#${code}`,
    title: titleOf(code),
    status,
    code,
    detail: message,
    error: message,
    errors: fields.length > 0 ? fields.map((field) => field.message) : [message],
    ...(fields.length > 0 && { fields }),
    ...details.extra,
    request_id: requestId,
  }
  return new Response(JSON.stringify(body), { status, headers })
}

/** Any failure as an `AppError`; what nobody foresaw is an `internal_error` with its cause inside. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError('internal_error', 'Something went wrong on our side. Try again later.', {
    cause: error,
  })
}
