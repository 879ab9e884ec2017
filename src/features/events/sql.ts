import type { Sql } from '../../lib/db.ts'

export interface EventName {
  slug: string
  name: string
}

/** The event of a team with this slug. */
export async function selectEvent(
  sql: Sql,
  teamId: string,
  slug: string,
): Promise<EventName | undefined> {
  const [row] = await sql<EventName[]>`
    select slug, name from events where team_id = ${teamId} and slug = ${slug}`
  return row
}

/** Up to `limit` events of a team whose name holds `words`, soonest first. */
export async function searchEvents(
  sql: Sql,
  teamId: string,
  words: string,
  limit: number,
): Promise<EventName[]> {
  return await sql<EventName[]>`
    select slug, name from events
    where team_id = ${teamId} and position(lower(${words}) in lower(name)) > 0
    order by event_date, slug limit ${limit}`
}
