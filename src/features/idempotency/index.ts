import { daysBefore } from '../../lib/clock.ts'
import type { ServiceContext, TxContext } from '../../lib/context.ts'
import { AppError } from '../../lib/errors.ts'
import { replayedError } from './replayed-error.ts'
import {
  deleteEndedLocks,
  deleteLock,
  deleteResponses,
  deleteResponsesAbout,
  type IdempotencyScope,
  insertLock,
  insertResponse,
  isLocked,
  lockKeyRow,
  type StoredResponse,
  selectResponse,
  waitForKey,
} from './sql.ts'

export { ReplayedError, replayedError } from './replayed-error.ts'

/** The Idempotency-Key of a request: a repetition with the same key has no second effect. */
export interface IdempotencyKey {
  key: string
  /** SHA-256 of the request's body, in hex: a repetition must have the same body. */
  requestHash: string
}

/** A request under its Idempotency-Key. */
export interface IdempotentRequest {
  scope: IdempotencyScope
  idempotencyKey: IdempotencyKey
}

/** The response of a request. */
export type Response = Omit<StoredResponse, 'request_hash'>

type DatabaseContext = TxContext<ServiceContext>

/**
 * Locks an Idempotency-Key until the transaction ends. Returns the response of an earlier request
 * with the key. Throws `request_in_progress` while another transaction has the lock and no response is stored,
 * `idempotency_key_reused` for another body, and the error of an earlier request.
 */
export async function acquireIdempotencyKey(
  { sql }: DatabaseContext,
  { scope, idempotencyKey }: IdempotentRequest,
): Promise<StoredResponse | undefined> {
  const locked = await lockKeyRow(sql, scope, idempotencyKey.key)
  const earlier = await selectResponse(sql, scope, idempotencyKey.key)
  // A repetition locks the key too, while the first request has its response already.
  if (!locked && !earlier) throw inProgress()
  if (earlier && earlier.request_hash !== idempotencyKey.requestHash) throw idempotencyKeyReused()
  if (earlier && earlier.status >= 400) throw replayedError(earlier.response_body)
  return earlier
}

/**
 * Stores the response of a request in the transaction of its change: both are stored or neither.
 */
export async function storeResponse(
  { sql, now }: DatabaseContext,
  { scope, idempotencyKey, response }: IdempotentRequest & { response: Response },
): Promise<void> {
  const stored = { ...response, request_hash: idempotencyKey.requestHash, created_at: now() }
  if (!(await insertResponse(sql, scope, idempotencyKey.key, stored))) throw inProgress()
}

/**
 * Stores the error of a request whose change was rolled back, in a transaction of its own: the same
 * request gets it again, and another body cannot use the key. Throws as `acquireIdempotencyKey` does,
 * among others the error of an earlier request.
 */
export async function storeErrorResponse(
  ctx: DatabaseContext,
  {
    scope,
    idempotencyKey,
    response,
  }: IdempotentRequest & { response: { status: number; response_body: unknown } },
): Promise<void> {
  if (await acquireIdempotencyKey(ctx, { scope, idempotencyKey })) return
  if (await isLocked(ctx.sql, scope, idempotencyKey.key)) throw inProgress()
  await storeResponse(ctx, {
    scope,
    idempotencyKey,
    response: { location: null, etag: null, ...response },
  })
}

function inProgress(): AppError {
  return new AppError(
    'request_in_progress',
    'The first request with this Idempotency-Key is still running.',
    { retryAfterSeconds: 1 },
  )
}

/**
 * A lock of an Idempotency-Key that can outlast a transaction, for all processes of the database.
 */
export interface IdempotencyLock extends IdempotentRequest {
  /** A random value that distinguishes this lock from a later one. */
  owner: string
}

/**
 * Locks an Idempotency-Key for work that must not keep a transaction open, or returns the response
 * of an earlier request. The lock begins when the transaction commits. It ends with
 * `completeIdempotencyKey` or `releaseIdempotencyKey`, or after `seconds` when the process dies.
 * Throws as `acquireIdempotencyKey` does.
 */
export async function lockIdempotencyKey(
  ctx: DatabaseContext,
  { seconds, ...lock }: IdempotencyLock & { seconds: number },
): Promise<StoredResponse | undefined> {
  const earlier = await acquireIdempotencyKey(ctx, lock)
  if (earlier) return earlier
  const { scope, idempotencyKey, owner } = lock
  if (!(await insertLock(ctx.sql, scope, idempotencyKey.key, { owner, seconds })))
    throw inProgress()
  return undefined
}

/**
 * Ends a lock and stores the response, in the transaction of the change. Throws `request_in_progress`
 * when the lock expired and another request has locked the key: roll back then.
 */
export async function completeIdempotencyKey(
  ctx: DatabaseContext,
  { owner, ...request }: IdempotencyLock & { response: Response },
): Promise<void> {
  const { scope, idempotencyKey } = request
  // A repeated request reads the response and then the lock, so both must change at once.
  await waitForKey(ctx.sql, scope, idempotencyKey.key)
  if (!(await deleteLock(ctx.sql, scope, idempotencyKey.key, owner))) throw inProgress()
  await storeResponse(ctx, request)
}

/** Ends a lock without a response: the next request with the key runs again. */
export async function releaseIdempotencyKey(
  { sql }: DatabaseContext,
  { scope, idempotencyKey, owner }: IdempotencyLock,
): Promise<void> {
  await deleteLock(sql, scope, idempotencyKey.key, owner)
}

/** The error for a key that was sent again with another body. */
export function idempotencyKeyReused(): AppError {
  return new AppError(
    'idempotency_key_reused',
    'This Idempotency-Key was used with another body. Use a new key for a new request.',
  )
}

const retentionDays = 2

/** Purges the responses that are older than two days (the API promises one); returns how many. */
export async function purgeIdempotencyKeys({ sql, now }: ServiceContext): Promise<number> {
  return await deleteResponses(sql, daysBefore(now(), retentionDays))
}

/** Purges the stored responses of a key about resources that were withdrawn. */
export async function purgeResponsesAbout(
  { sql }: DatabaseContext,
  { keyId, resourceIds }: { keyId: string; resourceIds: readonly string[] },
): Promise<void> {
  await deleteResponsesAbout(sql, keyId, resourceIds)
}

/** Deletes the locks of requests that ended without releasing them, a day after their end. */
export async function purgeIdempotencyLocks({ sql, now }: ServiceContext): Promise<void> {
  await deleteEndedLocks(sql, daysBefore(now(), 1))
}
