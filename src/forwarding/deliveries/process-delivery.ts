import type { Contributors } from '../../../integrations/kit/chat/contributors.ts'
import type { Composed } from '../../../integrations/kit/composed.ts'
import { ProviderError } from '../../../integrations/kit/provider-error.ts'
import type { Json } from '../../../integrations/kit/requests/received.ts'
import { applyConnectionSettings } from '../../features/connections/index.ts'
import {
  completeDelivery,
  type DeliveryJobData,
  findWaitingDelivery,
  recordFailure,
  saveComposedItems,
  startDeliveryAttempt,
  type WaitingDelivery,
} from '../../features/deliveries/index.ts'
import { withTimeLimit } from '../../lib/concurrency/time-limit.ts'
import { AppError } from '../../lib/errors.ts'
import { measure } from '../../lib/measurements.ts'
import { converseWith, endWithItems } from '../converse.ts'
import type { DeliveryContext, ForwardingDeps } from '../deps.ts'
import { loadConnection } from '../load-connection.ts'
import { performAction } from '../perform-action.ts'
import { applySettings, reapplySettings } from './apply-settings.ts'
import { isNotifying } from './notify-sender.ts'
import { type DeliveryResult, type Of, postItems, updateItems } from './post-items.ts'
import { retryError } from './retry-error.ts'
import { storeAttachments } from './store-attachments.ts'
import { storeCalendarEvents } from './store-calendar-events.ts'
import { findContributors, markPrivate, storeContributors } from './store-contributors.ts'
import { withdrawItems } from './withdraw-items.ts'

const composeTimeoutMs = 60_000

/**
 * Makes one attempt at a delivery: its adapter composes the items, ingest gets them under the key of
 * its connection, the outcome is stored with a job that notifies the sender. Does nothing when the delivery is
 * settled. Throws when a later attempt can succeed; the reason is stored.
 */
export async function processDelivery(deps: ForwardingDeps, job: DeliveryJobData): Promise<void> {
  const delivery = await startDeliveryAttempt(deps, job)
  if (!delivery) return
  const loaded = await loadDelivery(deps, delivery)
  if (typeof loaded === 'string') return await settle(deps, job, failed(loaded))
  try {
    await settle(deps, job, await forwardDelivery(deps, loaded), loaded)
  } catch (error) {
    deps.log.warn({ delivery: delivery.id, err: error }, 'delivery waits for its next attempt')
    const problem = error instanceof ProviderError ? error.problem : null
    if (problem) measure('providerError', { adapter: loaded.adapter.slug, problem })
    await recordFailure(deps, job, { reason: errorMessage(error), problem })
    throw retryError(error)
  }
}

/** Settles a delivery as failed after its last attempt. */
export async function giveUpDelivery(deps: ForwardingDeps, job: DeliveryJobData): Promise<void> {
  const delivery = await findWaitingDelivery(deps, job)
  if (!delivery) return
  const loaded = await loadDelivery(deps, delivery)
  const result = failed(`Given up: ${delivery.reason ?? 'every attempt was interrupted'}`)
  await settle(deps, job, result, typeof loaded === 'string' ? undefined : loaded)
}

/** Loads what a delivery needs. Returns the reason when that is not possible. */
async function loadDelivery(
  deps: ForwardingDeps,
  delivery: WaitingDelivery,
): Promise<DeliveryContext | string> {
  const { team_id: teamId, connection_id: connectionId, event, ephemeralContext } = delivery
  const loaded = await loadConnection(deps, { teamId, connectionId })
  if (typeof loaded === 'string') return loaded
  const { connection, adapter, settings } = loaded
  const { language } = connection
  const now = deps.now()
  const context = { event, ephemeralContext: asJson(ephemeralContext), settings, now, language }
  return { delivery, connection, adapter, context }
}

/** `ephemeralContext` was stored as encrypted JSON. */
const asJson = (ephemeralContext: unknown) => ephemeralContext as Json

const errorMessage = (error: unknown) => (error instanceof Error ? error.message : 'unknown error')

const failed = (reason: string): DeliveryResult => ({ outcome: { status: 'failed', reason } })

