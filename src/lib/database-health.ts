import type { Logger } from 'pino'
import { endSessions, type Sql, withDeadline } from './db.ts'

/** What the database can do; on a read-only one, requests that only read still work. */
export type DatabaseState = 'ready' | 'database_read_only' | 'database_unavailable'

/** Asks the database what it can do, and waits 2 s at most. */
export async function checkDatabase(sql: Sql): Promise<DatabaseState> {
  try {
    const [row] = await withDeadline(
      sql<{ read_only: boolean }[]>`
        select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only`,
      2_000,
    )
    return row?.read_only === true ? 'database_read_only' : 'ready'
  } catch {
    return 'database_unavailable'
  }
}

/**
 * Checks the database every `intervalMs` and logs each change of its state. While it is read-only, and
 * once when it is writable again, the sessions of the service end: they would stay read-only.
 */
export function watchDatabase(
  { sql, log }: { sql: Sql; log: Logger },
  intervalMs = 5_000,
): { stop(): void } {
  let last: DatabaseState = 'ready'
  const check = async () => {
    const state = await checkDatabase(sql)
    if (state !== last) log.warn({ state, before: last }, 'the state of the database changed')
    const wasReadOnly = last === 'database_read_only'
    last = state
    if (state === 'database_read_only' || wasReadOnly) await endSessions(sql)
  }
  const timer = setInterval(check, intervalMs)
  return { stop: () => clearInterval(timer) }
}
