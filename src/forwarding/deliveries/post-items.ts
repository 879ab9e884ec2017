import type { DeliveredBlock } from '../../../integrations/kit/adapter.ts'
import type { ActionResult } from '../../../integrations/kit/chat/actions.ts'
import type { Composed, Item } from '../../../integrations/kit/composed.ts'
import { IngestPayload } from '../../contract/blocks/ingest.ts'
import type { DeliveryOutcome } from '../../features/deliveries/index.ts'
import {
  addToRollup,
  applyUpdate,
  type BlockReference,
  hasDeletedBlock,
  type RollupResult,
  type UpdateResult,
  type UpdateSource,
  unchangedInRollup,
} from '../../features/provider-updates/index.ts'
import { type KeyContext, keyContext } from '../../lib/context.ts'
import { AppError } from '../../lib/errors.ts'
import { parseInput } from '../../lib/parse.ts'
import type { DeliveryContext, ForwardingDeps } from '../deps.ts'
import { IngestRejectedError } from './ingest-client.ts'

/** A block that contains an item of a delivery. */
export type DeliveredItem = Omit<DeliveredBlock, 'url'>

/** The result of an attempt at a delivery. */
export interface DeliveryResult {
  outcome: DeliveryOutcome
  /** The blocks that contain its items; after a withdrawal, the blocks that stay. */
  blocks?: DeliveredItem[]
  /** What became of the action of a person. */
  action?: ActionResult
}

/** What an adapter composes, of one kind. */
export type Of<Kind extends Composed['kind']> = Extract<Composed, { kind: Kind }>

/** What an item became: a block, or the reason why there is none. */
interface ItemResult {
  block?: BlockReference & { created: boolean }
  reason?: string
  rejected?: true
}

/** What the functions for the items of a delivery work with. */
export interface ItemContext {
  deps: ForwardingDeps
  delivery: DeliveryContext
  /** The time of the event by the provider's clock, if the adapter knows it. */
  sourceUpdatedAt?: Of<'items'>['sourceUpdatedAt']
}

type KeyedItem = Item & { external_id: string; index: number }

/** Posts items to ingest under content keys, and applies what they say about updates and groups. */
export async function postItems(
  deps: ForwardingDeps,
  delivery: DeliveryContext,
  { items, updateExisting, sourceUpdatedAt }: Of<'items'>,
): Promise<DeliveryResult> {
  if (items.length === 0) return ignored('The request contained no item.')
  const context = { deps, delivery, sourceUpdatedAt }
  return await postEach(context, items, async (item) => {
    if (item.group) return await (updateExisting ? updateOrGroup : postToGroup)(context, item)
    if (updateExisting) return await postOrUpdate(context, item)
    return { block: await post(context, item) }
  })
}

/** Updates the blocks of items that were sent before. */
export async function updateItems(
  deps: ForwardingDeps,
  delivery: DeliveryContext,
  { items, sourceUpdatedAt }: Of<'update'>,
): Promise<DeliveryResult> {
  const context = { deps, delivery, sourceUpdatedAt }
  return await postEach(context, items, async (item) =>
    resultOfUpdate(await update(context, item, false), false),
  )
}

const ignored = (reason: string): DeliveryResult => ({ outcome: { status: 'ignored', reason } })

/** Handles items one after the other; a rejected item does not stop the others. */
async function postEach<One extends Item>(
  { delivery: { adapter, delivery } }: ItemContext,
  items: readonly One[],
  handle: (item: One & KeyedItem) => Promise<ItemResult>,
): Promise<DeliveryResult> {
  const blocks: DeliveredItem[] = []
  const reasons: string[] = []
  let isRejected = false
  for (const [index, item] of items.entries()) {
    // Every item has a content key, so that no attempt creates a second block.
    const external_id = item.external_id ?? `${adapter.slug}:delivery:${delivery.id}:${index}`
    const result = await handle({ ...item, external_id, index }).catch(rejection)
    if (result.block) {
      const { id, title, created } = result.block
      blocks.push({ id, title, created, externalId: external_id })
    }
    const reason = [result.reason, item.withoutImage].filter(Boolean).join('; ')
    if (reason) reasons.push(items.length > 1 ? `item ${index + 1}: ${reason}` : reason)
    isRejected ||= result.rejected === true
  }
  return resultOf(blocks, reasons.join('; '), isRejected)
}

function resultOf(blocks: DeliveredItem[], reason: string, isRejected: boolean): DeliveryResult {
  const blockIds = blocks.map(({ id }) => id)
  if (isRejected) return { outcome: { status: 'failed', reason, blockIds } }
  if (blocks.length === 0) return ignored(reason)
  return { outcome: { status: 'delivered', blockIds, ...(reason && { reason }) }, blocks }
}

