import { type NewsletterStatus, newsletterStatuses } from '../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../lib/database/db.ts'
import { afterPosition, isByUpdate, type ListSort, orderOf } from '../../lib/lists/list-order.ts'
import { type CountedRow, newsletterColumns } from './sql.ts'

/** Which newsletters a list contains, and in which order. */
export interface NewsletterFilter {
  /** Without one, newsletters of every status. */
  statuses?: readonly NewsletterStatus[]
  /** Ids at or after this one. */
  fromId?: string | null
  /** Ids before this one. */
  beforeId?: string | null
  /** Changed at this time or later. */
  updatedFrom?: Date | null
  /** Changed before this time. */
  updatedBefore?: Date | null
  /** Without it, newest first. */
  sort?: ListSort
}

interface Slice {
  /** The position of the last newsletter of the page before, as `listPositionOf` gives it. */
  position: string | null
  offset: number
  limit: number
}

const sortOf = ({ sort = '-created_at' }: NewsletterFilter): ListSort => sort

const matching = (
  sql: Sql | Tx,
  teamId: string,
  filter: NewsletterFilter,
  position: string | null,
) => {
  const { statuses = [], fromId, beforeId, updatedFrom, updatedBefore } = filter
  return sql`
    n.team_id = ${teamId}
    ${statuses.length === 0 ? sql`` : sql`and n.status = any(${[...statuses]})`}
    ${fromId ? sql`and n.id >= ${fromId}` : sql``}
    ${beforeId ? sql`and n.id < ${beforeId}` : sql``}
    ${updatedFrom ? sql`and n.updated_at >= ${updatedFrom}` : sql``}
    ${updatedBefore ? sql`and n.updated_at < ${updatedBefore}` : sql``}
    ${afterPosition(sql, 'n', sortOf(filter), position)}`
}

/** The first newsletters of each status, from the index that begins with it. */
const byStatus = (
  sql: Sql | Tx,
  teamId: string,
  filter: NewsletterFilter,
  rows: { position: string | null; limit: number },
) => {
  const { statuses = [] } = filter
  const wanted = statuses.length > 0 ? statuses : newsletterStatuses
  const everyStatus = { ...filter, statuses: [] }
  return sql`
    unnest(${[...new Set(wanted)]}::text[]) as s (status) cross join lateral (
      select n.* from newsletters n
      where ${matching(sql, teamId, everyStatus, rows.position)} and n.status = s.status
      order by ${orderOf(sql, 'n', sortOf(filter))} limit ${rows.limit}
    ) n`
}

/** A page of the newsletters of a team that match. */
export async function selectNewsletters(
  sql: Sql | Tx,
  teamId: string,
  filter: NewsletterFilter,
  { position, offset, limit }: Slice,
): Promise<CountedRow[]> {
  const sort = sortOf(filter)
  const rows = isByUpdate(sort)
    ? sql`${byStatus(sql, teamId, filter, { position, limit: offset + limit })}`
    : sql`newsletters n where ${matching(sql, teamId, filter, position)}`
  return await sql<CountedRow[]>`
    select ${newsletterColumns(sql)}, (
      select count(*)::integer from newsletter_blocks nb
      where nb.team_id = n.team_id and nb.newsletter_id = n.id
    ) as blocks_count
    from ${rows}
    order by ${orderOf(sql, 'n', sort)} limit ${limit} offset ${offset}`
}

/** How many newsletters of a team match, counted up to `limit`. */
export async function countNewsletters(
  sql: Sql | Tx,
  teamId: string,
  filter: NewsletterFilter,
  limit: number,
): Promise<number> {
  const rows = isByUpdate(sortOf(filter))
    ? sql`${byStatus(sql, teamId, filter, { position: null, limit })}`
    : sql`newsletters n where ${matching(sql, teamId, filter, null)}`
  const [row] = await sql<{ counted: number }[]>`
    select count(*)::integer as counted from (select 1 from ${rows} limit ${limit}) matches`
  return row?.counted ?? 0
}

/**
 * Of the newest 100 unsent newsletters the first that is planned for `from` or a later day, else the newest one
 * without a date, else the one that was planned last, without its date.
 */
export async function selectNext(
  sql: Sql | Tx,
  teamId: string,
  from: string,
): Promise<{ title: string; date: string | null; blocks: number } | undefined> {
  const [row] = await sql<{ title: string; date: string | null; blocks: number }[]>`
    select n.title, n.planned::text as date, (
      select count(*)::integer from newsletter_blocks nb
      where nb.team_id = ${teamId} and nb.newsletter_id = n.id
    ) as blocks
    from (
      select id, title, scheduled_date,
        case when scheduled_date >= ${from} then scheduled_date end as planned
      from newsletters
      where team_id = ${teamId} and status in ('draft', 'in_progress', 'ready')
      order by id desc limit 100
    ) n
    order by n.planned nulls last, n.scheduled_date desc nulls first, n.id desc limit 1`
  return row
}
