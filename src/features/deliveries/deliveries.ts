import { daysBefore } from '../../lib/clock.ts'
import type { ReadContext, ServiceContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import { encryptedColumn } from '../../lib/secrets/encryption.ts'
import {
  deleteCompleted,
  selectDeliveries,
  selectDelivery,
  selectNewest,
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
export async function newestDeliveries(
  { sql, actor: { teamId } }: ReadContext,
  connectionIds: readonly string[],
): Promise<ReadonlyMap<string, Delivery>> {
  const rows = await withDeadline(selectNewest(sql, teamId, connectionIds))
  return new Map(rows.map((row) => [row.connection_id, row]))
}

/** How many deliveries of a team were settled since a time: exact up to 10,000. */
export async function countSettledSince(
  { sql, actor: { teamId } }: ReadContext,
  since: Date,
): Promise<{ completed: number; failed: number }> {
  return (await selectSettledSince(sql, teamId, since)) ?? { completed: 0, failed: 0 }
}

/**
 * Deletes settled deliveries after 90 days, and after 14 days those that were ignored when they were
 * received. A request that the provider repeats later than that is recognized by its `external_id`.
 */
export async function purgeDeliveries({ sql, now }: ServiceContext): Promise<number> {
  const ago = (days: number) => daysBefore(now(), days)
  return await deleteCompleted(sql, { ignored: ago(14), others: ago(90) })
}

/** The additional data that a delivery's encrypted value is bound to. */
export const encryptionContext = (id: string) => `deliveries/${id}`

/** The encrypted values of deliveries, for the rotation of the secret. */
export const encryptedDeliveryColumn = encryptedColumn(
  'deliveries',
  'ephemeral_context',
  encryptionContext,
)
