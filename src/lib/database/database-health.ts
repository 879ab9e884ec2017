import type { Logger } from 'pino'
import { codeOf } from '../errors.ts'
import { endDatabaseSessions, type Sql, type Tx, transaction } from './db.ts'
import { databaseCauseOf } from './db-errors.ts'

/** What the database can do. On a read-only database, requests that only read still succeed. */
export type DatabaseState = 'ready' | 'database_read_only' | 'disk_full' | 'database_unavailable'

/** Checks what the database can do, for at most 2 s. */
export async function getDatabaseState(sql: Sql): Promise<DatabaseState> {
  try {
    return await transaction(sql, loadState, 2_000)
  } catch (error) {
    return codeOf(databaseCauseOf(error)) === diskFull ? 'disk_full' : 'database_unavailable'
  }
}

const diskFull = '53100'

async function loadState(tx: Tx): Promise<DatabaseState> {
  // The rows need more than this memory, so PostgreSQL writes about 1 MB to its disk to sort them.
  // That fails when the disk is full.
  await tx`set local work_mem = '64kB'`
  const [row] = await tx<{ read_only: boolean }[]>`
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only
    from (select repeat(n::text, 100) as text from generate_series(1, 2500) n order by 1) sorted
    offset 2499`
  return row?.read_only === true ? 'database_read_only' : 'ready'
}

/**
 * Checks the database every `intervalMs` and logs each change of its state. Sessions that began
 * while it was read-only stay read-only, so the sessions of the service are ended: at each check
 * while it is read-only, and once when it is writable again.
 */
export function watchDatabase(
  { sql, log }: { sql: Sql; log: Logger },
  intervalMs = 5_000,
): { stop(): void } {
  let last: DatabaseState = 'ready'
  const check = async () => {
    const state = await getDatabaseState(sql)
    if (state !== last) log.warn({ state, before: last }, 'the state of the database changed')
    const wasReadOnly = last === 'database_read_only'
    last = state
    if (state === 'database_read_only' || wasReadOnly) await endDatabaseSessions(sql)
  }
  // A database that becomes read-only says so only to those who ask.
  const timer = setInterval(check, intervalMs)
  return { stop: () => clearInterval(timer) }
}
