import type { Sql, Tx } from '../database/db.ts'

/** The sort orders of a list; a minus means the newest first. */
export const listSorts = ['-created_at', 'created_at', '-updated_at', 'updated_at'] as const
export type ListSort = (typeof listSorts)[number]

/** Whether an order is that of the last changes. */
export const isByUpdate = (sort: ListSort): boolean => sort.endsWith('updated_at')
const isDescending = (sort: ListSort): boolean => sort.startsWith('-')

/**
 * The position of an item in a list of this order, as a cursor contains it. Ids sort by creation.
 */
export const listPositionOf = (
  sort: ListSort,
  { id, updated_at }: { id: string; updated_at: string },
): string => (isByUpdate(sort) ? `${updated_at}|${id}` : id)

/** `asc` or `desc`. */
export const sortDirectionOf = (sql: Sql | Tx, sort: ListSort) =>
  isDescending(sort) ? sql`desc` : sql`asc`

/** The `order by` expressions for the rows of a table. */
export const orderOf = (sql: Sql | Tx, table: string, sort: ListSort) =>
  isByUpdate(sort)
    ? sql`${sql(`${table}.updated_at`)} ${sortDirectionOf(sql, sort)}, ${sql(`${table}.id`)} ${sortDirectionOf(sql, sort)}`
    : sql`${sql(`${table}.id`)} ${sortDirectionOf(sql, sort)}`

/** The condition for the rows of a table after a position; empty for null. */
export function afterPosition(
  sql: Sql | Tx,
  table: string,
  sort: ListSort,
  position: string | null,
) {
  if (position === null) return sql``
  const comparison = isDescending(sort) ? sql`<` : sql`>`
  const id = sql(`${table}.id`)
  if (!isByUpdate(sort)) return sql`and ${id} ${comparison} ${position}`
  const [at = '', afterId = ''] = position.split('|')
  return sql`and (${sql(`${table}.updated_at`)}, ${id}) ${comparison} (${at}::timestamptz, ${afterId}::id)`
}
