import type { Sql } from '../../lib/database/db.ts'

/** The notification of a delivery that was not finished. */
export async function selectNotification(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<{ connection_id: string; notification: Buffer } | undefined> {
  const [row] = await sql<{ connection_id: string; notification: Buffer }[]>`
    select connection_id, notification from deliveries
    where team_id = ${teamId} and id = ${id} and notification is not null`
  return row
}

/** Stores when a notification was begun. False when it was begun before. */
export async function startNotification(
  sql: Sql,
  teamId: string,
  id: string,
  at: Date,
): Promise<boolean> {
  const rows = await sql`
    update deliveries set notification_started_at = ${at}
    where team_id = ${teamId} and id = ${id} and notification is not null and notification_started_at is null
    returning 1`
  return rows.length > 0
}

/** Stores that a notification was not sent. */
export async function resetNotification(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update deliveries set notification_started_at = null
    where team_id = ${teamId} and id = ${id} and notification is not null`
}

/** Deletes a notification. */
export async function clearNotification(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update deliveries set notification = null, notification_started_at = null
    where team_id = ${teamId} and id = ${id}`
}
