import type { Composed, ProviderApi } from '../../integrations/kit/adapter.ts'
import {
  type DeliveryOutcome,
  type ForwardingJob,
  saveComposedItems,
  startDeliveryAttempt,
} from '../features/deliveries/index.ts'
import { AppError } from '../lib/errors.ts'
import { composeEvent } from './compose.ts'
import { type DeliveryContext, type ForwardingDeps, loadDelivery } from './load-delivery.ts'
import { type DeliveryResult, postItems, updateItems, withdrawItems } from './post-items.ts'
import { withProvider } from './provider-api.ts'

/** What became of a delivery, and what is to be told of it. */
export interface ProcessedDelivery {
  outcome: DeliveryOutcome
  /** Tells the provider what became of it; for after the outcome is stored, and safe to repeat. */
  notify?: () => Promise<void>
}

const composeTimeoutMs = 60_000
const notifyTimeoutMs = 10_000

/**
 * Carries a delivery one attempt further: composed by its adapter, posted to ingest under its
 * connection's key. Gives null when it is settled already; throws when a later attempt may succeed,
 * unless `isLast` says that there will be none.
 */
export async function processDelivery(
  deps: ForwardingDeps,
  job: ForwardingJob,
  isLast: () => boolean,
): Promise<ProcessedDelivery | null> {
  const delivery = await startDeliveryAttempt(deps, job)
  if (!delivery) return null
  const load = await loadDelivery(deps, delivery)
  if (typeof load === 'string') return { outcome: failedOutcome(load) }
  try {
    const done = await forwardDelivery(deps, load)
    return { outcome: done.outcome, ...notification(deps, load, done) }
  } catch (error) {
    if (!isLast()) throw error
    const outcome = failedOutcome(`Given up: ${errorMessage(error)}`)
    return { outcome, ...notification(deps, load, { outcome }) }
  }
}

export const errorMessage = (error: unknown) =>
  error instanceof Error ? error.message : 'unknown trouble'

export const failedOutcome = (reason: string): DeliveryOutcome => ({ status: 'failed', reason })

const inactiveKeyResult: DeliveryResult = {
  outcome: failedOutcome('The key of the connection was revoked or has expired.'),
}

async function forwardDelivery(
  deps: ForwardingDeps,
  load: DeliveryContext,
): Promise<DeliveryResult> {
  if (!load.connection.apiKey.live) return inactiveKeyResult
  try {
    const composed = await composeOnce(deps, load)
    switch (composed.kind) {
      case 'ignored':
        return { outcome: { status: 'ignored', reason: composed.reason } }
      case 'withdraw':
        return await withdrawItems(deps, load, composed.externalIds)
      case 'revise':
        return await updateItems(deps, load, composed)
      case 'items':
        return await postItems(deps, load, composed)
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'revoked_key') return inactiveKeyResult
    throw error
  }
}

/** Composes an event, once: what came out is kept, so that a repeated post never differs from the first. */
async function composeOnce(
  { sql, outbound }: ForwardingDeps,
  load: DeliveryContext,
): Promise<Composed> {
  const { delivery } = load
  if (delivery.items !== null) return asComposed(delivery.items)
  const composed = await composeEvent(load, outbound, composeTimeoutMs)
  const repeatable = composed.kind === 'items' || composed.kind === 'revise'
  return repeatable ? await saveComposedItems(sql, delivery, composed) : composed
}

/** What {@link composeOnce} stored. */
const asComposed = (stored: unknown) => stored as Composed

/** What the adapter has to say to people about an outcome, if anything. */
function notification(
  { outbound }: ForwardingDeps,
  { adapter, context }: DeliveryContext,
  { outcome, blocks }: DeliveryResult,
): Pick<ProcessedDelivery, 'notify'> {
  const through = (work: (provider: ProviderApi) => Promise<unknown>) => ({
    notify: async () => void (await withProvider(outbound, notifyTimeoutMs, work)),
  })
  if (outcome.status === 'failed') {
    const { reason } = outcome
    return adapter.onFailed
      ? through(async (provider) => await adapter.onFailed?.({ ...context, provider, reason }))
      : {}
  }
  return adapter.onDelivered && blocks
    ? through(async (provider) => await adapter.onDelivered?.({ ...context, provider, blocks }))
    : {}
}
