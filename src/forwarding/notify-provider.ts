import { setTimeout } from 'node:timers/promises'
import type { DeliveredBlock } from '../../integrations/kit/adapter.ts'
import type { ProviderApi } from '../../integrations/kit/provider-request.ts'
import { webhookUrl } from '../features/connections/index.ts'
import { createReceipt } from '../features/receipts/index.ts'
import { withTimeLimit } from '../lib/concurrency/time-limit.ts'
import { systemContext } from '../lib/context.ts'
import type { DeliveryContext, ForwardingDeps } from './deps.ts'
import type { DeliveredItem, DeliveryResult } from './post-items.ts'

const notifyTimeoutMs = 10_000
const maxAttempts = 3
const retryDelayMs = 1_000

/**
 * Calls the adapter's `onDelivered` or `onFailed`, up to three times. Never throws: the delivery is
 * settled, and a failure here must not forward it again.
 */
export async function notifyProvider(
  deps: ForwardingDeps,
  loaded: DeliveryContext,
  result: DeliveryResult,
): Promise<void> {
  // Nothing more is sent to a workspace that has removed the app.
  if (loaded.connection.isDisconnected) return
  const { outbound, log } = deps
  const notify = notification(deps, loaded, result)
  if (!notify) return
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      return await withTimeLimit(outbound, notifyTimeoutMs, notify)
    } catch (error) {
      const context = { delivery: loaded.delivery.id, attempt, err: error }
      log.warn(context, 'the provider could not be notified')
      // A provider that just failed needs a moment; the delivery is settled, so nothing waits for this.
      if (attempt < maxAttempts) await setTimeout(attempt * retryDelayMs)
    }
  }
}

/** The call that notifies people of an outcome, if the adapter has one. */
function notification(
  deps: ForwardingDeps,
  { adapter, context, connection }: DeliveryContext,
  { outcome, blocks, action }: DeliveryResult,
): ((provider: ProviderApi) => Promise<void>) | undefined {
  if (outcome.status === 'failed') {
    const { reason } = outcome
    return async (provider) => await adapter.onFailed?.({ ...context, provider, reason })
  }
  const hook = () => webhookUrl(deps.baseUrl, adapter.slug, connection.webhookToken)
  if (action)
    return async (provider) => {
      const team = deps.teamOf(connection)
      await adapter.onAction?.({ ...context, provider, hook: hook(), result: action, team })
    }
  const { onDelivered } = adapter
  if (!blocks || !onDelivered) return undefined
  return async (provider) =>
    await onDelivered({
      ...context,
      provider,
      hook: hook(),
      blocks: await withReceipts(deps, connection.teamId, blocks),
    })
}

/** Blocks with the page for their senders, who may have no account, as their address. */
async function withReceipts(
  { sql, now, baseUrl }: ForwardingDeps,
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
