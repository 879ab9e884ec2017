import type { Sql } from '../../../src/lib/database/db.ts'

/**
 * The number of rows and index entries of a table that statements of `sql` have read so far. It does
 * not depend on the machine. `sql` is a pool of one connection: PostgreSQL counts per connection.
 */
export async function rowsRead(sql: Sql, table: string): Promise<number> {
  await sql`select pg_stat_force_next_flush()`
  const [row] = await sql<{ read: number }[]>`
    select (select sum(idx_tup_read) from pg_stat_user_indexes where relname = ${table})::int
      + (select sum(seq_tup_read) from pg_stat_user_tables where relname = ${table})::int as read`
  return row?.read ?? 0
}
