import * as v from 'valibot'
import { withDeadline } from '../../lib/database/db.ts'
import { encryptedColumn } from '../../lib/secrets/encryption.ts'
import type { DeliveryJobData } from './jobs.ts'
import {
  clearNotification,
  resetNotification,
  selectNotification,
  startNotification,
} from './notifications-sql.ts'
import type { DeliveryDeps } from './store.ts'

/** The additional data that an encrypted notification is bound to. */
export const notificationContext = (id: string) => `deliveries/${id}/notification`

/** The encrypted notifications, for the rotation of the secret. */
export const encryptedNotificationColumn = encryptedColumn(
  'deliveries',
  'notification',
  notificationContext,
)

const Notification = v.object({
  /** As the adapter stored it. */
  event: v.unknown(),
  ephemeralContext: v.unknown(),
  /** What became of the delivery. */
  result: v.unknown(),
})
export type Notification = v.InferOutput<typeof Notification>

/** A notification that was not sent yet, and the connection that sends it. */
export interface WaitingNotification extends Notification {
  connectionId: string
}

type NotificationDeps = Pick<DeliveryDeps, 'sql' | 'encryption'>

/** The notification for the sender of a delivery; null when it was sent. */
export async function findNotification(
  { sql, encryption }: NotificationDeps,
  { teamId, deliveryId }: DeliveryJobData,
): Promise<WaitingNotification | null> {
  const row = await withDeadline(selectNotification(sql, teamId, deliveryId))
  if (!row) return null
  const stored = encryption.decrypt(notificationContext(deliveryId), row.notification)
  return { ...v.parse(Notification, stored), connectionId: row.connection_id }
}

/** Begins to send a notification. False when an attempt was interrupted, which may have sent it. */
export async function beginNotification(
  { sql, now }: Pick<DeliveryDeps, 'sql' | 'now'>,
  { teamId, deliveryId }: DeliveryJobData,
): Promise<boolean> {
  return await withDeadline(startNotification(sql, teamId, deliveryId, now()))
}

/** Lets a later attempt send a notification that the chat did not take. */
export async function postponeNotification(
  { sql }: Pick<DeliveryDeps, 'sql'>,
  { teamId, deliveryId }: DeliveryJobData,
): Promise<void> {
  await withDeadline(resetNotification(sql, teamId, deliveryId))
}

/** Deletes a notification that was sent, or that nobody can send. */
export async function endNotification(
  { sql }: Pick<DeliveryDeps, 'sql'>,
  { teamId, deliveryId }: DeliveryJobData,
): Promise<void> {
  await withDeadline(clearNotification(sql, teamId, deliveryId))
}
