import type { PendingQuery, Row } from 'postgres'
import type { Sql, Tx } from '../../../lib/database/db.ts'
import { type LibraryState, libraryState } from './count-sql.ts'
import { asOneRow, type BlockFilter, idsByValues, matching, rareIds } from './filter-sql.ts'
import { isInOrderOfIds } from './list-sql.ts'

/** How many blocks of a team match a filter without words, counted up to `limit`. */
export async function countBlocks(
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  limit: number,
): Promise<number> {
  const { updatedFrom, updatedBefore, ...others } = filter
  // The order does not matter, and the index of changes is only needed for a range of their times.
  const counted: BlockFilter = {
    ...(updatedFrom || updatedBefore ? filter : others),
    sort: updatedFrom || updatedBefore ? 'updated_at' : '-created_at',
  }
  const matches = isInOrderOfIds(counted)
    ? sql`select 1 from content_blocks b where ${matching(sql, teamId, counted, null)} limit ${limit}`
    : matchesByValues(sql, teamId, counted, limit)
  return await countRows(sql, matches)
}

const matchesByValues = (sql: Sql | Tx, teamId: string, filter: BlockFilter, limit: number) =>
  sql`select 1 from ${idsByValues(sql, teamId, filter, { position: null, limit })} limit ${limit}`

/** How many blocks of a team match a filter of statuses, types and sources, counted up to `limit`, in which state. */
export async function selectCountWithState(
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  limit: number,
): Promise<{ counted: number; state: LibraryState }> {
  const byId: BlockFilter = { ...filter, sort: '-created_at' }
  const [{ counted, ...state }] = await sql<[{ counted: number } & LibraryState]>`
    select count(*)::integer as counted, ${libraryState(sql, teamId)}
    from (${matchesByValues(sql, teamId, byId, limit)}) matches`
  return { counted, state }
}

/** How many blocks the index of words or of external ids finds, counted up to `limit`. */
export async function countRareBlocks(
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  limit: number,
): Promise<number> {
  return await countRows(sql, rareIds(sql, teamId, filter, limit))
}

/** How many of the `newest` blocks of a team match a filter, counted up to `limit`. */
export async function countAmongNewest(
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  { limit, newest }: { limit: number; newest: number },
): Promise<number> {
  return await countRows(
    sql,
    sql`select 1 from (
      select * from content_blocks b
      where b.team_id = ${teamId} ${asOneRow(sql, teamId)} order by b.id desc limit ${newest}
    ) b where ${matching(sql, teamId, filter, null)} limit ${limit}`,
  )
}

async function countRows(sql: Sql | Tx, matches: PendingQuery<Row[]>): Promise<number> {
  const [row] = await sql<{ counted: number }[]>`
    select count(*)::integer as counted from (${matches}) matches`
  return row?.counted ?? 0
}
