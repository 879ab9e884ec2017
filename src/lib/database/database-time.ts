import { type Sql, withDeadline } from './db.ts'

/** The present time by the clock of the database, which all processes share. */
export async function databaseTime(sql: Sql): Promise<Date> {
  const [row] = await withDeadline(sql<{ at: Date }[]>`select clock_timestamp() as at`)
  if (!row) throw new Error('the database has returned no time')
  return row.at
}
