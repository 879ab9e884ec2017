import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'
import type { DeliveryRow, DeliveryStatus } from './sql.ts'

const columns = (sql: Sql | Tx) => sql`
  id, team_id, connection_id, delivery_id, status, reason, block_ids, attempts,
  status in ('failed', 'ignored') and event is not null as replayable, received_at, settled_at`

/** One delivery of a team. */
export async function selectDelivery(
  sql: Sql | Tx,
  teamId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await sql<DeliveryRow[]>`
    select ${columns(sql)} from deliveries where team_id = ${teamId} and id = ${id}`
  return row
}

/** A connection's deliveries older than `beforeId`, newest first, optionally of one status. */
export async function selectDeliveries(
  sql: Sql | Tx,
  teamId: string,
  connectionId: string,
  slice: { beforeId: string | null; status: DeliveryStatus | null; limit: number },
): Promise<DeliveryRow[]> {
  return await sql<DeliveryRow[]>`
    select ${columns(sql)} from deliveries
    where team_id = ${teamId} and connection_id = ${connectionId}
      ${slice.status === null ? sql`` : sql`and status = ${slice.status}`}
      ${slice.beforeId === null ? sql`` : sql`and id < ${slice.beforeId}`}
    order by id desc limit ${slice.limit}`
}

/** The newest delivery of each of these connections that has one. */
export async function selectNewestDeliveries(
  sql: Sql | Tx,
  teamId: string,
  connectionIds: readonly string[],
): Promise<DeliveryRow[]> {
  return await sql<DeliveryRow[]>`
    select newest.* from unnest(${[...connectionIds]}::text[]) as wanted (connection)
    cross join lateral (
      select ${columns(sql)} from deliveries
      where team_id = ${teamId} and connection_id = wanted.connection
      order by id desc limit 1
    ) as newest`
}

const maxCounted = 10_000

/** How many deliveries of a team were settled since `since`, by outcome; exact up to 10,000. */
export async function selectSettledSince(
  sql: Sql | Tx,
  teamId: string,
  since: Date,
): Promise<{ completed: number; failed: number } | undefined> {
  const [row] = await sql<{ completed: number; failed: number }[]>`
    select count(*) filter (where status <> 'failed')::int as completed,
      count(*) filter (where status = 'failed')::int as failed
    from (
      select status from deliveries
      where team_id = ${teamId} and settled_at >= ${since} limit ${maxCounted}
    ) settled`
  return row
}

/** Deletes settled deliveries: ignored ones without a stored event sooner than the others. */
export async function deleteSettled(
  sql: Sql | Tx,
  before: { ignored: Date; others: Date },
): Promise<number> {
  const due = sql`(settled_at < ${before.others}
    or (settled_at < ${before.ignored} and status = 'ignored' and event is null))`
  return await deleteInSlices(sql, 'deliveries', due)
}
