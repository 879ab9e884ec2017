import type { Sql, Tx } from '../../lib/db.ts'
import { AppError } from '../../lib/errors.ts'
import {
  type ClaimScope,
  deleteAnswers,
  insertAnswer,
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
  if (!(await lockClaim(tx, scope, claim.key))) {
    throw new AppError(
      'request_in_progress',
      'The first request with this Idempotency-Key is still running.',
      { retryAfterSeconds: 1 },
    )
  }
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
