import {
  type BlockSource,
  type BlockStatus,
  type BlockType,
  blockSources,
  blockStatuses,
  blockTypes,
} from '../../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../../lib/database/db.ts'
import {
  afterPosition,
  isByUpdate,
  type ListSort,
  orderOf,
  sortDirectionOf,
} from '../../../lib/lists/list-order.ts'
import { countLimit } from '../../../lib/lists/pagination.ts'

/** Which blocks a list contains, and in which order. */
export interface BlockFilter {
  status: readonly BlockStatus[]
  blockType: readonly BlockType[]
  source: readonly BlockSource[]
  eventSlug: readonly string[]
  /** The ids of items in the tools that they come from. */
  externalId?: readonly string[]
  words: string | null
  /** The last word may be the beginning of one in newer blocks, because a person is typing it. */
  isTyped?: boolean
  /** The member who works on the block; null for any. */
  assignee?: string | null
  /** The ids of blocks that the list leaves out. */
  excludedIds?: readonly string[]
  /** Ids at or after this one. */
  fromId: string | null
  /** Ids before this one. */
  beforeId: string | null
  /** Changed at this time or later; only with a sort by `updated_at`. */
  updatedFrom?: Date | null
  /** Changed before this time; only with a sort by `updated_at`. */
  updatedBefore?: Date | null
  /** Without it, newest first. */
  sort?: ListSort
}

/** The order of a list. */
export const sortOf = ({ sort = '-created_at' }: BlockFilter): ListSort => sort

/** True when a filter names no value of a column that a list is indexed by. */
export const hasNoValues = ({ status, blockType, source, eventSlug }: BlockFilter): boolean =>
  status.length + blockType.length + source.length + eventSlug.length === 0

/** True when a filter names statuses, types or sources, and nothing else. */
export const isByValuesAlone = (filter: BlockFilter): boolean =>
  !hasNoValues(filter) && isUnfiltered({ ...filter, status: [], blockType: [], source: [] })

/** True when a filter is all blocks of the team. */
export const isUnfiltered = ({ sort: _, isTyped: _typed, ...conditions }: BlockFilter): boolean =>
  Object.values(conditions).every(
    (value) => value === null || (Array.isArray(value) && value.length === 0),
  )

const among = (sql: Sql | Tx, column: string, values: readonly string[]) =>
  values.length === 0 ? sql`` : sql`and ${sql(column)} = any(${[...values]})`

const having = (sql: Sql | Tx, filter: BlockFilter) => sql`
  ${among(sql, 'b.status', filter.status)} ${among(sql, 'b.block_type', filter.blockType)}
  ${among(sql, 'b.source', filter.source)}`

/** The conditions on the ids and times of a block `b`, which a list is read by. */
export const otherConditions = (sql: Sql | Tx, filter: BlockFilter, position: string | null) => {
  const { fromId, beforeId, updatedFrom = null, updatedBefore = null, excludedIds = [] } = filter
  return sql`
    ${excludedIds.length === 0 ? sql`` : sql`and b.id <> all(${[...excludedIds]}::text[])`}
    ${fromId === null ? sql`` : sql`and b.id >= ${fromId}`}
    ${beforeId === null ? sql`` : sql`and b.id < ${beforeId}`}
    ${updatedFrom === null ? sql`` : sql`and b.updated_at >= ${updatedFrom}`}
    ${updatedBefore === null ? sql`` : sql`and b.updated_at < ${updatedBefore}`}
    ${afterPosition(sql, 'b', sortOf(filter), position)}`
}

/**
 * Repeats the condition on the team. PostgreSQL multiplies the estimates and expects one row, so it
 * reads the index in its order. With old statistics and one condition, it would read and sort all
 * rows.
 */
export const asOneRow = (sql: Sql | Tx, teamId: string) =>
  sql`and b.team_id >= ${teamId} and b.team_id <= ${teamId}`

const havingWords = (sql: Sql | Tx, teamId: string, { words, isTyped = false }: BlockFilter) => {
  if (words === null) return sql``
  const query = isTyped ? sql`typed_query(${words})` : sql`search_query(${words})`
  return sql`and numnode(${query}) > 0
    and b.search @@ (${query} && quote_literal(${teamId}::text)::tsquery)`
}

/** The conditions of a filter on a block `b`, whatever index finds it. */
export const matching = (
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  position: string | null,
) => sql`
  b.team_id = ${teamId} ${otherConditions(sql, filter, position)} ${having(sql, filter)}
  ${among(sql, 'b.event_slug', filter.eventSlug)} ${havingWords(sql, teamId, filter)}`

const valuesOr = <Value extends string>(
  values: readonly Value[],
  all: readonly Value[],
): string[] => (values.length === 0 ? [...all] : [...new Set(values)])

/** How many combinations of a status, a type and a source a filter has. */
export const combinationsOf = ({ status, blockType, source }: BlockFilter): number =>
  valuesOr(status, blockStatuses).length *
  valuesOr(blockType, blockTypes).length *
  valuesOr(source, blockSources).length

/** The rows from which a list takes its page: those after a position, `limit` of each combination. */
interface Rows {
  position: string | null
  limit: number
}

