import postgres from 'postgres'
import { AppError } from './errors.ts'

export type Sql = postgres.Sql
export type Tx = postgres.TransactionSql

/** Where PostgreSQL is: a `postgres://` address, or the parts of one (an embedded server's socket). */
export type DatabaseAddress =
  | string
  | { host: string; port: number; database: string; username: string; password: string }

export interface ConnectOptions {
  /** How this pool shows up in `pg_stat_activity`. */
  name: string
  /** Connections at most. */
  max?: number
  /** Server settings for every session of the pool, such as `synchronous_commit`. */
  session?: Record<string, string | number | boolean>
  /** Keeps connections for ever, for locks that live as long as their session, and tells when one is lost. */
  onClose?: () => void
}

const queryTimeoutMs = 8_000

/**
 * A pool of connections, opened when first used. Statements are ended by the server after 8 s, waits
 * for a lock after 5 s, so that nothing piles up behind one that hangs.
 */
export function connect(address: DatabaseAddress, options: ConnectOptions): Sql {
  const settings = {
    max: options.max ?? 10,
    connect_timeout: 5,
    // The driver's own steps grow to 30 s; after a restart of the database we want to be back at once.
    backoff: (attempts: number) => Math.min(0.05 * attempts, 0.5),
    onnotice: () => {},
    ...(options.onClose && { onclose: options.onClose, max_lifetime: null }),
    connection: {
      application_name: options.name,
      statement_timeout: queryTimeoutMs,
      lock_timeout: 5_000,
      idle_in_transaction_session_timeout: 15_000,
      ...options.session,
    },
  }
  return typeof address === 'string'
    ? postgres(address, settings)
    : postgres({ ...address, ...settings })
}

/**
 * Waits for database work, but not for ever: the driver can leave a query pending after an outage.
 * Throws `database_unavailable` when it takes longer than `timeoutMs` or the connection is lost.
 */
export async function withDeadline<T>(
  work: Promise<T>,
  timeoutMs = queryTimeoutMs + 2_000,
): Promise<T> {
  let timer: Timer | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable('the deadline passed')), timeoutMs)
  })
  try {
    return await Promise.race([work, deadline])
  } catch (error) {
    throw isUnavailable(error) ? unavailable(error) : error
  } finally {
    clearTimeout(timer)
  }
}

function unavailable(cause: unknown): AppError {
  return new AppError(
    'database_unavailable',
    'The database does not answer at the moment. Nothing was stored; try again shortly.',
    { retryAfterSeconds: 2, cause },
  )
}

// SQLSTATE classes that mean "not now" (PostgreSQL, Appendix A): connection exceptions, resources,
// operator intervention (shutdown, statement timeout), and a lock that did not come in time.
const unavailableState = /^(08|53|57|55P03|40)/
const driverStates = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
])

/** True when an error says that the database is away or overloaded, not that the statement is wrong. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  const code = String(error.code)
  return error instanceof postgres.PostgresError
    ? unavailableState.test(code)
    : driverStates.has(code)
}
