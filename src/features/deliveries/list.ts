import type { ReadContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import {
  selectDeliveries,
  selectDelivery,
  selectNewestDeliveries,
  selectSettledSince,
} from './list-sql.ts'
import type { DeliveryRow, DeliveryStatus } from './sql.ts'

export type Delivery = DeliveryRow

/** One delivery of a team. Throws `not_found`. */
export async function getDelivery(
  { sql, actor: { teamId } }: ReadContext,
  id: string,
): Promise<Delivery> {
  const row = await withDeadline(selectDelivery(sql, teamId, id))
  if (!row) throw notFound('The delivery')
  return row
}

interface DeliveryFilter {
  connectionId: string
  before?: string | null
  status?: DeliveryStatus | null
  limit?: number
}

/**
 * Up to `limit` deliveries of a connection, newest first, optionally of one status. `before` is the
 * last id of the previous page.
 */
export async function listDeliveries(
  { sql, actor: { teamId } }: ReadContext,
  { connectionId, before = null, status = null, limit = 20 }: DeliveryFilter,
): Promise<Delivery[]> {
  const slice = { beforeId: before, status, limit: Math.min(limit, 100) }
  return await withDeadline(selectDeliveries(sql, teamId, connectionId, slice))
}

/** The newest delivery of each of these connections of a team, by the connection's id. */
export async function listNewestDeliveries(
  { sql, actor: { teamId } }: ReadContext,
  connectionIds: readonly string[],
): Promise<ReadonlyMap<string, Delivery>> {
  const rows = await withDeadline(selectNewestDeliveries(sql, teamId, connectionIds))
  return new Map(rows.map((row) => [row.connection_id, row]))
}

/** How many deliveries of a team were settled since a time: exact up to 10,000. */
export async function countSettledSince(
  { sql, actor: { teamId } }: ReadContext,
  since: Date,
): Promise<{ completed: number; failed: number }> {
  return (await selectSettledSince(sql, teamId, since)) ?? { completed: 0, failed: 0 }
}
