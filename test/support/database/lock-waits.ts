import type { Sql, Tx } from '../../../src/lib/database/db.ts'

/** How many statements on this database wait for a lock. */
export async function countLockWaits(sql: Sql | Tx): Promise<number> {
  const { count } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return count
}
