import type { LinkedBlock } from '../../../contract/events/event.ts'
import type { BlockStatus } from '../../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../../lib/database/db.ts'

/** The newest blocks of a team that have one of these slugs, at most `limit`, newest first. */
export async function selectBlocksOfEvent(
  sql: Sql | Tx,
  teamId: string,
  slugs: readonly string[],
  limit: number,
): Promise<LinkedBlock[]> {
  // Each slug is read separately, so that its index is read no further than the limit. It is a
  // range, because for an equality the planner may read all blocks of the team by id to find a rare
  // slug.
  return await sql<LinkedBlock[]>`
    select b.id, b.title, b.status
    from (select distinct unnest(${[...slugs]}::text[]) as slug) s
    cross join lateral (
      select id, title, status from content_blocks
      where team_id = ${teamId} and event_slug >= s.slug and event_slug <= s.slug
      order by event_slug, id desc limit ${limit}
    ) b
    order by b.id desc limit ${limit}`
}

export interface SlugStatusCount {
  event_slug: string
  status: BlockStatus
  count: number
}

/** How many blocks have each of these slugs, by status; of each slug the newest `limit` count. */
export async function countBlocksBySlug(
  sql: Sql | Tx,
  teamId: string,
  slugs: readonly string[],
  limit: number,
): Promise<SlugStatusCount[]> {
  return await sql<SlugStatusCount[]>`
    select s.slug as event_slug, b.status, count(*)::int as count
    from (select distinct unnest(${[...slugs]}::text[]) as slug) s
    cross join lateral (
      select status from content_blocks
      where team_id = ${teamId} and event_slug >= s.slug and event_slug <= s.slug
      order by event_slug, id desc limit ${limit}
    ) b
    group by s.slug, b.status`
}
