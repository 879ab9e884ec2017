import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Now } from '../../lib/clock.ts'
import { type Context, inTransaction } from '../../lib/context.ts'
import { type Sql, type Tx, transaction, withDeadline } from '../../lib/database/db.ts'
import { invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { JobQueue, JobType } from '../../lib/queue/index.ts'
import type { Encryption } from '../../lib/secrets/encryption.ts'
import { toReason } from '../../lib/text/reason.ts'
import { recordAudit } from '../audit-log/index.ts'
import { encryptionContext, getDelivery } from './deliveries.ts'
import { insertDelivery, reopenRow } from './sql.ts'

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

/** Settles a delivery as failed: the dead letter queue of {@link forwardJob}. */
export const giveUpJob: JobType = {
  name: 'give-up-delivery',
  retryLimit: 20,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 600,
  deleteAfterSeconds: 3_600,
}

/** Forwards one delivery to ingest: retried for about a day, at most 10 minutes apart. */
export const forwardJob: JobType = {
  name: 'forward',
  deadLetter: giveUpJob.name,
  heartbeatSeconds: 10,
  retryLimit: 150,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 600,
  expireInSeconds: 1_800,
  deleteAfterSeconds: 3_600,
}

/** Notifies the sender of the result of a delivery: retried for about two hours, at most 10 minutes apart. */
export const notifyJob: JobType = {
  name: 'notify-sender',
  heartbeatSeconds: 10,
  retryLimit: 21,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 600,
  expireInSeconds: 300,
  deleteAfterSeconds: 3_600,
}

/** All job types of deliveries; a dead letter queue is created before the queue that uses it. */
export const deliveryJobs: readonly JobType[] = [giveUpJob, forwardJob, notifyJob]

/** The data of a {@link forwardJob} and a {@link giveUpJob}. */
export const DeliveryJobData = v.object({ teamId: v.string(), deliveryId: v.string() })
export type DeliveryJobData = v.InferOutput<typeof DeliveryJobData>

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

const enqueue = (
  tx: Tx,
  queue: JobQueue,
  { teamId, id, apiKeyId }: { teamId: string; id: string; apiKeyId: string },
) => {
  const data: DeliveryJobData = { teamId, deliveryId: id }
  return queue.add(tx, forwardJob, data, apiKeyId)
}

/**
 * Processes a failed or ignored delivery again, from its stored event. Throws `not_found`, and
 * `validation_failed` when it cannot be replayed.
 */
export async function replayDelivery(
  ctx: Context & Pick<DeliveryDeps, 'queue'>,
  id: string,
): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    const row = await reopenRow(txCtx.sql, teamId, id)
    if (!row) {
      const { status } = await getDelivery(txCtx, id)
      throw invalidField('/status', `this delivery is ${status} and has nothing to replay`)
    }
    await enqueue(txCtx.sql, ctx.queue, { teamId, id, apiKeyId: row.api_key_id })
    const subject = `${row.adapter}, received ${row.received_at.toISOString()}`
    await recordAudit(txCtx, 'delivery_replayed', subject)
  })
}
