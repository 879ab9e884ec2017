import type { Sql, Tx } from '../../lib/db.ts'
import { AppError } from '../../lib/errors.ts'
import {
  awaitClaim,
  type ClaimScope,
  deleteAnswers,
  deleteAnswersAbout,
  deleteHold,
  insertAnswer,
  insertHold,
  lockClaim,
  type RememberedAnswer,
  selectAnswer,
} from './sql.ts'

/** A request that may be repeated without harm. */
export interface IdempotencyClaim {
  key: string
  /** SHA-256 of the request's body, in hex: the same key must come with the same body. */
  requestHash: string
}

/**
 * Takes a claim for the rest of the transaction, or gives what it was answered with before. Throws
 * `request_in_progress` while another transaction holds it, `idempotency_key_reused` for another body.
 */
export async function takeClaim(
  tx: Tx,
  scope: ClaimScope,
  claim: IdempotencyClaim,
): Promise<RememberedAnswer | undefined> {
  if (!(await lockClaim(tx, scope, claim.key))) throw inProgress()
  const earlier = await selectAnswer(tx, scope, claim.key)
  if (earlier && earlier.request_hash !== claim.requestHash) throw idempotencyKeyReused()
  return earlier
}

/** Remembers an answer; commits with the transaction it belongs to, so neither is there alone. */
export async function rememberAnswer(
  tx: Tx,
  scope: ClaimScope,
  claim: IdempotencyClaim,
  answer: Omit<RememberedAnswer, 'request_hash'>,
  at: Date,
): Promise<void> {
  await insertAnswer(tx, scope, claim.key, { ...answer, request_hash: claim.requestHash }, at)
}

function inProgress(): AppError {
  return new AppError(
    'request_in_progress',
    'The first request with this Idempotency-Key is still running.',
    { retryAfterSeconds: 1 },
  )
}

/** A claim held by work that outlives a transaction, on every process of this database. */
export interface HeldClaim {
  scope: ClaimScope
  claim: IdempotencyClaim
  /** Unguessed by others: tells this holder from one that came after it. */
  holder: string
}

/**
 * Takes a claim for as long as work may take that must not keep a transaction open, or gives what it
 * was answered with before. The hold begins when the transaction commits and ends with `settleClaim`
 * or `releaseClaim`, or after `seconds`, should the process die. Throws as `takeClaim` does.
 */
export async function holdClaim(
  tx: Tx,
  held: HeldClaim,
  seconds: number,
): Promise<RememberedAnswer | undefined> {
  const earlier = await takeClaim(tx, held.scope, held.claim)
  if (earlier) return earlier
  if (!(await insertHold(tx, held.scope, held.claim.key, held.holder, seconds))) throw inProgress()
  return undefined
}

/**
 * Ends a hold with an answer to remember, in the transaction of the effect. Throws
 * `request_in_progress` when the hold ran out and another request took the claim: roll back then.
 */
export async function settleClaim(
  tx: Tx,
  { scope, claim, holder }: HeldClaim,
  answer: Omit<RememberedAnswer, 'request_hash'>,
  at: Date,
): Promise<void> {
  // A repeat looks for the answer, then for the hold: it must not look between the two.
  await awaitClaim(tx, scope, claim.key)
  if (!(await deleteHold(tx, scope, claim.key, holder))) throw inProgress()
  await rememberAnswer(tx, scope, claim, answer, at)
}

/** Ends a hold without an answer: the next request with the key starts afresh. */
export async function releaseClaim(tx: Tx, { scope, claim, holder }: HeldClaim): Promise<void> {
  await deleteHold(tx, scope, claim.key, holder)
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
export async function forgetOldAnswers(sql: Sql, now: Date): Promise<number> {
  return await deleteAnswers(sql, new Date(now.getTime() - keptForMs))
}

/** Forgets what a key was answered about things that were taken back: nothing of them may stay. */
export async function forgetAnswersAbout(
  tx: Tx,
  keyId: string,
  resourceIds: readonly string[],
): Promise<void> {
  await deleteAnswersAbout(tx, keyId, resourceIds)
}