/**
 * The first ids of each combination of the filter's values, as `matches`, from the index that
 * begins with these values.
 */
export function idsByValues(sql: Sql | Tx, teamId: string, filter: BlockFilter, rows: Rows) {
  if (filter.eventSlug.length > 0) {
    const ofSlug = sql`
      select * from content_blocks b
      where b.team_id = ${teamId} ${having(sql, filter)} ${otherConditions(sql, filter, rows.position)}
        ${ofEvent(sql, filter)}`
    // With offset 0, a search reads the blocks of the event, and not all that contain the words.
    const matches =
      filter.words === null
        ? sql`${ofSlug} limit ${rows.limit}`
        : sql`select * from (${ofSlug} offset 0) b
            where true ${havingWords(sql, teamId, filter)} limit ${rows.limit}`
    return sql`
      unnest(${valuesOr(filter.eventSlug, [])}::text[]) as s (slug)
      cross join lateral (${matches}) matches`
  }
  return sql`
    unnest(${valuesOr(filter.status, blockStatuses)}::text[]) as s (status)
    cross join unnest(${valuesOr(filter.blockType, blockTypes)}::text[]) as t (block_type)
    cross join unnest(${valuesOr(filter.source, blockSources)}::text[]) as o (source)
    cross join lateral (
      select b.id, b.updated_at from content_blocks b
      where b.team_id = ${teamId} and b.status = s.status and b.block_type = t.block_type
        ${otherConditions(sql, filter, rows.position)} ${havingWords(sql, teamId, filter)}
        ${ofSource(sql, filter, rows.position)}
      limit ${rows.limit}
    ) matches`
}

/**
 * When the list is sorted by id, the last value of an index is a range and its rows are sorted: for
 * an equality, PostgreSQL may read all blocks of the team by id to find a rare value. No other
 * index is sorted by `updated_at`.
 */
function ofEvent(sql: Sql | Tx, filter: BlockFilter) {
  const sort = sortOf(filter)
  if (isByUpdate(sort)) return sql`and b.event_slug = s.slug order by ${orderOf(sql, 'b', sort)}`
  return sql`and b.event_slug >= s.slug and b.event_slug <= s.slug
    order by b.event_slug ${oppositeOf(sql, sort)}, ${orderOf(sql, 'b', sort)}`
}

/** The index of events has the newest first. */
const oppositeOf = (sql: Sql | Tx, sort: ListSort) =>
  sort === '-created_at' ? sql`asc` : sql`desc`

function ofSource(sql: Sql | Tx, filter: BlockFilter, position: string | null) {
  const sort = sortOf(filter)
  const order = orderOf(sql, 'b', sort)
  if (isByUpdate(sort)) return sql`and b.source = o.source order by ${order}`
  const comparison = sort === '-created_at' ? sql`<` : sql`>`
  // The position is part of the inner query, so the index is read from there, however deep the page
  // is.
  const after =
    position === null ? sql`` : sql`and (b.source, b.id) ${comparison} (o.source, ${position})`
  return sql`and b.source >= o.source and b.source <= o.source ${after}
    order by b.source ${sortDirectionOf(sql, sort)}, ${order}`
}

const newestWithBeginnings = 1_000

/**
 * The newest blocks whose words begin as the last word of the filter. The others are not read: the index of words
 * would read all words with this beginning, and PostgreSQL would read all blocks of the team instead.
 */
const typedIds = (sql: Sql | Tx, teamId: string, filter: BlockFilter, limit: number | null) => sql`
  select b.id, b.updated_at from (
    select * from content_blocks b
    where b.team_id = ${teamId} ${asOneRow(sql, teamId)} order by b.id desc limit ${newestWithBeginnings}
  ) b where ${matching(sql, teamId, filter, null)} limit ${limit}`

/**
 * The ids and times of change that the index of words, of external ids or of assignments finds, in no order; without a
 * limit, all of them.
 */
export function rareIds(
  sql: Sql | Tx,
  teamId: string,
  filter: BlockFilter,
  limit: number | null = null,
) {
  const { externalId = [], assignee = null } = filter
  if (assignee !== null) {
    return sql`
      select b.id, b.updated_at from block_assignments a
      join content_blocks b on b.team_id = a.team_id and b.id = a.block_id
      where a.team_id = ${teamId} and a.member_id = ${assignee}
        and ${matching(sql, teamId, filter, null)} limit ${limit}`
  }
  if (externalId.length === 0) {
    const words = sql`
      select b.id, b.updated_at from content_blocks b
      where ${matching(sql, teamId, { ...filter, isTyped: false }, null)} limit ${limit}`
    return filter.isTyped ? sql`(${words}) union (${typedIds(sql, teamId, filter, limit)})` : words
  }
  return sql`
    select b.id, b.updated_at from unnest(${valuesOr(externalId, [])}::text[]) as e (external_id)
    cross join lateral (
      select * from content_blocks i
      where i.team_id = ${teamId} and i.external_id >= e.external_id and i.external_id <= e.external_id
      order by i.external_id limit ${countLimit}
    ) b
    where ${matching(sql, teamId, filter, null)} limit ${limit}`
}
