import * as v from 'valibot'
import {
  type ForwardingJob,
  forwarding,
  noteTrouble,
  type Outcome,
  settleDelivery,
} from '../features/deliveries/index.ts'
import { withDeadline } from '../lib/db.ts'
import type { Job } from '../lib/queue.ts'
import { type Carried, type CarryDeps, carryDelivery } from './carry.ts'

const JobData = v.object({ teamId: v.string(), deliveryId: v.string() })

/**
 * Works one job off: carries its delivery on, then stores what became of it together with the end of
 * the job. Trouble gives the job back for later, with growing delays, until its attempts are used
 * up. Once `stopping`, a job that failed is left as it is, for the next forwarder.
 */
export async function workOff(deps: CarryDeps, job: Job, stopping: () => boolean): Promise<void> {
  const data = v.parse(JobData, job.data)
  let carried: Carried | null
  try {
    carried = await carryDelivery(deps, data)
  } catch (error) {
    if (stopping()) return
    const lastAttempt = job.retryCount >= (forwarding.retryLimit ?? 0)
    if (!lastAttempt) return await giveBack(deps, job, data, error)
    carried = { outcome: { status: 'failed', reason: `Given up: ${messageOf(error)}` } }
  }
  if (await end(deps, job, data, carried?.outcome)) await tell(deps, data, carried?.tell)
}

async function giveBack(
  { sql, queue, log }: CarryDeps,
  job: Job,
  data: ForwardingJob,
  error: unknown,
): Promise<void> {
  log.warn({ delivery: data.deliveryId, attempt: job.retryCount + 1, err: error }, 'delivery waits')
  await noteTrouble(sql, data, messageOf(error))
  await queue.retry(forwarding, job)
}

/** Stores the outcome and ends the job in one transaction; false when the delivery was settled before. */
async function end(
  { sql, queue, now, log }: CarryDeps,
  job: Job,
  data: ForwardingJob,
  outcome: Outcome | undefined,
): Promise<boolean> {
  const settled = await withDeadline(
    sql.begin(async (tx) => {
      await queue.complete(tx, forwarding, job)
      return outcome !== undefined && (await settleDelivery(tx, now, data, outcome))
    }),
  )
  if (settled) log.info({ delivery: data.deliveryId, outcome: outcome?.status }, 'delivery settled')
  return settled
}

/** The news is in the library by now: a failure here must not put it there again. */
async function tell(
  { log }: CarryDeps,
  { deliveryId }: ForwardingJob,
  work: Carried['tell'],
): Promise<void> {
  await work?.().catch((error: unknown) =>
    log.warn({ delivery: deliveryId, err: error }, 'the provider could not be told'),
  )
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : 'unknown trouble')
