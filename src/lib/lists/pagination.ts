import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** Above this number of rows a list reports "10000 or more" and continues with its cursor only. */
export const countLimit = 10_000

export interface PageRequest {
  page: number
  perPage: number
  /**
   * The last id (or other key) of the previous page. Reading from there takes the same time at any
   * depth.
   */
  afterId?: string
  /** False when the number of all items is not shown: counting takes as long as the page or longer. */
  isCounted?: boolean
}

export interface PageMeta {
  /** Null for a page that was requested by cursor: it has no number. */
  page: number | null
  per_page: number
  total: number
  total_pages: number
  total_exact?: false
  next_cursor: string | null
}

export interface Page<Item> {
  items: Item[]
  /** Counted up to `countLimit` + 1. */
  counted: number
  hasMore: boolean
  /** The statement that read the items has found the keys of its callers active. */
  areKeysActive?: boolean
}

/** The rows that a page is read from: one more than it shows, which says whether there are others. */
export const sliceOf = ({ page, perPage, afterId }: PageRequest) => ({
  /** The last id (or other key) of the previous page. */
  position: afterId ?? null,
  offset: afterId === undefined ? (page - 1) * perPage : 0,
  limit: perPage + 1,
})

/** The page of the rows of a `sliceOf`. `counted` is counted up to `countLimit` + 1. */
export const pageOf = <Item>(
  rows: readonly Item[],
  counted: number,
  { perPage }: PageRequest,
): Page<Item> => ({ items: rows.slice(0, perPage), counted, hasMore: rows.length > perPage })

/**
 * The `meta` of a list. `total` is exact up to 10,000; above that it is 10,000 and marked as a
 * minimum.
 */
export function pageMeta<Item>(
  page: Page<Item>,
  request: PageRequest,
  cursorOf: (last: Item) => string,
): PageMeta {
  const total = Math.min(page.counted, countLimit)
  const last = page.items.at(-1)
  return {
    page: request.afterId === undefined ? request.page : null,
    per_page: request.perPage,
    total,
    // The last page that `page` can request; the cursor continues after it.
    total_pages: Math.min(
      Math.ceil(total / request.perPage),
      Math.floor(countLimit / request.perPage),
    ),
    ...(page.counted > countLimit && { total_exact: false as const }),
    next_cursor: page.hasMore && last ? cursorOf(last) : null,
  }
}

export interface Cursors {
  /** An opaque cursor that continues after `id`, in this list of this team only. */
  sign(list: string, teamId: string, id: string): string
  /** The id in a cursor, or null for a cursor that was not created for this list and team. */
  verify(list: string, teamId: string, cursor: string): string | null
}

const tagBytes = 12

/**
 * Cursors that are signed with a key from the installation's secret, so that nobody can change
 * them.
 */
export function createCursors(secret: string): Cursors {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'tidings list cursors', 32))
  const tag = (list: string, teamId: string, id: string) =>
    createHmac('sha256', key).update(`${list}\n${teamId}\n${id}`).digest().subarray(0, tagBytes)
  return {
    sign: (list, teamId, id) =>
      Buffer.concat([tag(list, teamId, id), Buffer.from(id)]).toString('base64url'),
    verify: (list, teamId, cursor) => {
      const bytes = Buffer.from(cursor, 'base64url')
      // Buffer ignores characters that are not base64url; only the exact spelling is accepted.
      if (bytes.length <= tagBytes || bytes.toString('base64url') !== cursor) return null
      const id = bytes.subarray(tagBytes).toString()
      return timingSafeEqual(bytes.subarray(0, tagBytes), tag(list, teamId, id)) ? id : null
    },
  }
}
