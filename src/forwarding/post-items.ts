import type { Composed, DeliveredBlock, Item } from '../../integrations/kit/adapter.ts'
import { IngestPayload } from '../contract/ingest.ts'
import { type DeliveryOutcome, hasEarlierWaiting } from '../features/deliveries/index.ts'
import {
  addToRollup,
  applyUpdate,
  applyWithdrawal,
  type BlockReference,
  type RollupResult,
  type UpdateResult,
  type UpdateSource,
} from '../features/provider-updates/index.ts'
import { AppError } from '../lib/errors.ts'
import { parseInput } from '../lib/parse.ts'
import { IngestRejectedError } from './ingest-client.ts'
import type { DeliveryContext, ForwardingDeps } from './load-delivery.ts'

/** The result of a delivery. */
export interface DeliveryResult {
  outcome: DeliveryOutcome
  /** The blocks that contain the items; after a withdrawal, the blocks that stay. */
  blocks?: DeliveredBlock[]
}

type Of<Kind extends Composed['kind']> = Extract<Composed, { kind: Kind }>

/** The result of one item: a block, or the reason why there is none. */
interface ItemResult {
  block?: BlockReference & { created: boolean }
  reason?: string
  refused?: true
}

/**
 * Posts items to ingest under their content keys. Items can replace their block or be added to a
 * roll-up.
 */
export async function postItems(
  deps: ForwardingDeps,
  load: DeliveryContext,
  composed: Of<'items'>,
): Promise<DeliveryResult> {
  if (composed.items.length === 0) return ignored('There was nothing to tell.')
  return await postEach(deps, load, composed.items, async (item, index) => {
    if (composed.replace) return await replace(deps, load, composed, item, index)
    if (item.group) return await addToGroup(deps, load, item, index)
    return { block: await post(deps, load, item, index) }
  })
}

/** Updates the blocks of items that were posted before. */
export async function updateItems(
  deps: ForwardingDeps,
  load: DeliveryContext,
  composed: Of<'revise'>,
): Promise<DeliveryResult> {
  return await postEach(deps, load, composed.items, async (item) =>
    placedAs(await tellAgain(deps, load, composed, item, false), false),
  )
}

/**
 * Removes blocks of the connection. Throws while an earlier delivery that could create them again
 * is waiting.
 */
export async function withdrawItems(
  deps: ForwardingDeps,
  load: DeliveryContext,
  externalIds: readonly string[],
): Promise<DeliveryResult> {
  if (await hasEarlierWaiting(deps.sql, load.delivery)) {
    throw new Error('An earlier delivery of this connection is still on its way.')
  }
  const found = await applyWithdrawal(deps.sql, tellerOf(deps, load), externalIds)
  const kept = found.filter(({ removed }) => !removed)
  const outcome: DeliveryOutcome =
    kept.length < found.length
      ? { status: 'withdrawn' }
      : { status: 'withdrawn', reason: 'There was no unused block to take back.' }
  const blocks = kept.map(({ externalId, ...block }) =>
    landed(deps, { ...block, created: false }, externalId),
  )
  return { outcome, blocks }
}

const ignored = (reason: string): DeliveryResult => ({ outcome: { status: 'ignored', reason } })

/** Handles items one after the other. An item that ingest rejects does not stop the others. */
async function postEach<One extends Item>(
  deps: ForwardingDeps,
  { adapter, delivery }: DeliveryContext,
  items: readonly One[],
  place: (item: One & { external_id: string }, index: number) => Promise<ItemResult>,
): Promise<DeliveryResult> {
  const blocks: DeliveredBlock[] = []
  const reasons: string[] = []
  let refused = false
  for (const [index, item] of items.entries()) {
    // Every item has a content key, so that no attempt creates a second block.
    const external_id = item.external_id ?? `${adapter.slug}:delivery:${delivery.id}:${index}`
    const placed = await place({ ...item, external_id }, index).catch(refusal)
    if (placed.block) blocks.push(landed(deps, placed.block, external_id))
    if (placed.reason) {
      reasons.push(items.length > 1 ? `item ${index + 1}: ${placed.reason}` : placed.reason)
    }
    refused ||= placed.refused === true
  }
  return doneWith(blocks, reasons.join('; '), refused)
}

