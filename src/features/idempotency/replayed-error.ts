import * as v from 'valibot'
import { Problem } from '../../contract/problem.ts'
import { AppError, type ErrorCode } from '../../lib/errors.ts'

/** The error that an earlier request with the same Idempotency-Key had. */
export class ReplayedError extends AppError {
  override readonly name = 'ReplayedError'
}

/** The error of a stored problem document; its response is the first one, with the request id of that. */
export function replayedError(stored: unknown): ReplayedError {
  const { type: _, title: __, status: ___, ...problem } = v.parse(Problem, stored)
  const { code, detail, error: ____, errors: _____, fields, ...extra } = problem
  return new ReplayedError(errorCodeOf(code), detail, {
    ...(fields && { fields }),
    extra,
    headers: { 'idempotent-replayed': 'true' },
  })
}

/** Sound because only responses with one of our codes are stored. */
const errorCodeOf = (code: string) => code as ErrorCode
