import type { Sql } from '../../../lib/database/db.ts'

/** Counts an event of a kind that the adapter does not know. */
export async function incrementUnknownEvents(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update connections set unknown_events = unknown_events + 1
    where team_id = ${teamId} and id = ${id}`
}

/** Counts a request that the adapter refused. */
export async function incrementRefused(
  sql: Sql,
  teamId: string,
  id: string,
  at: Date,
): Promise<void> {
  await sql`
    update connections set refused_requests = refused_requests + 1, last_refused_at = ${at}
    where team_id = ${teamId} and id = ${id}`
}

/** Counts a request that was refused because too many came within a minute. */
export async function incrementRateLimited(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update connections set rate_limited_requests = rate_limited_requests + 1
    where team_id = ${teamId} and id = ${id}`
}
