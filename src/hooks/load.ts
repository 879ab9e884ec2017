import type { Logger } from 'pino'
import type { Adapter, Json } from '../../integrations/adapter.ts'
import type { IngestClient } from '../../integrations/deliver.ts'
import {
  type ConnectionDeps,
  type OpenConnection,
  openConnection,
  readSettings,
} from '../features/connections/index.ts'
import type { DeliveryDeps, WaitingDelivery } from '../features/deliveries/index.ts'
import type { OutboundFetch } from '../lib/outbound.ts'
import type { Composing } from './compose.ts'

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

/** A delivery with everything it needs. */
export interface Load extends Composing {
  delivery: WaitingDelivery
  connection: OpenConnection
}

/** Brings together what a delivery needs, or the reason why that cannot be had. */
export async function loadDelivery(
  deps: CarryDeps,
  delivery: WaitingDelivery,
): Promise<Load | string> {
  const connection = await openConnection(deps, delivery.team_id, delivery.connection_id)
  if (!connection) return 'The connection was removed.'
  const adapter = deps.adapters.get(connection.adapter)
  if (!adapter) return `There is no adapter "${connection.adapter}" in this installation.`
  const settings = readSettings(connection, adapter.settings)
  if (!settings) return 'The settings of the connection are not right any more.'
  const { event, transient } = delivery
  const context = { event, transient: asJson(transient), settings, now: deps.now() }
  return { delivery, connection, adapter, context }
}

/** What came out of the vault, and so is JSON. */
const asJson = (opened: unknown) => opened as Json
