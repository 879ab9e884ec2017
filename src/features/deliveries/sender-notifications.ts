import * as v from 'valibot'
import { withDeadline } from '../../lib/database/db.ts'
import { encryptedColumn } from '../../lib/secrets/encryption.ts'
import type { DeliveryJobData } from './jobs.ts'
import {
  clearSenderNotification,
  resetSenderNotification,
  selectSenderNotification,
  startSenderNotificationRow,
} from './sender-notifications-sql.ts'
import type { DeliveryDeps } from './store.ts'

/** The additional data that an encrypted sender notification is bound to. */
export const senderNotificationContext = (id: string) => `deliveries/${id}/notification`

/** The encrypted sender notifications, for the rotation of the secret. */
export const encryptedSenderNotificationColumn = encryptedColumn(
  'deliveries',
  'notification',
  senderNotificationContext,
)

const SenderNotification = v.object({
  /** As the adapter stored it. */
  event: v.unknown(),
  ephemeralContext: v.unknown(),
  /** What became of the delivery. */
  result: v.unknown(),
})
type SenderNotification = v.InferOutput<typeof SenderNotification>

/** A sender notification that was not sent yet, and the connection that sends it. */
export interface WaitingSenderNotification extends SenderNotification {
  connectionId: string
}

type NotificationDeps = Pick<DeliveryDeps, 'sql' | 'encryption'>

/** The sender notification of a delivery; null when it was sent. */
export async function findSenderNotification(
  { sql, encryption }: NotificationDeps,
  { teamId, deliveryId }: DeliveryJobData,
): Promise<WaitingSenderNotification | null> {
  const row = await withDeadline(selectSenderNotification(sql, teamId, deliveryId))
  if (!row) return null
  const stored = encryption.decrypt(senderNotificationContext(deliveryId), row.notification)
  return { ...v.parse(SenderNotification, stored), connectionId: row.connection_id }
}

/** Starts to send a sender notification. False when an attempt was interrupted, which may have sent it. */
export async function startSenderNotification(
  { sql, now }: Pick<DeliveryDeps, 'sql' | 'now'>,
  { teamId, deliveryId }: DeliveryJobData,
): Promise<boolean> {
  return await withDeadline(startSenderNotificationRow(sql, teamId, deliveryId, now()))
}

/** Lets a later attempt send a sender notification that the chat did not take. */
export async function postponeSenderNotification(
  { sql }: Pick<DeliveryDeps, 'sql'>,
  { teamId, deliveryId }: DeliveryJobData,
): Promise<void> {
  await withDeadline(resetSenderNotification(sql, teamId, deliveryId))
}

/** Deletes a sender notification that was sent, or that nobody can send. */
export async function endSenderNotification(
  { sql }: Pick<DeliveryDeps, 'sql'>,
  { teamId, deliveryId }: DeliveryJobData,
): Promise<void> {
  await withDeadline(clearSenderNotification(sql, teamId, deliveryId))
}
