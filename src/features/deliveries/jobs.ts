import * as v from 'valibot'
import type { JobType } from '../../lib/queue/index.ts'

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
