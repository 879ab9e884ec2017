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
import { type Carried, carryDelivery, failure, messageOf } from './carry.ts'
import type { CarryDeps } from './load.ts'

const JobData = v.object({ teamId: v.string(), deliveryId: v.string() })

/**
 * Works one job off: carries its delivery on, then stores what became of it together with the end of
 * the job. Trouble gives the job back for later, with growing delays, until its attempts are used
 * up. Once `stopping`, a job that failed is left as it is, for the next forwarder. Gives what is left
 * to do: telling people, for which no other delivery has to wait.
 */
export async function workOff(
  deps: CarryDeps,
  job: Job,
  stopping: () => boolean,
): Promise<() => Promise<void>> {
  const data = v.parse(JobData, job.data)
  const isLast = () => job.retryCount >= (forwarding.retryLimit ?? 0) && !stopping()
  let carried: Carried | null
  try {
    carried = await carryDelivery(deps, data, isLast)
  } catch (error) {
    if (stopping()) return nothingToTell
    if (!isLast()) {
      await giveBack(deps, job, data, error)
      return nothingToTell
    }
    carried = { outcome: failure(`Given up: ${messageOf(error)}`) }
  }
  const settled = await end(deps, job, data, carried?.outcome)
  const { tell } = carried ?? {}
  return settled && tell ? () => tellPatiently(deps, data, tell) : nothingToTell
}

const nothingToTell = async () => {}

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

const tellTries = 3
const tellAgainMs = 1_000

/** The delivery is settled by now: whatever fails here must not carry it once more. */
async function tellPatiently(
  { log }: CarryDeps,
  { deliveryId }: ForwardingJob,
  tell: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; attempt <= tellTries; attempt++) {
    try {
      return await tell()
    } catch (error) {
      log.warn({ delivery: deliveryId, attempt, err: error }, 'the provider could not be told')
      if (attempt < tellTries) await after(attempt * tellAgainMs)
    }
  }
}

const after = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))
