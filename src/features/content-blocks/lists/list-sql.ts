import type { PendingQuery, Row } from 'postgres'
import type { Sql, Tx } from '../../../lib/database/db.ts'
import { afterPosition, isByUpdate, orderOf } from '../../../lib/lists/list-order.ts'
import { activeKeys } from '../../api-keys/index.ts'
import { type ShownRow, shownColumns } from '../sql.ts'
import { blockCount } from './count-sql.ts'
import {
  asOneRow,
  type BlockFilter,
  hasNoValues,
  idsByValues,
  matching,
  otherConditions,
  rareIds,
  sortOf,
} from './filter-sql.ts'

/** Where a page begins and how many blocks it contains. */
export interface Slice {
  /** The position of the last block of the page before, as `listPositionOf` gives it. */
  position: string | null
  offset: number
  limit: number
  /** The number of all matches is needed. */
  isCounted: boolean
}

/** True when the list is the table in the order of its ids. */
export const isInOrderOfIds = (filter: BlockFilter): boolean =>
  hasNoValues(filter) && !isByUpdate(sortOf(filter))

/**
 * The first blocks of a team, each with the number of all its blocks, in one round trip. With keys, there
 * are rows only when all of them are active.
 */
export async function selectFirstBlocks(
  sql: Sql | Tx,
  teamId: string,
  { filter, limit, keyIds }: { filter: BlockFilter; limit: number; keyIds: readonly string[] },
): Promise<(ShownRow & { counted: number })[]> {
  const ofActiveKeys =
    keyIds.length === 0
      ? sql``
      : sql`and (select count(*) from (${activeKeys(sql, teamId, keyIds)}) active) = ${keyIds.length}`
  return await sql<(ShownRow & { counted: number })[]>`
    select ${shownColumns(sql)}, (${blockCount(sql, teamId)}) as counted
    from content_blocks b
    where b.team_id = ${teamId} ${asOneRow(sql, teamId)} ${ofActiveKeys}
    order by ${orderOf(sql, 'b', sortOf(filter))} limit (select ${limit}::integer)`
}

/**
 * A page of the matching blocks of a team. With a search it reads the list in order, so matches
 * should be frequent.
 */
export async function selectBlocks(
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  { position, offset, limit }: Slice,
): Promise<ShownRow[]> {
  const order = orderOf(sql, 'b', sortOf(filter))
  const isFirst = offset === 0 && position === null
  if (isFirst && filter.words === null && isInOrderOfIds(filter)) {
    return await sql<ShownRow[]>`
      select ${shownColumns(sql)} from content_blocks b
      where ${matching(sql, teamId, filter, position)} ${asOneRow(sql, teamId)}
      order by ${order} limit (select ${limit}::integer)`
  }
  // The ids alone come from an index, so that the rows before the offset are not read.
  const ids = isInOrderOfIds(filter)
    ? sql`select b.id from content_blocks b
        where ${matching(sql, teamId, filter, position)} ${asOneRow(sql, teamId)}
        order by ${order} limit ${limit} offset ${offset}`
    : sql`select id from ${idsByValues(sql, teamId, filter, { position, limit: offset + limit })}
        order by ${orderOf(sql, 'matches', sortOf(filter))} limit ${limit} offset ${offset}`
  return await selectPage(sql, teamId, filter, ids)
}

/** The blocks with these ids, in the order of the list. */
const selectPage = async (
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  ids: PendingQuery<Row[]>,
): Promise<ShownRow[]> =>
  await sql<ShownRow[]>`
    with page as materialized (${ids})
    select ${shownColumns(sql)}
    from page join content_blocks b on b.team_id = ${teamId} and b.id = page.id
    order by ${orderOf(sql, 'b', sortOf(filter))}`

/**
 * A page of the blocks that match a search among the next `near` blocks of the list, in the order of the ids; fewer
 * than `limit` when the others are further away.
 */
export async function selectNearBlocks(
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  { position, offset, limit, near }: Slice & { near: number },
): Promise<ShownRow[]> {
  const order = orderOf(sql, 'b', sortOf(filter))
  const matches = sql`
    from (
      select * from content_blocks b
      where b.team_id = ${teamId} ${asOneRow(sql, teamId)} ${otherConditions(sql, filter, position)}
      order by ${order} limit ${near}
    ) b
    where ${matching(sql, teamId, filter, null)}
    order by ${order} limit ${limit}`
  // The blocks before the offset are not read as they are shown.
  if (offset > 0)
    return await selectPage(sql, teamId, filter, sql`select b.id ${matches} offset ${offset}`)
  return await sql<ShownRow[]>`select ${shownColumns(sql)} ${matches}`
}

/** Whether a team has more than `near` blocks after a position of a list in the order of the ids. */
export async function selectIsLonger(
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  { position, near }: Pick<Slice, 'position'> & { near: number },
): Promise<boolean> {
  const rows = await sql`
    select b.id from content_blocks b
    where b.team_id = ${teamId} ${asOneRow(sql, teamId)} ${otherConditions(sql, filter, position)}
    order by ${orderOf(sql, 'b', sortOf(filter))} limit 1 offset ${near}`
  return rows.length > 0
}

/**
 * A page of the matches that are few or far away, as of rare words and of external ids: finds all of them first, by
 * their index. PostgreSQL does not know how rare a word is and would read the whole list for a word that
 * no block contains.
 */
export async function selectRareBlocks(
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  { position, offset, limit }: Slice,
): Promise<ShownRow[]> {
  const sort = sortOf(filter)
  const ids = sql`
    select f.id from (select * from (${rareIds(sql, teamId, filter)}) found offset 0) f
    where true ${afterPosition(sql, 'f', sort, position)}
    order by ${orderOf(sql, 'f', sort)} limit ${limit} offset ${offset}`
  return await selectPage(sql, teamId, filter, ids)
}

/** True when a list contains what a member works on, in the order of the ids. */
export const isAssignedInOrder = (filter: BlockFilter): boolean =>
  Boolean(filter.assignee) && !filter.externalId?.length && !isByUpdate(sortOf(filter))

/**
 * A page of the blocks that a member works on. The index of assignments has the order of the list, and
 * each block is looked up by itself, so that only those of the page are read. With `near`, only the next ones of the
 * member's blocks are looked through.
 */
export async function selectAssignedBlocks(
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  { position, offset, limit, near }: Slice & { near: number | null },
): Promise<ShownRow[]> {
  const sort = sortOf(filter)
  return await sql<ShownRow[]>`
    select ${shownColumns(sql)}
    from (
      select a.block_id as id from (select team_id, member_id, block_id, block_id as id from block_assignments) a
      where a.team_id = ${teamId} and a.member_id = ${filter.assignee ?? null}
        ${afterPosition(sql, 'a', sort, position)}
      order by ${orderOf(sql, 'a', sort)} limit ${near}
    ) a cross join lateral (
      select * from content_blocks where team_id = ${teamId} and id = a.id offset 0
    ) b
    where ${matching(sql, teamId, filter, null)}
    order by ${orderOf(sql, 'a', sort)} limit ${limit} offset ${offset}`
}
