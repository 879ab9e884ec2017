import type { Now } from '../../lib/clock.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { encryptionContext, toDelivery } from './deliveries.ts'
import {
  completeRow,
  existsEarlierWaiting,
  type OutcomeRow,
  saveFirstItems,
  startAttempt,
  updateReason,
  type WaitingRow,
} from './sql.ts'
import type { DeliveryDeps, ForwardingJob } from './store.ts'

/** A delivery on its way: what is left to do, and with what. */
export interface WaitingDelivery extends Omit<WaitingRow, 'transient'> {
  transient: unknown
}

/** A delivery to carry on, or null when it is settled. Counts the attempt. */
export async function startDeliveryAttempt(
  { sql, vault }: Pick<DeliveryDeps, 'sql' | 'vault'>,
  { teamId, deliveryId }: ForwardingJob,
): Promise<WaitingDelivery | null> {
  const row = await withDeadline(startAttempt(sql, teamId, deliveryId))
  if (!row) return null
  const { ephemeral_context: transient } = row
  return { ...row, transient: transient && vault.decrypt(encryptionContext(row.id), transient) }
}

/**
 * Keeps what the event was composed into, so that every further attempt sends the very same. Gives
 * what is kept: of two attempts at once, the first one's.
 */
export async function saveComposedItems<Items>(
  sql: Sql,
  { team_id, id }: WaitingRef,
  items: Items,
): Promise<Items> {
  const kept = await withDeadline(saveFirstItems(sql, team_id, id, items))
  // Whatever is kept came in through this very door.
  return (kept ?? items) as Items
}

/** Notes why an attempt came to nothing; the delivery goes on waiting. */
export async function recordFailure(sql: Sql, job: ForwardingJob, reason: string): Promise<void> {
  await withDeadline(updateReason(sql, job.teamId, job.deliveryId, toDelivery(reason)))
}

type WaitingRef = Pick<WaitingDelivery, 'team_id' | 'connection_id' | 'id'>

export type DeliveryOutcome =
  | { status: 'delivered'; blockIds: string[]; reason?: string }
  | { status: 'ignored'; reason: string }
  | { status: 'failed'; reason: string; blockIds?: string[] }
  | { status: 'withdrawn'; reason?: string }

/**
 * Ends a delivery. What only the way there needed is forgotten; the event stays only where a replay
 * makes sense. False when it was over before.
 */
export async function completeDelivery(
  tx: Tx,
  now: Now,
  { teamId, deliveryId }: ForwardingJob,
  outcome: DeliveryOutcome,
): Promise<boolean> {
  const row: OutcomeRow = {
    status: outcome.status,
    reason: 'reason' in outcome && outcome.reason ? toDelivery(outcome.reason) : null,
    block_ids: 'blockIds' in outcome ? (outcome.blockIds ?? []) : [],
    keep_event: outcome.status === 'failed' || outcome.status === 'ignored',
    settled_at: now(),
  }
  return await completeRow(tx, teamId, deliveryId, row)
}

/** True while an earlier delivery of the same connection is under way: it may still make the block. */
export async function hasEarlierWaiting(sql: Sql, ref: WaitingRef): Promise<boolean> {
  return await withDeadline(existsEarlierWaiting(sql, ref.team_id, ref.connection_id, ref.id))
}
