import postgres from 'postgres'
import { withJitter } from '../concurrency/jitter.ts'
import { measure, secondsSince } from '../measurements.ts'
import {
  databaseCauseOf,
  isConflict,
  isReadOnly,
  isRolledBack,
  isUnavailable,
  unavailable,
} from './db-errors.ts'

export type Sql = postgres.Sql
export type Tx = postgres.TransactionSql
/** A part of a statement, which is not executed by itself. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

/**
 * The address of PostgreSQL: a `postgres://` URL, such a URL and how its connections are encrypted, or its
 * parts (such as an embedded server's socket).
 */
export type DatabaseAddress =
  | string
  | { url: string; ssl: TlsOptions }
  | { host: string; port: number; database: string; username: string; password: string }

/** Options of `tls.connect`, for both drivers; false: connections are not encrypted. */
export type TlsOptions =
  | false
  | { rejectUnauthorized?: false; ca?: string; checkServerIdentity?: () => undefined }

export interface ConnectOptions {
  /** The name of this pool in `pg_stat_activity`. */
  name: string
  /** The maximum number of connections. */
  max?: number
  /** How long opening a connection may take; 5 s unless given. */
  connectTimeoutSeconds?: number
  /** Server settings for every session of the pool, such as `synchronous_commit`. */
  session?: Record<string, string | number | boolean>
  /**
   * Keeps connections open for locks that last as long as their session. Called when one is closed.
   */
  onClose?: () => void
}

const queryTimeoutMs = 8_000
/** How long a caller waits for a statement or a transaction. */
const deadlineMs = queryTimeoutMs + 2_000

/**
 * A pool of connections, which are opened on first use. The server ends statements after 8 s and
 * waiting for a lock after 5 s, so that other requests do not wait behind one that hangs.
 */
export function connect(address: DatabaseAddress, options: ConnectOptions): Sql {
  const settings = {
    max: options.max ?? 10,
    connect_timeout: options.connectTimeoutSeconds ?? 5,
    // The driver's own delays grow to 30 s, which is too long after a restart of the database.
    backoff: (attempts: number) => Math.min(0.05 * attempts, 0.5),
    onnotice: () => {},
    types: { date: { ...postgresDate, parse: dateOf } },
    ...(options.onClose && { onclose: options.onClose, max_lifetime: null }),
    connection: {
      application_name: options.name,
      statement_timeout: queryTimeoutMs,
      lock_timeout: 5_000,
      idle_in_transaction_session_timeout: 15_000,
      // Times before 1900 have seconds in the offset of most other zones, which `Date` cannot read.
      TimeZone: 'UTC',
      // Room for the positions of all matches of a search in a million blocks; with less, PostgreSQL reads whole pages again.
      work_mem: '16MB',
      ...options.session,
    },
  }
  if (typeof address === 'string') return postgres(address, settings)
  return 'url' in address
    ? postgres(address.url, { ...settings, ssl: address.ssl })
    : postgres({ ...address, ...settings })
}

/** The type `timestamptz` and those beside it, as the driver has them. */
const postgresDate = {
  to: 1184,
  from: [1082, 1114, 1184],
  serialize: (value: Date | string) => new Date(value).toISOString(),
}

/** A date or time of PostgreSQL. `Date` reads years before 100 as two digits of a later one unless the text is ISO 8601. */
const dateOf = (text: string): Date =>
  new Date(text.startsWith('00') ? text.replace(' ', 'T').replace(/\+00$/, 'Z') : text)

/**
 * Waits for one statement for at most `timeoutMs`, because the driver can leave a query pending
 * forever after an outage. Throws `database_unavailable` when it takes longer or the connection is
 * closed. Statements that belong together run in `transaction`.
 */
export async function withDeadline<T>(work: Promise<T>, timeoutMs = deadlineMs): Promise<T> {
  const startedAtMs = performance.now()
  const deadline = startDeadline(timeoutMs)
  try {
    return await Promise.race([work, deadline.passing])
  } catch (error) {
    throw isUnavailable(error) ? unavailable(error, isRolledBack(error)) : error
  } finally {
    deadline.stop()
    measure('databaseCall', { kind: 'statement', seconds: secondsSince(startedAtMs) })
  }
}

