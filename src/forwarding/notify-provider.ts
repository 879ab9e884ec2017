import { setTimeout } from 'node:timers/promises'
import type { ProviderApi } from '../../integrations/kit/adapter.ts'
import { withTimeLimit } from '../lib/time-limit.ts'
import type { DeliveryContext, ForwardingDeps } from './load-delivery.ts'
import type { DeliveryResult } from './post-items.ts'

const notifyTimeoutMs = 10_000
const maxAttempts = 3
const retryDelayMs = 1_000

/**
 * Calls the adapter's `onDelivered` or `onFailed`, up to three times. Never throws: the delivery is
 * settled, and a failure here must not forward it again.
 */
export async function notifyProvider(
  { outbound, log }: ForwardingDeps,
  loaded: DeliveryContext,
  result: DeliveryResult,
): Promise<void> {
  const notify = notification(loaded, result)
  if (!notify) return
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      return await withTimeLimit(outbound, notifyTimeoutMs, notify)
    } catch (error) {
      const context = { delivery: loaded.delivery.id, attempt, err: error }
      log.warn(context, 'the provider could not be notified')
      if (attempt < maxAttempts) await setTimeout(attempt * retryDelayMs)
    }
  }
}

/** The call that notifies people of an outcome, if the adapter has one. */
function notification(
  { adapter, context }: DeliveryContext,
  { outcome, blocks }: DeliveryResult,
): ((provider: ProviderApi) => Promise<void>) | undefined {
  if (outcome.status === 'failed') {
    const { reason } = outcome
    return async (provider) => await adapter.onFailed?.({ ...context, provider, reason })
  }
  if (!blocks) return undefined
  return async (provider) => await adapter.onDelivered?.({ ...context, provider, blocks })
}
