import { createHash } from 'node:crypto'
import type { Now } from '../../lib/clock.ts'
import { type Sql, type Tx, transaction, withDeadline } from '../../lib/database/db.ts'
import { newId } from '../../lib/ids.ts'
import type { JobQueue } from '../../lib/queue/index.ts'
import type { Encryption } from '../../lib/secrets/encryption.ts'
import { toReason } from '../../lib/text/reason.ts'
import { encryptionContext } from './encryption.ts'
import { type DeliveryJobData, forwardJob } from './jobs.ts'
import { insertDelivery } from './sql.ts'

/** The context of these functions. */
export interface DeliveryDeps {
  sql: Sql
  encryption: Encryption
  queue: JobQueue
  now: Now
}

/** The same, where the caller may have opened a transaction. */
type StoreDeps = Omit<DeliveryDeps, 'sql'> & { sql: Sql | Tx }

/** The connection that received a delivery, and the key with which its items are posted. */
export interface DeliverySource {
  teamId: string
  id: string
  apiKey: { id: string }
}

/**
 * Stores an event and adds the job that forwards it, in one transaction. Returns the id of the
 * delivery, or null when the connection has a delivery with this external id.
 */
async function storeEvent(
  { sql, encryption, queue, now }: StoreDeps,
  origin: DeliverySource,
  delivery: { deliveryId: string; event: unknown; ephemeralContext?: unknown },
): Promise<string | null> {
  const at = now()
  const id = newId('dl', at)
  const { ephemeralContext } = delivery
  const row = {
    ...rowOf(origin, id, delivery.deliveryId, at),
    status: 'waiting' as const,
    event: delivery.event,
    ephemeral_context:
      ephemeralContext === undefined
        ? null
        : encryption.encrypt(encryptionContext(id), ephemeralContext),
    reason: null,
    settled_at: null,
  }
  const store = async (tx: Tx) => {
    if (!(await insertDelivery(tx, row))) return false
    await enqueue(tx, queue, { teamId: origin.teamId, id, apiKeyId: origin.apiKey.id })
    return true
  }
  return (await transaction(sql, store)) ? id : null
}

/**
 * Stores an event that is ignored, with the reason. When `event` is given, the delivery can be
 * replayed. Returns its id, or null when the connection has a delivery with this external id.
 */
export async function storeIgnored(
  { sql, now }: Pick<StoreDeps, 'sql' | 'now'>,
  origin: DeliverySource,
  delivery: { deliveryId: string; reason: string; event?: unknown },
): Promise<string | null> {
  const at = now()
  const id = newId('dl', at)
  const row = {
    ...rowOf(origin, id, delivery.deliveryId, at),
    status: 'ignored' as const,
    event: delivery.event,
    ephemeral_context: null,
    reason: toReason(delivery.reason),
    settled_at: at,
  }
  return (await withDeadline(insertDelivery(sql, row))) ? id : null
}

/** An event of a webhook request. */
export interface ReceivedEvent {
  deliveryId: string
  event: unknown
  ephemeralContext?: unknown
  /** Why it is only listed; undefined: it is forwarded. */
  ignoredReason?: string | undefined
}

/**
 * Stores the events of one request, and returns the ids of those that are new. They are stored one
 * after the other: when one fails, the provider repeats all of them, and the stored ones are duplicates.
 * In a transaction of the caller, all are stored or none.
 */
export async function storeEvents(
  deps: StoreDeps,
  origin: DeliverySource,
  events: readonly ReceivedEvent[],
): Promise<string[]> {
  const ids: string[] = []
  for (const { ignoredReason: reason, ...event } of events) {
    const id =
      reason === undefined
        ? await storeEvent(deps, origin, event)
        : await storeIgnored(deps, origin, { ...event, reason })
    if (id !== null) ids.push(id)
  }
  return ids
}

const rowOf = (origin: DeliverySource, id: string, deliveryId: string, at: Date) => ({
  id,
  team_id: origin.teamId,
  connection_id: origin.id,
  delivery_id: storableId(deliveryId),
  received_at: at,
})

/** A provider chooses its ids; a long or unusual one is replaced by its hash. */
const storableId = (id: string) =>
  /^[\x21-\x7e]{1,200}$/.test(id) ? id : `sha256:${createHash('sha256').update(id).digest('hex')}`

/** Adds the job that forwards a delivery. */
export const enqueue = (
  tx: Tx,
  queue: JobQueue,
  { teamId, id, apiKeyId }: { teamId: string; id: string; apiKeyId: string },
) => {
  const data: DeliveryJobData = { teamId, deliveryId: id }
  return queue.add(tx, forwardJob, data, apiKeyId)
}
