import type { Composed, Item, LandedBlock } from '../../integrations/adapter.ts'
import { IngestRefused } from '../../integrations/deliver.ts'
import { IngestPayload } from '../contract/ingest.ts'
import { hasEarlierWaiting, type Outcome } from '../features/deliveries/index.ts'
import {
  type Gathered,
  gather,
  type NamedBlock,
  type Retold,
  retell,
  type Teller,
  withdrawNews,
} from '../features/news/index.ts'
import { AppError } from '../lib/errors.ts'
import { parseInput } from '../lib/parse.ts'
import type { CarryDeps, Load } from './load.ts'

/** What became of a delivery. */
export interface Done {
  outcome: Outcome
  /** The blocks its news stands in; after a withdrawal, those that stay. */
  blocks?: LandedBlock[]
}

type Of<Kind extends Composed['kind']> = Extract<Composed, { kind: Kind }>

/** What became of one item: a block, or the reason why there is none. */
interface Placed {
  block?: NamedBlock & { created: boolean }
  reason?: string
  refused?: true
}

/** Posts items to ingest, under content keys, and keeps to what they say of replacing and gathering. */
export async function postItems(deps: CarryDeps, load: Load, composed: Of<'items'>): Promise<Done> {
  if (composed.items.length === 0) return ignored('There was nothing to tell.')
  return await placeAll(deps, load, composed.items, async (item, index) => {
    if (composed.replace) return await replace(deps, load, composed, item, index)
    if (item.group) return await addToGroup(deps, load, item, index)
    return { block: await post(deps, load, item, index) }
  })
}

/** Brings the blocks of items up to date that were told before. */
export async function reviseItems(
  deps: CarryDeps,
  load: Load,
  composed: Of<'revise'>,
): Promise<Done> {
  return await placeAll(deps, load, composed.items, async (item) =>
    placedAs(await tellAgain(deps, load, composed, item, false), false),
  )
}

/** Takes back what the connection told before, once nothing that came earlier may still tell it. */
export async function withdrawItems(
  deps: CarryDeps,
  load: Load,
  externalIds: readonly string[],
): Promise<Done> {
  if (await hasEarlierWaiting(deps.sql, load.delivery)) {
    throw new Error('An earlier delivery of this connection is still on its way.')
  }
  const found = await withdrawNews(deps.sql, tellerOf(deps, load), externalIds)
  const kept = found.filter(({ removed }) => !removed)
  const outcome: Outcome =
    kept.length < found.length
      ? { status: 'withdrawn' }
      : { status: 'withdrawn', reason: 'There was no unused block to take back.' }
  const blocks = kept.map(({ externalId, ...block }) =>
    landed(deps, { ...block, created: false }, externalId),
  )
  return { outcome, blocks }
}

const ignored = (reason: string): Done => ({ outcome: { status: 'ignored', reason } })

/** Items one after the other; one that ingest refuses does not keep back the others. */
async function placeAll<One extends Item>(
  deps: CarryDeps,
  { adapter, delivery }: Load,
  items: readonly One[],
  place: (item: One & { external_id: string }, index: number) => Promise<Placed>,
): Promise<Done> {
  const blocks: LandedBlock[] = []
  const reasons: string[] = []
  let refused = false
  for (const [index, item] of items.entries()) {
    // A content key in any case, so that no attempt makes a second block.
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

function doneWith(blocks: LandedBlock[], reason: string, refused: boolean): Done {
  const blockIds = blocks.map(({ id }) => id)
  if (refused) return { outcome: { status: 'failed', reason, blockIds } }
  if (blocks.length === 0) return ignored(reason)
  return { outcome: { status: 'delivered', blockIds, ...(reason && { reason }) }, blocks }
}

function refusal(error: unknown): Placed {
  const isRefusal =
    error instanceof IngestRefused ||
    (error instanceof AppError && error.code === 'validation_failed')
  if (isRefusal) return { reason: error.message, refused: true }
  throw error
}

const landed = (
  { baseUrl }: CarryDeps,
  { id, title, created }: NamedBlock & { created: boolean },
  externalId: string,
): LandedBlock => ({ id, title, created, externalId, url: `${baseUrl}/library/${id}` })

type KeyedItem = Item & { external_id: string }

async function post(
  { client }: CarryDeps,
  { connection, delivery }: Load,
  item: Item,
  index: number,
) {
  const { group: _, ...payload } = item
  const key = { ...connection.apiKey, teamId: connection.teamId }
  return await client.post(key, `${delivery.id}.${index}.${delivery.replays}`, payload)
}

async function replace(
  deps: CarryDeps,
  load: Load,
  composed: Of<'items'>,
  item: KeyedItem,
  index: number,
): Promise<Placed> {
  const { created } = await post(deps, load, item, index)
  return placedAs(await tellAgain(deps, load, composed, item, created), created)
}

async function tellAgain(
  deps: CarryDeps,
  load: Load,
  { asOf }: Of<'items'> | Of<'revise'>,
  item: KeyedItem,
  made: boolean,
): Promise<Retold> {
  const teller = tellerOf(deps, load)
  const at = new Date(asOf ?? teller.heardAt)
  const told = {
    externalId: item.external_id,
    text: parseInput(IngestPayload, item),
    asOf: Number.isNaN(at.getTime()) ? teller.heardAt : at,
  }
  return await retell(deps.sql, deps.now, teller, told, made)
}

function placedAs(retold: Retold, created: boolean): Placed {
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
  deps: CarryDeps,
  load: Load,
  item: KeyedItem,
  index: number,
): Promise<Placed> {
  const { group = { key: item.external_id, name: '' } } = item
  const { title, body } = parseInput(IngestPayload, item)
  const news = { externalId: item.external_id, title, body, index, group }
  const teller = tellerOf(deps, load)
  const gathered = await gather(deps.sql, deps.now, teller, news)
  if (gathered.kind !== 'alone') return placedIn(gathered)
  const own = await post(deps, load, item, index)
  // Told before as a block of its own, perhaps long ago: it stays one.
  if (!own.created) return { block: own }
  return placedIn(await gather(deps.sql, deps.now, teller, news, own))
}

function placedIn(gathered: Gathered): Placed {
  return gathered.kind === 'gathered'
    ? { block: { ...gathered.block, created: gathered.added } }
    : { reason: 'It was told before, and somebody has deleted its block since.' }
}

/** A replay counts as heard when somebody asks for it. */
function tellerOf({ now }: CarryDeps, { connection, delivery }: Load): Teller {
  return {
    teamId: connection.teamId,
    connectionId: connection.id,
    keyId: connection.apiKey.id,
    deliveryId: delivery.id,
    heardAt: delivery.replays > 0 ? now() : delivery.received_at,
  }
}