function doneWith(blocks: DeliveredBlock[], reason: string, refused: boolean): DeliveryResult {
  const blockIds = blocks.map(({ id }) => id)
  if (refused) return { outcome: { status: 'failed', reason, blockIds } }
  if (blocks.length === 0) return ignored(reason)
  return { outcome: { status: 'delivered', blockIds, ...(reason && { reason }) }, blocks }
}

function refusal(error: unknown): ItemResult {
  const isRefusal =
    error instanceof IngestRejectedError ||
    (error instanceof AppError && error.code === 'validation_failed')
  if (isRefusal) return { reason: error.message, refused: true }
  throw error
}

const landed = (
  { baseUrl }: ForwardingDeps,
  { id, title, created }: BlockReference & { created: boolean },
  externalId: string,
): DeliveredBlock => ({ id, title, created, externalId, url: `${baseUrl}/library/${id}` })

type KeyedItem = Item & { external_id: string }

async function post(
  { client }: ForwardingDeps,
  { connection, delivery }: DeliveryContext,
  item: Item,
  index: number,
) {
  const { group: _, ...payload } = item
  return await client.post(
    connection.apiKey,
    `${delivery.id}.${index}.${delivery.replays}`,
    payload,
  )
}

async function replace(
  deps: ForwardingDeps,
  load: DeliveryContext,
  composed: Of<'items'>,
  item: KeyedItem,
  index: number,
): Promise<ItemResult> {
  const { created } = await post(deps, load, item, index)
  return placedAs(await tellAgain(deps, load, composed, item, created), created)
}

async function tellAgain(
  deps: ForwardingDeps,
  load: DeliveryContext,
  { asOf }: Of<'items'> | Of<'revise'>,
  item: KeyedItem,
  made: boolean,
): Promise<UpdateResult> {
  const teller = tellerOf(deps, load)
  const at = new Date(asOf ?? teller.receivedAt)
  const told = {
    externalId: item.external_id,
    text: parseInput(IngestPayload, item),
    asOf: Number.isNaN(at.getTime()) ? teller.receivedAt : at,
  }
  return await applyUpdate(deps.sql, deps.now, teller, told, made)
}

function placedAs(retold: UpdateResult, created: boolean): ItemResult {
  switch (retold.kind) {
    case 'told': {
      const { block, reason } = retold
      return { block: { ...block, created }, ...(reason && { reason }) }
    }
    case 'missing':
      return { reason: 'There is no block to bring up to date.' }
    case 'withdrawn':
      return { reason: 'A later event has taken it back.' }
  }
}

async function addToGroup(
  deps: ForwardingDeps,
  load: DeliveryContext,
  item: KeyedItem,
  index: number,
): Promise<ItemResult> {
  const { group = { key: item.external_id, name: '' } } = item
  const { title, body } = parseInput(IngestPayload, item)
  const news = { externalId: item.external_id, title, body, index, group }
  const teller = tellerOf(deps, load)
  const gathered = await addToRollup(deps.sql, deps.now, teller, news)
  if (gathered.kind !== 'alone') return placedIn(gathered)
  const own = await post(deps, load, item, index)
  // The item has a block of its own from an earlier delivery and keeps it.
  if (!own.created) return { block: own }
  return placedIn(await addToRollup(deps.sql, deps.now, teller, news, own))
}

function placedIn(gathered: RollupResult): ItemResult {
  return gathered.kind === 'gathered'
    ? { block: { ...gathered.block, created: gathered.added } }
    : { reason: 'It was told before, and somebody has deleted its block since.' }
}

/** The delivery as the source of updates. A replay is received when a person requests it. */
function tellerOf(
  { now }: ForwardingDeps,
  { connection, delivery }: DeliveryContext,
): UpdateSource {
  return {
    teamId: connection.teamId,
    connectionId: connection.id,
    keyId: connection.apiKey.id,
    deliveryId: delivery.id,
    receivedAt: delivery.replays > 0 ? now() : delivery.received_at,
  }
}
