import type { Composed, ProviderApi } from '../../integrations/adapter.ts'
import {
  attemptDelivery,
  type ForwardingJob,
  keepItems,
  type Outcome,
} from '../features/deliveries/index.ts'
import { AppError } from '../lib/errors.ts'
import { composeEvent } from './compose.ts'
import { type CarryDeps, type Load, loadDelivery } from './load.ts'
import { type Done, postItems, reviseItems, withdrawItems } from './outcome.ts'
import { withProvider } from './provider.ts'

/** What became of a delivery, and what is to be told of it. */
export interface Carried {
  outcome: Outcome
  /** Tells the provider what became of it; for after the outcome is stored, and safe to repeat. */
  tell?: () => Promise<void>
}

const composeMs = 60_000
const tellMs = 10_000

/**
 * Carries a delivery one attempt further: composed by its adapter, posted to ingest under its
 * connection's key. Gives null when it is settled already; throws when a later attempt may succeed,
 * unless `isLast` says that there will be none.
 */
export async function carryDelivery(
  deps: CarryDeps,
  job: ForwardingJob,
  isLast: () => boolean,
): Promise<Carried | null> {
  const delivery = await attemptDelivery(deps, job)
  if (!delivery) return null
  const load = await loadDelivery(deps, delivery)
  if (typeof load === 'string') return { outcome: failure(load) }
  try {
    const done = await carryOn(deps, load)
    return { outcome: done.outcome, ...telling(deps, load, done) }
  } catch (error) {
    if (!isLast()) throw error
    const outcome = failure(`Given up: ${messageOf(error)}`)
    return { outcome, ...telling(deps, load, { outcome }) }
  }
}

export const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : 'unknown trouble'

export const failure = (reason: string): Outcome => ({ status: 'failed', reason })

const deadKey: Done = { outcome: failure('The key of the connection was revoked or has expired.') }

async function carryOn(deps: CarryDeps, load: Load): Promise<Done> {
  if (!load.connection.apiKey.live) return deadKey
  try {
    const composed = await composeOnce(deps, load)
    switch (composed.kind) {
      case 'ignored':
        return { outcome: { status: 'ignored', reason: composed.reason } }
      case 'withdraw':
        return await withdrawItems(deps, load, composed.externalIds)
      case 'revise':
        return await reviseItems(deps, load, composed)
      case 'items':
        return await postItems(deps, load, composed)
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'revoked_key') return deadKey
    throw error
  }
}

/** Composes an event, once: what came out is kept, so that a repeated post never differs from the first. */
async function composeOnce({ sql, outbound }: CarryDeps, load: Load): Promise<Composed> {
  const { delivery } = load
  if (delivery.items !== null) return asComposed(delivery.items)
  const composed = await composeEvent(load, outbound, composeMs)
  const repeatable = composed.kind === 'items' || composed.kind === 'revise'
  return repeatable ? await keepItems(sql, delivery, composed) : composed
}

/** What {@link composeOnce} stored. */
const asComposed = (stored: unknown) => stored as Composed

/** What the adapter has to say to people about an outcome, if anything. */
function telling(
  { outbound }: CarryDeps,
  { adapter, context }: Load,
  { outcome, blocks }: Done,
): Pick<Carried, 'tell'> {
  const through = (work: (provider: ProviderApi) => Promise<unknown>) => ({
    tell: async () => void (await withProvider(outbound, tellMs, work)),
  })
  if (outcome.status === 'failed') {
    const { reason } = outcome
    return adapter.failed
      ? through(async (provider) => await adapter.failed?.({ ...context, provider, reason }))
      : {}
  }
  return adapter.landed && blocks
    ? through(async (provider) => await adapter.landed?.({ ...context, provider, blocks }))
    : {}
}
