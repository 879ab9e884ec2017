import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { AppError } from '../../lib/errors.ts'
import {
  deleteEndedLocks,
  deleteLock,
  deleteResponses,
  deleteResponsesAbout,
  type IdempotencyScope,
  insertLock,
  insertResponse,
  lockKeyRow,
  type StoredResponse,
  selectResponse,
  waitForKey,
} from './sql.ts'

/** A request that may be repeated without harm. */
export interface IdempotencyKey {
  key: string
  /** SHA-256 of the request's body, in hex: the same key must come with the same body. */
  requestHash: string
}

/**
 * Takes a claim for the rest of the transaction, or gives what it was answered with before. Throws
 * `request_in_progress` while another transaction holds it, `idempotency_key_reused` for another body.
 */
export async function acquireIdempotencyKey(
  tx: Tx,
  scope: IdempotencyScope,
  claim: IdempotencyKey,
): Promise<StoredResponse | undefined> {
  if (!(await lockKeyRow(tx, scope, claim.key))) throw inProgress()
  const earlier = await selectResponse(tx, scope, claim.key)
  if (earlier && earlier.request_hash !== claim.requestHash) throw idempotencyKeyReused()
  return earlier
}

/** Remembers an answer; commits with the transaction it belongs to, so neither is there alone. */
export async function storeResponse(
  tx: Tx,
  scope: IdempotencyScope,
  claim: IdempotencyKey,
  answer: Omit<StoredResponse, 'request_hash'>,
  at: Date,
): Promise<void> {
  await insertResponse(tx, scope, claim.key, { ...answer, request_hash: claim.requestHash }, at)
}

function inProgress(): AppError {
  return new AppError(
    'request_in_progress',
    'The first request with this Idempotency-Key is still running.',
    { retryAfterSeconds: 1 },
  )
}

/** A claim held by work that outlives a transaction, on every process of this database. */
export interface LockedIdempotencyKey {
  scope: IdempotencyScope
  claim: IdempotencyKey
  /** Unguessed by others: tells this holder from one that came after it. */
  holder: string
}

/**
 * Takes a claim for as long as work may take that must not keep a transaction open, or gives what it
 * was answered with before. The hold begins when the transaction commits and ends with `settleClaim`
 * or `releaseClaim`, or after `seconds`, should the process die. Throws as `takeClaim` does.
 */
export async function lockIdempotencyKey(
  tx: Tx,
  held: LockedIdempotencyKey,
  seconds: number,
): Promise<StoredResponse | undefined> {
  const earlier = await acquireIdempotencyKey(tx, held.scope, held.claim)
  if (earlier) return earlier
  if (!(await insertLock(tx, held.scope, held.claim.key, held.holder, seconds))) throw inProgress()
  return undefined
}

/**
 * Ends a hold with an answer to remember, in the transaction of the effect. Throws
 * `request_in_progress` when the hold ran out and another request took the claim: roll back then.
 */
export async function completeIdempotencyKey(
  tx: Tx,
  { scope, claim, holder }: LockedIdempotencyKey,
  answer: Omit<StoredResponse, 'request_hash'>,
  at: Date,
): Promise<void> {
  // A repeat looks for the answer, then for the hold: it must not look between the two.
  await waitForKey(tx, scope, claim.key)
  if (!(await deleteLock(tx, scope, claim.key, holder))) throw inProgress()
  await storeResponse(tx, scope, claim, answer, at)
}

/** Ends a hold without an answer: the next request with the key starts afresh. */
export async function releaseIdempotencyKey(
  tx: Tx,
  { scope, claim, holder }: LockedIdempotencyKey,
): Promise<void> {
  await deleteLock(tx, scope, claim.key, holder)
}

/** The 422 for a key that came back with another body. */
export function idempotencyKeyReused(): AppError {
  return new AppError(
    'idempotency_key_reused',
    'This Idempotency-Key was used with another body. Use a new key for a new request.',
  )
}

const keptForMs = 48 * 60 * 60 * 1000

/** Forgets answers older than two days (they are promised for one); gives how many. */
export async function purgeIdempotencyKeys(sql: Sql, now: Date): Promise<number> {
  return await deleteResponses(sql, new Date(now.getTime() - keptForMs))
}

/** Forgets what a key was answered about things that were taken back: nothing of them may stay. */
export async function purgeResponsesAbout(
  tx: Tx,
  keyId: string,
  resourceIds: readonly string[],
): Promise<void> {
  await deleteResponsesAbout(tx, keyId, resourceIds)
}

/** Deletes the locks of requests that ended without releasing them, a day after their end. */
export async function purgeIdempotencyLocks(sql: Sql, now: () => Date): Promise<void> {
  await withDeadline(deleteEndedLocks(sql, new Date(now().getTime() - 24 * 3_600_000)))
}