/**
 * Runs `work` in one transaction and returns its result. In a transaction that is already open,
 * `work` becomes part of it. Otherwise everything is committed when `work` succeeds, and rolled
 * back when it throws or when `timeoutMs` have passed: after the deadline no further statement and
 * no commit is sent. A deadlock is retried, so `work` must change nothing but the database. Throws
 * `database_unavailable`; its message says whether the change can have been stored.
 */
export async function transaction<T>(
  sql: Sql | Tx,
  work: (tx: Tx) => Promise<T>,
  timeoutMs = deadlineMs,
): Promise<T> {
  if (!isPool(sql)) return await work(sql)
  const startedAtMs = performance.now()
  const deadline = startDeadline(timeoutMs)
  try {
    return await retryConflicts(() => runOnce(sql, work, deadline))
  } finally {
    deadline.stop()
    measure('databaseCall', { kind: 'transaction', seconds: secondsSince(startedAtMs) })
  }
}

const isPool = (sql: Sql | Tx): sql is Sql => 'begin' in sql

/**
 * Runs `work`, whose error the caller expects. In an open transaction, what it changed before the error is
 * undone, and the transaction goes on.
 */
export async function undoOnError<T>(sql: Sql | Tx, work: () => Promise<T>): Promise<T> {
  if (isPool(sql)) return await work()
  return (await sql.savepoint(async () => ({ value: await work() }))).value
}

const maxAttempts = 4
const maxPauseMs = 50

async function retryConflicts<T>(run: () => Promise<T>, attempt = 1): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (attempt >= maxAttempts || !isConflict(databaseCauseOf(error))) throw error
    // The other transaction takes the lock meanwhile; without a pause, this one could take it again first.
    await Bun.sleep(withJitter(maxPauseMs * attempt, { from: 0, to: 1 }))
    return await retryConflicts(run, attempt + 1)
  }
}

async function runOnce<T>(sql: Sql, work: (tx: Tx) => Promise<T>, deadline: Deadline): Promise<T> {
  let isCommitSent = false
  const running = sql.begin(async (tx) => {
    deadline.requireTime()
    const value = await work(untilDeadline(tx, deadline))
    deadline.requireTime()
    isCommitSent = true
    return { value }
  })
  // The caller has already received an error.
  running.catch(() => {})
  try {
    return (await Promise.race([running, deadline.passing])).value
  } catch (error) {
    const cause = databaseCauseOf(error)
    if (isReadOnly(cause)) await endDatabaseSessions(sql)
    if (!isUnavailable(cause)) throw error
    throw unavailable(cause, !isCommitSent || isRolledBack(cause))
  }
}

/**
 * A transaction that accepts no statement after the deadline, because another request may use its
 * connection then.
 */
function untilDeadline(tx: Tx, deadline: Deadline): Tx {
  return new Proxy(tx, {
    apply(target, self, input) {
      deadline.requireTime()
      return Reflect.apply(target, self, input)
    },
    get(target, property) {
      deadline.requireTime()
      return Reflect.get(target, property)
    },
  })
}

interface Deadline {
  /** Rejects with `DeadlinePassedError` when the time is over. */
  passing: Promise<never>
  /** Throws `DeadlinePassedError` when the time is over. */
  requireTime(): void
  stop(): void
}

class DeadlinePassedError extends Error {
  readonly code = 'DEADLINE_PASSED'
}

function startDeadline(timeoutMs: number): Deadline {
  let isOver = false
  const { promise: passing, reject } = Promise.withResolvers<never>()
  passing.catch(() => {})
  const timer = setTimeout(() => {
    isOver = true
    reject(new DeadlinePassedError('The deadline passed.'))
  }, timeoutMs)
  return {
    passing,
    requireTime() {
      if (isOver) throw new DeadlinePassedError('The deadline passed.')
    },
    stop: () => clearTimeout(timer),
  }
}

/**
 * Ends the idle sessions of all pools of the service on this database, the present one last. A
 * session that began while the database was read-only can stay read-only; a new one does not.
 */
export async function endDatabaseSessions(sql: Sql): Promise<void> {
  const ended = sql`
    select pg_terminate_backend(pid) from (
      select pid from pg_stat_activity
      where datname = current_database() and usename = current_user
        and application_name like 'tidings%' and (state = 'idle' or pid = pg_backend_pid())
      order by pid = pg_backend_pid()
    ) session`
  // The present session ends before it gets the result.
  await withDeadline(ended, 2_000).catch(() => {})
}
