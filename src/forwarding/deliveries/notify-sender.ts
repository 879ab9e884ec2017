import * as v from 'valibot'
import type { DeliveredBlock } from '../../../integrations/kit/adapter.ts'
import { ProviderError, UnconfirmedError } from '../../../integrations/kit/provider-error.ts'
import type { ProviderApi } from '../../../integrations/kit/requests/provider-request.ts'
import { webhookUrl } from '../../features/connections/index.ts'
import {
  DeliveryJobData,
  endSenderNotification,
  findSenderNotification,
  postponeSenderNotification,
  startSenderNotification,
} from '../../features/deliveries/index.ts'
import { createReceipt } from '../../features/receipts/index.ts'
import { withTimeLimit } from '../../lib/concurrency/time-limit.ts'
import { systemContext } from '../../lib/context.ts'
import { FinalError, type Job } from '../../lib/queue/index.ts'
import type { LimiterOf } from '../chat-messages/message-context.ts'
import type { DeliveryContext, ForwardingDeps } from '../deps.ts'
import { loadConnection } from '../load-connection.ts'
import { recordTokenError } from '../tokens/record-error.ts'
import type { DeliveredItem, DeliveryResult } from './post-items.ts'
import { retryError } from './retry-error.ts'

const notifyTimeoutMs = 10_000
const maxOtherAttempts = 3

type NotifyDeps = Omit<ForwardingDeps, 'client'>

/** Whether the adapter of a delivery notifies its sender of a result. */
export const isNotifying = ({ adapter }: DeliveryContext, result: DeliveryResult): boolean => {
  if (result.outcome.status === 'failed') return adapter.onFailed !== undefined
  if (result.action) return adapter.onAction !== undefined
  return result.blocks !== undefined && adapter.onDelivered !== undefined
}

/**
 * Calls the adapter's `onDelivered`, `onAction` or `onFailed` for a settled delivery. An attempt that was interrupted
 * may have sent its message, so none follows it: no message is sent twice. Throws when a later attempt can succeed.
 */
export async function notifySender(
  deps: NotifyDeps,
  limiterOf: LimiterOf,
  job: Job,
): Promise<void> {
  const data = v.parse(DeliveryJobData, job.data)
  const notify = await notification(deps, data)
  if (!notify) return await endSenderNotification(deps, data)
  const { connectionId, intervalMs } = notify
  const startedAt = deps.now()
  try {
    await limiterOf(connectionId, intervalMs, 'reply').schedule(async () => {
      if (await startSenderNotification(deps, data))
        await withTimeLimit(deps.outbound, notifyTimeoutMs, notify.work)
    })
    await endSenderNotification(deps, data)
  } catch (error) {
    deps.log.warn({ delivery: data.deliveryId, err: error }, 'the provider could not be notified')
    await recordTokenError(deps, { teamId: data.teamId, connectionId, startedAt }, error)
    if (!isHopeless(error, job)) {
      await postponeSenderNotification(deps, data)
      throw retryError(error)
    }
    await endSenderNotification(deps, data)
    throw new FinalError(error instanceof Error ? error.message : 'The sender was not notified.')
  }
}

/**
 * Whether no attempt follows. The person may have a message that was not confirmed; another error than one of the chat
 * may come after a message that was sent, so it is not repeated often.
 */
function isHopeless(error: unknown, { attempt, isLastAttempt }: Job): boolean {
  if (isLastAttempt || error instanceof UnconfirmedError) return true
  return error instanceof ProviderError ? error.problem === 'refused' : attempt >= maxOtherAttempts
}

interface Call {
  connectionId: string
  /** The time between two messages that the chat takes. */
  intervalMs: number
  work(provider: ProviderApi): Promise<void>
}

/** The call that notifies the sender; undefined when nobody is notified any more. */
async function notification(deps: NotifyDeps, job: DeliveryJobData): Promise<Call | undefined> {
  const found = await findSenderNotification(deps, job)
  const loaded = found && (await loadConnection(deps, { ...job, ...found }))
  if (!found || !loaded || typeof loaded === 'string') return undefined
  const { adapter, connection, settings } = loaded
  // Nothing more is sent to a workspace that has removed the app.
  if (connection.isDisconnected) return undefined
  const call = { connectionId: found.connectionId, intervalMs: adapter.messaging?.intervalMs ?? 0 }
  const { event, ephemeralContext, result } = asStored(found)
  const { language } = connection
  const context = { event, ephemeralContext, settings, now: deps.now(), language }
  const { outcome, blocks, action } = result
  if (outcome.status === 'failed') {
    const { reason } = outcome
    const work = async (provider: ProviderApi) =>
      await adapter.onFailed?.({ ...context, provider, reason })
    return { ...call, work }
  }
  const urlOf = () => webhookUrl(deps.baseUrl, adapter.slug, connection.webhookToken)
  if (action) {
    const team = deps.teamOf(connection)
    const work = async (provider: ProviderApi) =>
      await adapter.onAction?.({ ...context, provider, webhookUrl: urlOf(), result: action, team })
    return { ...call, work }
  }
  const work = async (provider: ProviderApi) =>
    await adapter.onDelivered?.({
      ...context,
      provider,
      webhookUrl: urlOf(),
      blocks: await withReceipts(deps, connection.teamId, blocks ?? []),
    })
  return { ...call, work }
}

interface StoredNotification
  extends Pick<DeliveryContext['context'], 'event' | 'ephemeralContext'> {
  result: DeliveryResult
}

/** Only this module stores and reads it. */
const asStored = (found: unknown) => found as StoredNotification

/** Blocks with the page for their senders, who may have no account, as their address. */
async function withReceipts(
  { sql, now, baseUrl }: NotifyDeps,
  teamId: string,
  blocks: readonly DeliveredItem[],
): Promise<DeliveredBlock[]> {
  const ctx = systemContext({ sql, now }, teamId)
  return await Promise.all(
    blocks.map(async (block) => ({
      ...block,
      url: baseUrl + (await createReceipt(ctx, { blockId: block.id })),
    })),
  )
}
