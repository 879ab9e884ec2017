import type { Sql } from '../../lib/database/db.ts'

/** The sender notification of a delivery that was not finished. */
export async function selectSenderNotification(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<{ connection_id: string; notification: Buffer } | undefined> {
  const [row] = await sql<{ connection_id: string; notification: Buffer }[]>`
    select connection_id, notification from deliveries
    where team_id = ${teamId} and id = ${id} and notification is not null`
  return row
}

/** Stores when a sender notification was started. False when it was started before. */
export async function startSenderNotificationRow(
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

/** Stores that a sender notification was not sent. */
export async function resetSenderNotification(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update deliveries set notification_started_at = null
    where team_id = ${teamId} and id = ${id} and notification is not null`
}

/** Deletes a sender notification. */
export async function clearSenderNotification(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update deliveries set notification = null, notification_started_at = null
    where team_id = ${teamId} and id = ${id}`
}
