import type { Logger } from 'pino'
import type { Adapter, ComposeContext } from '../../integrations/kit/adapter.ts'
import type { Json } from '../../integrations/kit/received.ts'
import type { AppCredentials } from '../contract/app-credentials.ts'
import {
  type ConnectionDeps,
  type OpenConnection,
  openConnection,
  readSettings,
} from '../features/connections/index.ts'
import type { DeliveryDeps, WaitingDelivery } from '../features/deliveries/index.ts'
import type { Images } from '../features/images/index.ts'
import type { SsrfFetch } from '../lib/ssrf-fetch.ts'
import type { IngestClient } from './ingest-client.ts'

/** The dependencies of forwarding deliveries. */
export interface ForwardingDeps extends ConnectionDeps, DeliveryDeps {
  adapters: ReadonlyMap<string, Adapter>
  log: Logger
  /** Calls to providers. */
  outbound: SsrfFetch
  /** The operator's apps, by the slug of their integration. */
  apps: ReadonlyMap<string, AppCredentials>
  client: IngestClient
  /** Stores the images of messages. */
  images: Images
  /** The public base URL of the service, without a slash at the end. */
  baseUrl: string
}

/** A delivery with everything that forwarding it needs. */
export interface DeliveryContext {
  delivery: WaitingDelivery
  connection: OpenConnection
  adapter: Adapter
  /** The context of the adapter's functions, without the provider's API. */
  context: Omit<ComposeContext<object, unknown>, 'provider'>
}

/** Loads what a delivery needs. Returns the reason when that is not possible. */
export async function loadDelivery(
  deps: ForwardingDeps,
  delivery: WaitingDelivery,
): Promise<DeliveryContext | string> {
  const connection = await openConnection(deps, delivery.team_id, delivery.connection_id)
  if (!connection) return 'The connection was removed.'
  const adapter = deps.adapters.get(connection.adapter)
  if (!adapter) return `There is no adapter "${connection.adapter}" in this installation.`
  const settings = readSettings(connection, adapter.settings)
  if (!settings) return 'The settings of the connection are not valid any more. Save them again.'
  const { event, ephemeralContext } = delivery
  const { language } = connection
  const context = {
    event,
    ephemeralContext: asJson(ephemeralContext),
    settings,
    now: deps.now(),
    language,
  }
  return { delivery, connection, adapter, context }
}

/** `ephemeralContext` was stored as encrypted JSON. */
const asJson = (ephemeralContext: unknown) => ephemeralContext as Json
