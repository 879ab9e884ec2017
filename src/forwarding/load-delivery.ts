import type { Logger } from 'pino'
import type { Adapter, Json } from '../../integrations/kit/adapter.ts'
import {
  type ConnectionDeps,
  type OpenConnection,
  openConnection,
  readSettings,
} from '../features/connections/index.ts'
import type { DeliveryDeps, WaitingDelivery } from '../features/deliveries/index.ts'
import type { SsrfFetch } from '../lib/ssrf-fetch.ts'
import type { ComposeInput } from './compose.ts'
import type { IngestClient } from './ingest-client.ts'

/** What carrying deliveries works with. */
export interface ForwardingDeps extends ConnectionDeps, DeliveryDeps {
  adapters: ReadonlyMap<string, Adapter>
  log: Logger
  /** Calls to providers. */
  outbound: SsrfFetch
  client: IngestClient
  /** How people reach the service, without a slash at the end. */
  baseUrl: string
}

/** A delivery with everything it needs. */
export interface DeliveryContext extends ComposeInput {
  delivery: WaitingDelivery
  connection: OpenConnection
}

/** Brings together what a delivery needs, or the reason why that cannot be had. */
export async function loadDelivery(
  deps: ForwardingDeps,
  delivery: WaitingDelivery,
): Promise<DeliveryContext | string> {
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
