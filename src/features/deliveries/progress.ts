import { type Sql, type Tx, transaction, withDeadline } from '../../lib/database/db.ts'
import { toReason } from '../../lib/text/reason.ts'
import { encryptionContext } from './encryption.ts'
import { type DeliveryJobData, notifyJob } from './jobs.ts'
import {
  senderNotificationContext,
  type WaitingSenderNotification,
} from './sender-notifications.ts'
import {
  completeRow,
  type DeliveryProblem,
  existsEarlierWaiting,
  type OutcomeRow,
  selectSavedByOthers,
  selectWaiting,
  startAttempt,
  storeFirstItems,
  updateComposedItems,
  updateEphemeralContext,
  updateFailure,
  type WaitingRow,
} from './sql.ts'
import type { DeliveryDeps } from './store.ts'

/** A waiting delivery with everything that forwarding it needs. */
export interface WaitingDelivery extends Omit<WaitingRow, 'ephemeral_context'> {
  ephemeralContext: unknown
}

type WaitingDeps = Pick<DeliveryDeps, 'sql' | 'encryption'>
type ProgressDeps = Pick<DeliveryDeps, 'sql'>

/** Counts an attempt at a waiting delivery and returns it, or null when it is settled. */
export async function startDeliveryAttempt(
  deps: WaitingDeps,
  { teamId, deliveryId }: DeliveryJobData,
): Promise<WaitingDelivery | null> {
  return decrypted(deps, await withDeadline(startAttempt(deps.sql, teamId, deliveryId)))
}

/** A waiting delivery, or null when it is settled. Counts no attempt. */
export async function findWaitingDelivery(
  deps: WaitingDeps,
  { teamId, deliveryId }: DeliveryJobData,
): Promise<WaitingDelivery | null> {
  return decrypted(deps, await withDeadline(selectWaiting(deps.sql, teamId, deliveryId)))
}

function decrypted(
  { encryption }: WaitingDeps,
  row: WaitingRow | undefined,
): WaitingDelivery | null {
  if (!row) return null
  const { ephemeral_context: ephemeralContext } = row
  return {
    ...row,
    ephemeralContext:
      ephemeralContext && encryption.decrypt(encryptionContext(row.id), ephemeralContext),
  }
}

/**
 * Stores what the adapter composed, so that every attempt posts the same items. Returns the stored
 * items: of two attempts at the same time, those of the first.
 */
export async function saveComposedItems<Items>(
  { sql }: { sql: Sql | Tx },
  { team_id, id }: WaitingRef,
  items: Items,
): Promise<Items> {
  const stored = await withDeadline(storeFirstItems(sql, team_id, id, items))
  // Only this function writes the column.
  return (stored ?? items) as Items
}

/** Stores the items with their images in place of the composed ones, and returns them. */
export async function replaceComposedItems<Items>(
  { sql }: ProgressDeps,
  { team_id, id }: WaitingRef,
  items: Items,
): Promise<Items> {
  await withDeadline(updateComposedItems(sql, team_id, id, items))
  return items
}

/**
 * Stores who has to do with the items, with the ephemeral data: encrypted, and until the delivery is settled. A later
 * attempt finds them in `ephemeralContext.contributors`.
 */
export async function saveContributors(
  { sql, encryption }: { sql: Sql | Tx } & Pick<DeliveryDeps, 'encryption'>,
  { team_id, id, ephemeralContext }: WaitingRef & Pick<WaitingDelivery, 'ephemeralContext'>,
  contributors: object,
): Promise<void> {
  const stored = { ...asObject(ephemeralContext), contributors }
  const encrypted = encryption.encrypt(encryptionContext(id), stored)
  await withDeadline(updateEphemeralContext(sql, team_id, id, encrypted))
}

const asObject = (value: unknown) => (typeof value === 'object' ? value : null)

/** Stores why an attempt failed. The delivery stays waiting. */
export async function recordFailure(
  { sql }: ProgressDeps,
  { teamId, deliveryId }: DeliveryJobData,
  failure: { reason: string; problem: DeliveryProblem | null },
): Promise<void> {
  const row = { ...failure, reason: toReason(failure.reason) }
  await withDeadline(updateFailure(sql, teamId, deliveryId, row))
}

type WaitingRef = Pick<WaitingDelivery, 'team_id' | 'connection_id' | 'id'>

export type DeliveryOutcome =
  | { status: 'delivered'; blockIds: string[]; reason?: string }
  | { status: 'ignored'; reason: string }
  | { status: 'failed'; reason: string; blockIds?: string[] }
  | { status: 'withdrawn'; reason?: string }

/**
 * Settles a delivery, and adds the job that notifies its sender in the same transaction. Deletes the data that only
 * forwarding needs; the event stays when a replay can succeed. Returns false when the delivery was settled before.
 */
export async function completeDelivery(
  { sql, now, encryption, queue }: DeliveryDeps,
  job: DeliveryJobData,
  outcome: DeliveryOutcome,
  toSend: WaitingSenderNotification | null = null,
): Promise<boolean> {
  const { teamId, deliveryId } = job
  const { connectionId = '', ...notification } = toSend ?? {}
  const row: OutcomeRow = {
    status: outcome.status,
    reason: 'reason' in outcome && outcome.reason ? toReason(outcome.reason) : null,
    block_ids: 'blockIds' in outcome ? (outcome.blockIds ?? []) : [],
    keep_event: outcome.status === 'failed' || outcome.status === 'ignored',
    notification: toSend && encryption.encrypt(senderNotificationContext(deliveryId), notification),
    settled_at: now(),
  }
  if (!toSend) return await withDeadline(completeRow(sql, teamId, deliveryId, row))
  return await transaction(sql, async (tx) => {
    const isOurs = await completeRow(tx, teamId, deliveryId, row)
    if (isOurs) await queue.add(tx, notifyJob, job, connectionId)
    return isOurs
  })
}

/** True while an earlier delivery of the same connection is waiting: it may still create the block. */
export async function hasEarlierWaiting({ sql }: ProgressDeps, ref: WaitingRef): Promise<boolean> {
  return await withDeadline(existsEarlierWaiting(sql, ref.team_id, ref.connection_id, ref.id))
}

/** Which items other deliveries of the connection have saved since a moment: those whose provider's id begins differently. */
export async function findSavedByOthers(
  { sql }: { sql: Sql | Tx },
  { team_id, connection_id }: WaitingRef,
  items: { externalIds: readonly string[]; prefix: string; since: Date },
): Promise<string[]> {
  return await withDeadline(selectSavedByOthers(sql, team_id, connection_id, items))
}
