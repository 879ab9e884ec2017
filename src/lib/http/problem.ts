import * as v from 'valibot'
import type { AppError, ErrorCode } from '../errors.ts'
import { contextOf } from './context.ts'
import { statusOf } from './status.ts'
import type { ErrorContext } from './surface.ts'

/** A problem document (RFC 9457): every API response that is not a success. Some codes add members. */
export const Problem = v.looseObject({
  type: v.pipe(v.string(), v.description('The page that explains the code.')),
  title: v.pipe(v.string(), v.description('The code as a heading.')),
  status: v.pipe(v.number(), v.integer(), v.description('The HTTP status of the response.')),
  code: v.pipe(v.string(), v.description('What programs decide by. New codes can be added.')),
  detail: v.pipe(v.string(), v.description('What happened, for people.')),
  error: v.pipe(v.string(), v.description('The same as `detail`, for simple clients.')),
  errors: v.pipe(v.array(v.string()), v.description('One sentence for each error.')),
  fields: v.pipe(
    v.optional(
      v.array(
        v.strictObject({
          pointer: v.pipe(
            v.string(),
            v.description('A JSON Pointer into the body, `?name` of a parameter, or a header.'),
          ),
          code: v.pipe(v.string(), v.description('What is wrong, for programs.')),
          message: v.pipe(v.string(), v.description('What is wrong, for people.')),
        }),
      ),
    ),
    v.description('The parts of the input that are wrong, all at once.'),
  ),
  request_id: v.pipe(
    v.string(),
    v.description('The same as `X-Request-Id`. The log of the service contains it.'),
  ),
})
export type Problem = v.InferOutput<typeof Problem>

/** An error code as a heading: `invalid_json` is "Invalid JSON". */
export function errorTitle(code: ErrorCode): string {
  const words = code.replaceAll('_', ' ').replace('json', 'JSON')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The body of an error response, with `error` and `errors` for clients that only print text. */
export function problemOf({ code, message, details }: AppError, requestId: string): Problem {
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
    ...details.extra,
    request_id: requestId,
  }
}

/** The error reply of a surface for programs: a problem document, with the headers of its code. */
export function replyWithProblem(error: AppError, { request, set }: ErrorContext): Problem {
  setErrorHeaders(error, set)
  set.headers['content-type'] = 'application/problem+json'
  return problemOf(error, contextOf(request).id)
}

/** Sets the status of the error's code and the headers that the code promises. */
function setErrorHeaders({ code, details }: AppError, set: ErrorContext['set']): void {
  set.status = statusOf[code]
  Object.assign(set.headers, details.headers)
  if (details.retryAfterSeconds) set.headers['retry-after'] = String(details.retryAfterSeconds)
  if (set.status === 401) set.headers['www-authenticate'] = 'Bearer'
}
