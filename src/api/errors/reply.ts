import { withKeyTransaction } from '../../features/api-keys/index.ts'
import {
  type IdempotentRequest,
  ReplayedError,
  storeErrorResponse,
} from '../../features/idempotency/index.ts'
import type { KeyContext, TxContext } from '../../lib/context.ts'
import { AppError, type ErrorCode, type FieldError } from '../../lib/errors.ts'
import {
  contextOf,
  problemOf,
  type RouteGroup,
  replyWithProblem,
  statusOf,
  toAppError,
} from '../../lib/http/index.ts'
import { type ApiRequest, findApiRequest, requireCheck } from '../authentication.ts'
import type { ApiDeps } from '../deps.ts'
import { contextOfCaller } from '../write.ts'

/**
 * The error reply of the API: a problem document with all errors of the body, which is stored under
 * the request's Idempotency-Key.
 */
export const replyToApiError =
  (deps: ApiDeps): RouteGroup['replyToError'] =>
  async (error, context) => {
    const known = findApiRequest(context.request)
    // An outage says nothing of the request, and a check would have to wait for its end.
    const isComplete = !known || error.code === 'database_unavailable'
    const replied = isComplete ? error : await completed(deps, context.request, known, error)
    contextOf(context.request).error = replied
    return replyWithProblem(replied, context)
  }

/** The error to reply with; that of the database when this fails. */
async function completed(
  deps: ApiDeps,
  request: Request,
  known: ApiRequest,
  error: AppError,
): Promise<AppError> {
  try {
    // Its errors come before those of the request.
    await requireCheck(known)
    const { caller, idempotent, findErrors } = known
    const whole = findErrors ? await withAllErrors(error, findErrors) : error
    if (!idempotent) return whole
    const failure = { request: idempotent, error: whole, requestId: contextOf(request).id }
    const [reply = whole] = await storeErrors(contextOfCaller(deps, caller), [failure])
    return reply
  } catch (failure) {
    return toAppError(failure)
  }
}

/** An error of the body with the errors that its schema cannot find. */
export async function withAllErrors(
  error: AppError,
  findErrors: () => Promise<FieldError[]>,
): Promise<AppError> {
  const { fields = [] } = error.details
  const isAboutBody = fields.some(({ pointer }) => pointer.startsWith('/'))
  if (error.code !== 'validation_failed' || !isAboutBody) return error
  const known = fields.map(({ pointer }) => pointer)
  const others = (await findErrors()).filter(({ pointer }) => !known.includes(pointer))
  if (others.length === 0) return error
  const message = [error.message, ...others.map((field) => field.message)].join('; ')
  return new AppError(error.code, message, { ...error.details, fields: [...fields, ...others] })
}

/** The error of a request with an Idempotency-Key. */
interface Failure {
  request: IdempotentRequest
  error: AppError
  requestId: string
}

/**
 * Stores errors under their Idempotency-Keys, each unless the same request may succeed later. Returns
 * the errors to reply with: where the key has one already, that one.
 */
export async function storeErrors(
  ctx: KeyContext,
  failures: readonly Failure[],
): Promise<AppError[]> {
  const stored = failures.filter(({ error }) => isStored(error))
  if (stored.length === 0) return failures.map(({ error }) => error)
  return await withKeyTransaction(ctx, async (txCtx) => {
    const replies: AppError[] = []
    for (const failure of failures) {
      replies.push(isStored(failure.error) ? await storeError(txCtx, failure) : failure.error)
    }
    return replies
  })
}

/** Stores one error and returns it, or the error that the key has already. */
async function storeError(
  ctx: TxContext<KeyContext>,
  { request, error, requestId }: Failure,
): Promise<AppError> {
  const response = { status: statusOf[error.code], response_body: problemOf(error, requestId) }
  try {
    await storeErrorResponse(ctx, { ...request, response })
    return error
  } catch (earlier) {
    if (earlier instanceof AppError) return earlier
    throw earlier
  }
}

/** Errors that say nothing of the request itself, or that were stored before. */
const passing: readonly ErrorCode[] = ['idempotency_key_reused', 'request_in_progress']

function isStored(error: AppError): boolean {
  const status = statusOf[error.code]
  const isFinal = status < 500 && status !== 401 && status !== 429
  return isFinal && !passing.includes(error.code) && !(error instanceof ReplayedError)
}
