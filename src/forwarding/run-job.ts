import * as v from 'valibot'
import {
  completeDelivery,
  type DeliveryOutcome,
  type ForwardingJob,
  forwarding,
  recordFailure,
} from '../features/deliveries/index.ts'
import { withDeadline } from '../lib/db.ts'
import type { Job } from '../lib/queue.ts'
import type { ForwardingDeps } from './load-delivery.ts'
import {
  errorMessage,
  failedOutcome,
  type ProcessedDelivery,
  processDelivery,
} from './process-delivery.ts'

const JobData = v.object({ teamId: v.string(), deliveryId: v.string() })

/**
 * Works one job off: carries its delivery on, then stores what became of it together with the end of
 * the job. Trouble gives the job back for later, with growing delays, until its attempts are used
 * up. Once `stopping`, a job that failed is left as it is, for the next forwarder. Gives what is left
 * to do: telling people, for which no other delivery has to wait.
 */
export async function runJob(
  deps: ForwardingDeps,
  job: Job,
  stopping: () => boolean,
): Promise<() => Promise<void>> {
  const data = v.parse(JobData, job.data)
  const isLast = () => job.retryCount >= (forwarding.retryLimit ?? 0) && !stopping()
  let carried: ProcessedDelivery | null
  try {
    carried = await processDelivery(deps, data, isLast)
  } catch (error) {
    if (stopping()) return noNotification
    if (!isLast()) {
      await scheduleRetry(deps, job, data, error)
      return noNotification
    }
    carried = { outcome: failedOutcome(`Given up: ${errorMessage(error)}`) }
  }
  const settled = await completeJob(deps, job, data, carried?.outcome)
  const { notify: tell } = carried ?? {}
  return settled && tell ? () => notifyWithRetry(deps, data, tell) : noNotification
}

const noNotification = async () => {}

async function scheduleRetry(
  { sql, queue, log }: ForwardingDeps,
  job: Job,
  data: ForwardingJob,
  error: unknown,
): Promise<void> {
  log.warn({ delivery: data.deliveryId, attempt: job.retryCount + 1, err: error }, 'delivery waits')
  await recordFailure(sql, data, errorMessage(error))
  await queue.retry(forwarding, job)
}

/** Stores the outcome and ends the job in one transaction; false when the delivery was settled before. */
async function completeJob(
  { sql, queue, now, log }: ForwardingDeps,
  job: Job,
  data: ForwardingJob,
  outcome: DeliveryOutcome | undefined,
): Promise<boolean> {
  const settled = await withDeadline(
    sql.begin(async (tx) => {
      await queue.complete(tx, forwarding, job)
      return outcome !== undefined && (await completeDelivery(tx, now, data, outcome))
    }),
  )
  if (settled) log.info({ delivery: data.deliveryId, outcome: outcome?.status }, 'delivery settled')
  return settled
}

const notifyAttempts = 3
const notifyRetryMs = 1_000

/** The delivery is settled by now: whatever fails here must not carry it once more. */
async function notifyWithRetry(
  { log }: ForwardingDeps,
  { deliveryId }: ForwardingJob,
  tell: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; attempt <= notifyAttempts; attempt++) {
    try {
      return await tell()
    } catch (error) {
      log.warn({ delivery: deliveryId, attempt, err: error }, 'the provider could not be told')
      if (attempt < notifyAttempts) await after(attempt * notifyRetryMs)
    }
  }
}

const after = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))
