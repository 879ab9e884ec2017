import * as v from 'valibot'
import { AppError } from '../lib/errors.ts'
import { errorFacts, errorTitle } from './error-codes.ts'

/** Every answer that is not a success, RFC 9457; some codes add members of their own. */
export const Problem = v.looseObject({
  type: v.pipe(v.string(), v.description('Where the code is explained.')),
  title: v.string(),
  status: v.pipe(v.number(), v.integer()),
  code: v.pipe(v.string(), v.description('What programs decide by; new codes may come.')),
  detail: v.pipe(v.string(), v.description('What people read.')),
  error: v.pipe(v.string(), v.description('The same as `detail`.')),
  errors: v.pipe(v.array(v.string()), v.description('One sentence per fault.')),
  fields: v.optional(
    v.array(
      v.strictObject({
        pointer: v.pipe(
          v.string(),
          v.description('A JSON Pointer into the body, `?name` of a parameter, or a header.'),
        ),
        code: v.string(),
        message: v.string(),
      }),
    ),
  ),
  request_id: v.pipe(v.string(), v.description('The same as `X-Request-Id`; the log has it.')),
})
export type Problem = v.InferOutput<typeof Problem>

/**
 * The answer's body: a problem document (RFC 9457) with `error` and `errors` for simple clients.
 */
export function problemOf({ code, message, details }: AppError, requestId: string): Problem {
  const fields = details.fields ?? []
  return {
    type: `/docs/errors#${code}`,
    title: errorTitle(code),
    status: errorFacts[code].status,
    code,
    detail: message,
    error: message,
    errors: fields.length > 0 ? fields.map((field) => field.message) : [message],
    ...(fields.length > 0 && { fields }),
    ...details.extra,
    request_id: requestId,
  }
}

/** The answer to a failure, with the headers that its code promises. */
export function problemResponse(error: AppError, requestId: string): Response {
  const { details } = error
  const problem = problemOf(error, requestId)
  const headers = new Headers({ 'content-type': 'application/problem+json', ...details.headers })
  if (details.retryAfterSeconds) headers.set('retry-after', String(details.retryAfterSeconds))
  if (problem.status === 401) headers.set('www-authenticate', 'Bearer')
  return new Response(JSON.stringify(problem), { status: problem.status, headers })
}

/** Any failure as an `AppError`; what nobody foresaw is an `internal_error` with its cause inside. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError('internal_error', 'Something went wrong on our side. Try again later.', {
    cause: error,
  })
}
