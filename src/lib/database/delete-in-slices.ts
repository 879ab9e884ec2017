import { type Fragment, type Sql, type Tx, withDeadline } from './db.ts'

/** A statement that deletes so many rows takes far less time than a statement may take. */
export const rowsPerSlice = 10_000

/**
 * Deletes the rows of a table that meet a condition, slice by slice, each in a transaction of its own: there can be more than
 * one statement deletes in time. Returns how many they were. The condition can name the table, which has no alias.
 */
export async function deleteInSlices(
  sql: Sql | Tx,
  table: string,
  condition: Fragment,
  rows = rowsPerSlice,
): Promise<number> {
  let deleted = 0
  for (;;) {
    // The condition is checked again, because a row can change meanwhile, and its `ctid` can be that of a row in another shard.
    const { count } = await withDeadline(sql`
      delete from ${sql(table)}
      where ctid = any(array(select ctid from ${sql(table)} where ${condition} limit ${rows})) and ${condition}`)
    if (count === 0) return deleted
    deleted += count
  }
}
