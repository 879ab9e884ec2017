import {
  type DeliveryOutcome,
  findSavedByOthers,
  hasEarlierWaiting,
  saveComposedItems,
  type WaitingDelivery,
} from '../../features/deliveries/index.ts'
import { deleteEvents } from '../../features/events/index.ts'
import { applyWithdrawal, type WithdrawnBlock } from '../../features/provider-updates/index.ts'
import { inTransaction, type TxContext } from '../../lib/context.ts'
import type { DeliveryContext, ForwardingDeps } from '../deps.ts'
import {
  type DeliveryResult,
  type ItemContext,
  type Of,
  updateContextOf,
  updateSourceOf,
} from './post-items.ts'

/** A withdrawal; `hasRemoved` is stored with the delivery when an attempt removes a block. */
type Withdrawal = Of<'withdraw'> & { hasRemoved?: true }

/**
 * Withdraws items that the connection sent before. What is there goes at once, and what an earlier delivery can still
 * create once that is settled: then a later attempt follows. What stays when another event has saved it goes only once
 * all earlier deliveries are settled.
 */
export async function withdrawItems(
  deps: ForwardingDeps,
  delivery: DeliveryContext,
  withdrawal: Withdrawal,
): Promise<DeliveryResult> {
  const isEarly = await hasEarlierWaiting(deps, delivery.delivery)
  const context = { deps, delivery }
  if (isEarly && withdrawal.savedBy !== undefined) throw early()
  const found = await withdraw(context, withdrawal)
  if (isEarly) throw early()
  const kept = found.filter(({ removed }) => !removed)
  if (kept.length === 0) {
    const { receivedAt: at } = updateSourceOf(context)
    await deleteEvents(updateContextOf(context), { slugs: withdrawal.eventSlugs ?? [], at })
  }
  const hasRemoved = kept.length < found.length || withdrawal.hasRemoved === true
  const outcome: DeliveryOutcome = hasRemoved
    ? { status: 'withdrawn' }
    : { status: 'withdrawn', reason: 'There was no unused block to withdraw.' }
  const blocks = kept.map(({ id, title, externalId }) => ({
    id,
    title,
    externalId,
    created: false,
  }))
  return { outcome, blocks }
}

const early = () => new Error('An earlier delivery of this connection is still waiting.')

/** Stores in the same transaction that a block was removed, because a later attempt finds none. */
async function withdraw(context: ItemContext, withdrawal: Withdrawal): Promise<WithdrawnBlock[]> {
  const { createdAfter } = withdrawal
  const { delivery } = context.delivery
  return await inTransaction(updateContextOf(context), async (txCtx) => {
    const found = await applyWithdrawal(txCtx, {
      source: updateSourceOf(context),
      externalIds: await onlySavedBy(txCtx, delivery, withdrawal),
      createdAfter: createdAfter === undefined ? null : new Date(createdAfter),
    })
    if (found.some(({ removed }) => removed))
      await saveComposedItems(txCtx, delivery, { ...withdrawal, hasRemoved: true })
    return found
  })
}

/** The items of a withdrawal without those that other events have saved, too. */
async function onlySavedBy(
  { sql }: TxContext,
  delivery: WaitingDelivery,
  { externalIds, createdAfter, savedBy: prefix }: Withdrawal,
): Promise<string[]> {
  if (prefix === undefined) return externalIds
  const since = new Date(createdAfter ?? 0)
  const others = await findSavedByOthers({ sql }, delivery, { externalIds, prefix, since })
  return externalIds.filter((id) => !others.includes(id))
}
