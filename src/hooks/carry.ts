import type { Logger } from 'pino'
import type {
  Adapter,
  ComposeContext,
  Composed,
  Json,
  LandedBlock,
  LandedContext,
  ProviderApi,
} from '../../integrations/adapter.ts'
import { type IngestClient, IngestRefused } from '../../integrations/deliver.ts'
import type { IngestPayload } from '../contract/ingest.ts'
import { withdrawBlocks } from '../features/blocks/index.ts'
import {
  type ConnectionDeps,
  type OpenConnection,
  openConnection,
  readSettings,
} from '../features/connections/index.ts'
import {
  attemptDelivery,
  type DeliveryDeps,
  type ForwardingJob,
  hasEarlierWaiting,
  keepItems,
  type Outcome,
  type WaitingDelivery,
} from '../features/deliveries/index.ts'
import type { OutboundFetch } from '../lib/outbound.ts'
import { withProvider } from './provider.ts'

/** What carrying deliveries works with. */
export interface CarryDeps extends ConnectionDeps, DeliveryDeps {
  adapters: ReadonlyMap<string, Adapter>
  log: Logger
  /** Calls to providers. */
  outbound: OutboundFetch
  client: IngestClient
  /** How people reach the service, without a slash at the end. */
  baseUrl: string
}

/** What became of a delivery, and what is to be told of it. */
export interface Carried {
  outcome: Outcome
  /** Tells the provider where the news went; for after the outcome is stored. */
  tell?: () => Promise<void>
}

const composeMs = 60_000
const landedMs = 30_000

/**
 * Carries a delivery one attempt further: composed by its adapter, posted to ingest under its
 * connection's key. Gives null when it is settled already; throws when a later attempt may succeed.
 */
export async function carryDelivery(deps: CarryDeps, job: ForwardingJob): Promise<Carried | null> {
  const delivery = await attemptDelivery(deps, job)
  if (!delivery) return null
  const connection = await openConnection(deps, delivery.team_id, delivery.connection_id)
  if (!connection) return failed('The connection was removed.')
  if (!connection.apiKey.live)
    return failed('The key of the connection was revoked or has expired.')
  const adapter = deps.adapters.get(connection.adapter)
  if (!adapter) return failed(`There is no adapter "${connection.adapter}" in this installation.`)
  const settings = readSettings(connection, adapter.settings)
  if (!settings) return failed('The settings of the connection are not right any more.')
  return await carryOn(deps, {
    delivery,
    connection,
    adapter,
    context: {
      event: delivery.event,
      transient: asJson(delivery.transient),
      settings,
      now: deps.now(),
    },
  })
}

const ignored = (reason: string): Carried => ({ outcome: { status: 'ignored', reason } })
const failed = (reason: string): Carried => ({ outcome: { status: 'failed', reason } })

/** What came out of the vault, and so is JSON. */
const asJson = (opened: unknown) => opened as Json

/** A delivery with everything it needs. */
interface Load {
  delivery: WaitingDelivery
  connection: OpenConnection
  adapter: Adapter
  context: Omit<ComposeContext<object, unknown>, 'provider'>
}

async function carryOn(deps: CarryDeps, load: Load): Promise<Carried> {
  const composed = await composeOnce(deps, load)
  switch (composed.kind) {
    case 'ignored':
      return ignored(composed.reason)
    case 'withdraw':
      return await withdraw(deps, load, composed.externalIds)
    case 'revise':
      return ignored('News told before has changed, which this version does not carry on.')
    case 'items':
      return await postAll(deps, load, composed.items)
  }
}

/** Composes an event, once: what came out is kept, so that a repeated post never differs from the first. */
async function composeOnce(deps: CarryDeps, load: Load): Promise<Composed> {
  const { adapter, connection, context, delivery } = load
  if (delivery.items !== null) return { kind: 'items', items: asItems(delivery.items) }
  const composed = await withProvider(deps.outbound, composeMs, (provider) =>
    adapter.compose({ ...context, provider }),
  )
  if (composed.kind !== 'items') return composed
  const items = composed.items.map((item, index) => addressed(item, connection, delivery, index))
  return { kind: 'items', items: await keepItems(deps.sql, delivery, items) }
}

/** Items as {@link composeOnce} stored them. */
const asItems = (stored: unknown) => stored as IngestPayload[]

/** An item with what its connection says of all its blocks, and with a content key in any case. */
function addressed(
  item: IngestPayload,
  { adapter, common }: OpenConnection,
  delivery: WaitingDelivery,
  index: number,
): IngestPayload {
  return {
    ...item,
    block_type: common.block_type ?? item.block_type,
    event_slug: item.event_slug ?? common.event_slug,
    // An adapter may hold something back, but never let it through by itself.
    auto_ready: common.auto_ready && item.auto_ready !== false,
    external_id: item.external_id ?? `${adapter}:delivery:${delivery.id}:${index}`,
  }
}

async function postAll(
  { client, baseUrl, outbound }: CarryDeps,
  { adapter, connection, context, delivery }: Load,
  items: readonly IngestPayload[],
): Promise<Carried> {
  const key = { ...connection.apiKey, teamId: connection.teamId }
  if (items.length === 0) return ignored('There was nothing to tell.')
  const blocks: LandedBlock[] = []
  const refusals: string[] = []
  for (const [index, item] of items.entries()) {
    try {
      const block = await client.post(key, `${delivery.id}.${index}.${delivery.replays}`, item)
      blocks.push({ ...block, url: blockUrl(baseUrl, block.id) })
    } catch (error) {
      if (!(error instanceof IngestRefused)) throw error
      refusals.push(items.length > 1 ? `item ${index + 1}: ${error.message}` : error.message)
    }
  }
  const blockIds = blocks.map(({ id }) => id)
  if (refusals.length > 0) {
    return { outcome: { status: 'failed', reason: refusals.join('; '), blockIds } }
  }
  const outcome: Outcome = { status: 'delivered', blockIds }
  return { outcome, ...telling(outbound, adapter, { ...context, blocks }) }
}

async function withdraw(
  { sql, baseUrl, outbound }: CarryDeps,
  { adapter, connection, context, delivery }: Load,
  externalIds: readonly string[],
): Promise<Carried> {
  // One that came before may still be about to make the very block.
  if (await hasEarlierWaiting(sql, delivery)) {
    throw new Error('An earlier delivery of this connection is still on its way.')
  }
  const { teamId, apiKey } = connection
  const found = await withdrawBlocks(sql, teamId, apiKey.id, externalIds)
  const kept = found.filter(({ removed }) => !removed)
  const blocks = kept.map(({ id, title, external_id: externalId }) => ({
    ...{ id, title, externalId, created: false },
    url: blockUrl(baseUrl, id),
  }))
  const outcome: Outcome =
    kept.length < found.length
      ? { status: 'withdrawn' }
      : { status: 'withdrawn', reason: 'There was no unused block to take back.' }
  return { outcome, ...telling(outbound, adapter, { ...context, blocks }) }
}

/** Where people see a block. */
const blockUrl = (baseUrl: string, id: string) => `${baseUrl}/library/${id}`

function telling(
  outbound: OutboundFetch,
  adapter: Adapter,
  context: Omit<LandedContext<object, unknown>, 'provider'>,
): Pick<Carried, 'tell'> {
  if (!adapter.landed) return {}
  const tell = async (provider: ProviderApi) => await adapter.landed?.({ ...context, provider })
  return { tell: () => withProvider(outbound, landedMs, tell) }
}
