import * as v from 'valibot'
import { publishHomeJob } from '../features/chat-homes/index.ts'
import { sendMessageJob, updateMessageJob } from '../features/chat-messages/index.ts'
import {
  DeliveryJobData,
  deliveryJobs,
  forwardJob,
  giveUpJob,
  notifyJob,
} from '../features/deliveries/index.ts'
import { postJob } from '../features/newsletter-posts/index.ts'
import type { JobType, Workers } from '../lib/queue/index.ts'
import { publishChatHome } from './chat-messages/homes.ts'
import { createLimiters } from './chat-messages/message-context.ts'
import { sendChatMessage, updateChatMessage } from './chat-messages/send.ts'
import { createIngestClient } from './deliveries/ingest-client.ts'
import { notifySender } from './deliveries/notify-sender.ts'
import { giveUpDelivery, processDelivery } from './deliveries/process-delivery.ts'
import type { ForwardingDeps } from './deps.ts'
import { postToChannel } from './post-newsletter.ts'

/** The job types of the forwarder. */
export const forwarderJobs: readonly JobType[] = [
  ...deliveryJobs,
  postJob,
  sendMessageJob,
  updateMessageJob,
  publishHomeJob,
]

export interface ForwarderDeps extends Omit<ForwardingDeps, 'client'> {
  /** The base URL of ingest, without a slash at the end. */
  ingestUrl: string
}

// A delivery whose key is over its limit waits in its worker, so a busy key occupies at most two.
const forwarding = { concurrency: 16, concurrencyPerGroup: 2 }
const givingUp = { concurrency: 1 }
// A connection whose chat is slow does not delay the others.
const messaging = { concurrency: 4, concurrencyPerGroup: 1 }

/**
 * Starts to forward deliveries to ingest and newsletters to chats. Any number of processes can forward on one database: the
 * queue gives each delivery to one of them, and ingest enforces the limit of each key over all.
 */
export async function startForwarder(given: ForwarderDeps): Promise<Workers> {
  const { queue, ingestUrl } = given
  const deps = { ...given, client: createIngestClient({ baseUrl: ingestUrl }) }
  const limiterOf = createLimiters()
  const workers = [
    await queue.work(forwardJob, forwarding, (job) =>
      processDelivery(deps, v.parse(DeliveryJobData, job.data)),
    ),
    await queue.work(giveUpJob, givingUp, (job) =>
      giveUpDelivery(deps, v.parse(DeliveryJobData, job.data)),
    ),
    await queue.work(notifyJob, messaging, (job) => notifySender(deps, limiterOf, job)),
    await queue.work(postJob, messaging, (job) => postToChannel(deps, limiterOf, job)),
    await queue.work(sendMessageJob, messaging, (job) => sendChatMessage(deps, limiterOf, job)),
    await queue.work(updateMessageJob, messaging, (job) => updateChatMessage(deps, limiterOf, job)),
    await queue.work(publishHomeJob, messaging, (job) => publishChatHome(deps, limiterOf, job)),
  ]
  return { stop: async () => void (await Promise.all(workers.map((worker) => worker.stop()))) }
}