function rejection(error: unknown): ItemResult {
  const isRejection =
    error instanceof IngestRejectedError ||
    (error instanceof AppError && error.code === 'validation_failed')
  if (isRejection) return { reason: error.message, rejected: true }
  throw error
}

async function post({ deps, delivery: { connection, delivery } }: ItemContext, item: KeyedItem) {
  const { group: _group, withoutImage: _reason, attachment: _file, index, ...payload } = item
  const idempotencyKey = `${delivery.id}.${index}.${delivery.replays}`
  return await deps.client.post(connection.apiKey, idempotencyKey, payload)
}

async function postOrUpdate(context: ItemContext, item: KeyedItem): Promise<ItemResult> {
  if (await isDeleted(context, item)) return deleted
  const { created } = await post(context, item)
  return resultOfUpdate(await update(context, item, created), created)
}

const deleted: ItemResult = {
  reason: 'The item was received before, and its block has been deleted since.',
}

/** Whether people have deleted the block of an item. A replay creates it again, because somebody asks for that. */
const isDeleted = async (context: ItemContext, { external_id: externalId }: KeyedItem) =>
  context.delivery.delivery.replays === 0 &&
  (await hasDeletedBlock(updateContextOf(context), { source: updateSourceOf(context), externalId }))

/** Updates the block of an item that has one, and otherwise adds the item to the block of its group. */
async function updateOrGroup(context: ItemContext, item: KeyedItem): Promise<ItemResult> {
  const result = await update(context, item, false)
  if (result.kind !== 'missing') return resultOfUpdate(result, false)
  const collected = await postToGroup(context, item)
  if (collected.block?.created !== false) return collected
  // Another delivery can have created a block of its own for it in the meantime.
  const updated = await update(context, item, false)
  return updated.kind === 'missing'
    ? { ...collected, reason: unchangedInRollup }
    : resultOfUpdate(updated, false)
}

async function update(
  context: ItemContext,
  item: KeyedItem,
  isNew: boolean,
): Promise<UpdateResult> {
  return await applyUpdate(updateContextOf(context), {
    source: updateSourceOf(context),
    update: {
      externalId: item.external_id,
      text: parseInput(IngestPayload, item),
      sourceUpdatedAt: sourceUpdatedAtOf(context),
    },
    isNew,
  })
}

/** The time of the event by the provider's clock; null when the adapter does not know it. */
export function sourceUpdatedAtOf({ sourceUpdatedAt }: ItemContext): Date | null {
  const at = new Date(sourceUpdatedAt ?? Number.NaN)
  return Number.isNaN(at.getTime()) ? null : at
}

function resultOfUpdate(result: UpdateResult, created: boolean): ItemResult {
  switch (result.kind) {
    case 'updated': {
      const { block, reason } = result
      return { block: { ...block, created }, ...(reason && { reason }) }
    }
    case 'missing':
      return { reason: 'There is no block to update.' }
    case 'withdrawn':
      return { reason: 'A later event has withdrawn it.' }
  }
}

async function postToGroup(context: ItemContext, item: KeyedItem): Promise<ItemResult> {
  const { group = { key: item.external_id, name: '' }, index } = item
  const { title, body } = parseInput(IngestPayload, item)
  const ctx = updateContextOf(context)
  const input = {
    source: updateSourceOf(context),
    item: { externalId: item.external_id, title, body, index, group },
    language: context.delivery.connection.language,
  }
  const first = await addToRollup(ctx, input)
  if (first.kind !== 'standalone') return resultOfRollup(first)
  const own = await post(context, item)
  // An earlier delivery created it as a block of its own: it stays one.
  if (!own.created) return { block: own }
  return resultOfRollup(await addToRollup(ctx, { ...input, own }))
}

function resultOfRollup(result: RollupResult): ItemResult {
  return result.kind === 'in_rollup'
    ? { block: { ...result.block, created: result.added } }
    : deleted
}

/** The context for provider updates in which the connection's key is the actor. */
export function updateContextOf({ deps: { sql, now }, delivery }: ItemContext): KeyContext {
  const { connection, adapter } = delivery
  const { teamId, apiKey } = connection
  return keyContext({ sql, now }, { teamId, keyId: apiKey.id, name: adapter.name })
}

/** The delivery as the source of updates. A replay counts as received when somebody requests it. */
export function updateSourceOf({
  deps,
  delivery: { connection, delivery },
}: ItemContext): UpdateSource {
  return {
    connectionId: connection.id,
    deliveryId: delivery.id,
    receivedAt: delivery.replays > 0 ? deps.now() : delivery.received_at,
  }
}