/** Stores the outcome, and the job that notifies the sender. A repeated job finds the delivery settled. */
async function settle(
  deps: ForwardingDeps,
  job: DeliveryJobData,
  result: DeliveryResult,
  loaded?: DeliveryContext,
): Promise<void> {
  const toSend = loaded && isNotifying(loaded, result) ? notificationOf(loaded, result) : null
  if (!(await completeDelivery(deps, job, result.outcome, toSend))) return
  const outcome = result.outcome.status
  deps.log.info({ delivery: job.deliveryId, outcome }, 'delivery settled')
  measure('deliverySettled', { adapter: loaded?.adapter.slug ?? 'removed', outcome })
}

const notificationOf = ({ connection, context }: DeliveryContext, result: DeliveryResult) => ({
  connectionId: connection.id,
  event: context.event,
  ephemeralContext: context.ephemeralContext,
  result,
})

const inactiveKey = failed('The key of the connection was revoked or has expired.')

async function forwardDelivery(
  deps: ForwardingDeps,
  loaded: DeliveryContext,
): Promise<DeliveryResult> {
  if (!loaded.connection.apiKey.isActive) return inactiveKey
  try {
    const composed = await composeOnce(deps, loaded)
    switch (composed.kind) {
      case 'ignored':
        return { outcome: { status: 'ignored', reason: composed.reason } }
      case 'withdraw':
        return await withdrawItems(deps, loaded, composed)
      case 'update':
        return await updateItems(deps, loaded, composed)
      case 'action':
        return await performAction(deps, loaded, composed)
      case 'message': {
        const said = await converseWith(deps, loaded, composed.message)
        return said ? await forwardItems(deps, loaded, said.items, said.contributors) : replied
      }
      case 'items':
        return await forwardItems(deps, loaded, composed)
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'revoked_key') return inactiveKey
    throw error
  }
}

const replied: DeliveryResult = {
  outcome: { status: 'ignored', reason: 'The bot has replied to the message.' },
}

async function forwardItems(
  deps: ForwardingDeps,
  loaded: DeliveryContext,
  given: Of<'items'>,
  known?: Contributors,
): Promise<DeliveryResult> {
  const hasPeople = loaded.adapter.contributors !== undefined
  const contributors =
    known ?? (hasPeople ? await findContributors(deps, loaded, given) : undefined)
  const composed = contributors?.fromPrivate ? await markPrivate(deps, loaded, given) : given
  const hasAttachments = composed.items.some(({ attachment }) => attachment)
  const items = hasAttachments ? await storeAttachments(deps, loaded, composed) : composed
  const hasEvents = items.items.some(({ calendarEvent }) => calendarEvent)
  const dated = hasEvents ? await storeCalendarEvents(deps, loaded, items) : items
  const result = await postItems(deps, loaded, dated)
  if (contributors) await storeContributors(deps, loaded, result, contributors)
  return result
}

/**
 * Composes an event once: the items are stored, so that a repeated post never differs from the first. The settings of the
 * connection can have been changed before a replay.
 */
async function composeOnce(deps: ForwardingDeps, loaded: DeliveryContext): Promise<Composed> {
  const { adapter, connection, context, delivery } = loaded
  if (delivery.items !== null) {
    const stored = readStoredItems(delivery.items)
    const isKept = stored.kind === 'items' && (stored.fromConversation || stored.fromPrivate)
    return isKept && delivery.replays > 0 ? reapplySettings(stored, connection) : stored
  }
  const composed = await withTimeLimit(deps.outbound, composeTimeoutMs, (provider) =>
    adapter.compose({ ...context, provider }),
  )
  if (composed.kind !== 'items' && composed.kind !== 'update') return composed
  if (composed.kind === 'items' && composed.continues)
    return await endWithItems(deps, loaded, { ...composed, continues: composed.continues })
  const items =
    composed.kind === 'items'
      ? applySettings(composed, connection)
      : applyConnectionSettings(composed, connection.common)
  return await saveComposedItems(deps, delivery, items)
}

/** What an earlier version stored: it named an update `revise`, `updateExisting` `replace`, and `sourceUpdatedAt` `asOf`. */
interface EarlierItems {
  kind: string
  replace?: true
  asOf?: string
}

/** Reads what {@link composeOnce} stored. */
function readStoredItems(items: unknown): Composed {
  const { replace, asOf, ...stored } = items as EarlierItems
  const kind = stored.kind === 'revise' ? 'update' : stored.kind
  const updateExisting = replace && { updateExisting: replace }
  const time = asOf && { sourceUpdatedAt: asOf }
  return { ...stored, kind, ...updateExisting, ...time } as Composed
}
