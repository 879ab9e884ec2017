import { type Period, utcDay } from '../../../lib/clock.ts'
import type { Sql, Tx } from '../../../lib/database/db.ts'

/** A query for how many blocks a team has. */
export const blockCount = (sql: Sql | Tx, teamId: string) => sql`
  select coalesce(sum(blocks), 0)::integer as counted from content_block_counts
  where team_id = ${teamId}`

/** How many blocks a team has. */
export async function selectBlockCount(sql: Sql | Tx, teamId: string): Promise<number> {
  const [row] = await sql<{ counted: number }[]>`${blockCount(sql, teamId)}`
  return row?.counted ?? 0
}

/** Changes when a list by status, type and source can have changed. */
export interface LibraryState {
  blocks: number
  /** How many times a block has changed its status, type or source or was deleted. */
  changes: number
}

/** The columns of the state of a team's library. */
export const libraryState = (sql: Sql | Tx, teamId: string) => sql`
  (${blockCount(sql, teamId)}) as blocks,
  (select coalesce(sum(changes), 0)::double precision from content_block_changes where team_id = ${teamId}) as changes`

/** The state of a team's library. */
export async function selectLibraryState(sql: Sql | Tx, teamId: string): Promise<LibraryState> {
  const [row] = await sql<[LibraryState]>`select ${libraryState(sql, teamId)}`
  return row
}

/** True when a team has a draft. */
export async function selectHasDraft(sql: Sql | Tx, teamId: string): Promise<boolean> {
  const rows = await sql`
    select id from content_blocks where team_id = ${teamId} and status = 'draft' limit 1`
  return rows.length > 0
}

/** What waits in a team: its drafts, counted up to a limit, and its newest block. */
export interface ReviewCounts {
  drafts: number
  newest: string | null
}

/** What waits in each of these teams; the drafts are counted up to `limit`. */
export async function selectReviewCounts(
  sql: Sql | Tx,
  teamIds: readonly string[],
  limit: number,
): Promise<(ReviewCounts & { team_id: string })[]> {
  // In the order of an index, so that the planner does not read all blocks of a team to find drafts.
  return await sql<(ReviewCounts & { team_id: string })[]>`
    select t.id as team_id,
      (select count(*)::integer from (
        select from content_blocks b where b.team_id = t.id and b.status = 'draft'
        order by b.block_type, b.source, b.id limit ${limit}
      ) drafts) as drafts,
      (select b.id from content_blocks b where b.team_id = t.id order by b.id desc limit 1) as newest
    from unnest(${[...teamIds]}::text[]) as t (id)`
}

/** A query for how many blocks of a team were created in a period of whole months (UTC) and still exist. */
export const blocksCreated = (sql: Sql | Tx, teamId: string, { start, end }: Period) => sql`
  select coalesce(sum(blocks), 0)::integer from content_block_counts
  where team_id = ${teamId} and month >= ${utcDay(start)} and month < ${utcDay(end)}`

/** How many of the newest blocks of a team, `limit` at most and none before an id, keys have created, and how many those are. */
export async function selectShareOfKeys(
  sql: Sql | Tx,
  teamId: string,
  { keyIds, fromId, limit }: { keyIds: readonly string[]; fromId: string; limit: number },
): Promise<{ created: number; newest: number } | undefined> {
  const [row] = await sql<{ created: number; newest: number }[]>`
    select count(*) filter (where api_key_id = any(${[...keyIds]}))::integer as created, count(*)::integer as newest
    from (
      select api_key_id from content_blocks
      where team_id = ${teamId} and id >= ${fromId} order by id desc limit ${limit}
    ) newest`
  return row
}
