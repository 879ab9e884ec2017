import { type Period, utcDay } from '../../lib/clock.ts'
import type { Sql, Tx } from '../../lib/database/db.ts'

/** A query for how many blocks a team has. */
export const blockCount = (sql: Sql | Tx, teamId: string) => sql`
  select coalesce(sum(blocks), 0)::integer as counted from content_block_counts
  where team_id = ${teamId}`

/** How many blocks a team has. */
export async function selectBlockCount(sql: Sql | Tx, teamId: string): Promise<number> {
  const [row] = await sql<{ counted: number }[]>`${blockCount(sql, teamId)}`
  return row?.counted ?? 0
}

/** A query for how many blocks of a team were created in a period of whole months (UTC) and still exist. */
export const blocksCreated = (sql: Sql | Tx, teamId: string, { start, end }: Period) => sql`
  select coalesce(sum(blocks), 0)::integer from content_block_counts
  where team_id = ${teamId} and month >= ${utcDay(start)} and month < ${utcDay(end)}`

/** How many blocks with this id or a later one a key has created. */
export async function countBlockIdsOfKey(
  sql: Sql | Tx,
  teamId: string,
  keyId: string,
  fromId: string,
): Promise<number> {
  const [row] = await sql<{ counted: number }[]>`
    select count(*)::integer as counted from content_blocks
    where team_id = ${teamId} and id >= ${fromId} and api_key_id = ${keyId}`
  return row?.counted ?? 0
}
