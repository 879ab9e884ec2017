import type { SyncStateRow } from './sql.ts'
import type { UpdateSource } from './update-source.ts'

/** When an item was as an event describes it. */
export interface SourceTime {
  /** The time of the message by the provider's clock. Null without one: then the order of receipt counts. */
  sourceUpdatedAt: Date | null
}

/**
 * The time by which an update is compared with a withdrawal. Withdrawals have no time of the
 * provider, so the time of receipt counts. An item that was withdrawn before it was received has a
 * time in the future as its state. Until then, an item without its own time is the withdrawn one.
 */
export const wasWithdrawnLater = (
  last: SyncStateRow,
  source: UpdateSource,
  { sourceUpdatedAt }: SourceTime,
): boolean =>
  last.block_version === null &&
  (isAfter(last, source) ||
    (sourceUpdatedAt === null && source.receivedAt < last.source_updated_at))

/** Whether the last event about an item was received after this one. */
export const isAfter = (last: SyncStateRow, { receivedAt, deliveryId }: UpdateSource): boolean =>
  isBefore([receivedAt, deliveryId], [last.received_at, last.delivery_id])

/** Whether an update is newer than the last event about its item, by the clock of the provider. */
export const isNewer = (
  { sourceUpdatedAt }: SourceTime,
  { deliveryId, receivedAt }: UpdateSource,
  last: SyncStateRow,
): boolean =>
  isBefore([last.source_updated_at, last.delivery_id], [sourceUpdatedAt ?? receivedAt, deliveryId])

const isBefore = ([at, id]: [Date, string], [otherAt, otherId]: [Date, string]) =>
  at < otherAt || (at.getTime() === otherAt.getTime() && id < otherId)
