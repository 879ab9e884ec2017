import postgres from 'postgres'
import { AppError, codeOf } from '../errors.ts'

/**
 * The error for a failure after which the caller can try again. `isNothingStored`: it is certain
 * that no change was or will be committed.
 */
export function unavailable(cause: unknown, isNothingStored: boolean): AppError {
  const stored = isNothingStored
    ? 'Nothing was stored; try again shortly.'
    : 'A change may have been stored: look before you repeat it, or repeat it with its Idempotency-Key.'
  const problem = isReadOnly(cause)
    ? 'The database is read-only at the moment.'
    : 'The database does not answer at the moment.'
  return new AppError('database_unavailable', `${problem} ${stored}`, {
    retryAfterSeconds: 2,
    cause,
  })
}

// The SQLSTATE classes of temporary failures (PostgreSQL, Appendix A): connection exceptions,
// insufficient resources, operator intervention (shutdown, statement timeout), errors of the system
// such as a file that cannot be written, lock timeout, conflict with another transaction, and a
// read-only database.
const unavailableState = /^(08|53|57|58|55P03|40|25006|25P0)/
const driverStates = new Set([
  'DEADLINE_PASSED',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** True for the error that `unavailable` returns. */
export const isDatabaseUnavailable = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'database_unavailable'

/** The cause of a `database_unavailable`; any other error itself. */
export const databaseCauseOf = (error: unknown): unknown =>
  isDatabaseUnavailable(error) ? error.cause : error

/** True when the database is unreachable or overloaded; false when the statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  return error instanceof postgres.PostgresError
    ? unavailableState.test(code)
    : driverStates.has(code)
}

/**
 * True when the server itself reports the failure and has rolled back the statement or transaction.
 */
export const isRolledBack = (error: unknown) =>
  error instanceof postgres.PostgresError && !codeOf(error).startsWith('08')

/**
 * True when the transaction failed because of another one: serialization failure (40001) or
 * deadlock (40P01).
 */
export const isConflict = (error: unknown) => ['40001', '40P01'].includes(codeOf(error))

/**
 * True when the database accepts no writes, because it is a standby or its operator has set it so.
 */
export const isReadOnly = (error: unknown) => codeOf(error) === '25006'
