import type { Now } from '../../lib/clock.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/database/db.ts'
import { type OpenSession, selectSessions } from './sql.ts'

/** The open sessions of an account, the last used first; at most 50. */
export async function listSessions(
  { sql, now }: { sql: Sql | Tx; now: Now },
  accountId: string,
): Promise<OpenSession[]> {
  return await withDeadline(selectSessions(sql, accountId, now(), 50))
}
