import type { AppError, ErrorCode } from '../errors.ts'
import { contextOf } from './request.ts'
import type { ErrorContext } from './route-group.ts'
import { statusOf } from './status.ts'

// Made once: many responses in a row can report the same code.
const titles = new Map(Object.keys(statusOf).map((code) => [code, titleOf(code)]))

/** An error code as a heading: `invalid_json` is "Invalid JSON", and `ai_unavailable` "AI unavailable". */
export const errorTitle = (code: ErrorCode): string => titles.get(code) ?? titleOf(code)

function titleOf(code: string): string {
  const words = code.replaceAll('_', ' ').replace('json', 'JSON').replace(/^ai\b/, 'AI')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The body of an error response (RFC 9457, `contract/problem.ts`), with `error` and `errors` for clients that only print text. */
export function problemOf({ code, message, details }: AppError, requestId: string) {
  const fields = details.fields ?? []
  return {
    type: `/docs/errors#${code}`,
    title: errorTitle(code),
    status: statusOf[code],
    code,
    detail: message,
    error: message,
    errors: fields.length > 0 ? fields.map((field) => field.message) : [message],
    ...(fields.length > 0 && { fields }),
    request_id: requestId,
    // A stored response has the id of the first request.
    ...details.extra,
  }
}

/** The error reply of a route group for programs: a problem document, with the headers of its code. */
export function replyWithProblem(error: AppError, { request, set }: ErrorContext) {
  setErrorHeaders(error, set)
  return problemOf(error, contextOf(request).id)
}

/** Sets the type of problem documents, the status of the error's code and the headers that the code promises. */
export function setErrorHeaders({ code, details }: AppError, set: ErrorContext['set']): void {
  set.headers['content-type'] = 'application/problem+json'
  set.status = statusOf[code]
  Object.assign(set.headers, details.headers)
  if (details.retryAfterSeconds) set.headers['retry-after'] = String(details.retryAfterSeconds)
  if (set.status === 401) set.headers['www-authenticate'] = 'Bearer'
}
