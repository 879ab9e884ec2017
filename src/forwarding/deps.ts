import type { Logger } from 'pino'
import type { Adapter, ComposeContext } from '../../integrations/kit/adapter.ts'
import type { TeamApi } from '../../integrations/kit/team-api.ts'
import type { AppCredentials } from '../contract/app-credentials.ts'
import type { ConnectionDeps, DecryptedConnection } from '../features/connections/index.ts'
import type { MessageReader } from '../features/conversations/index.ts'
import type { DeliveryDeps, WaitingDelivery } from '../features/deliveries/index.ts'
import type { Images } from '../features/images/index.ts'
import type { SsrfFetch } from '../lib/outbound/ssrf-fetch.ts'
import type { IngestClient } from './deliveries/ingest-client.ts'

/** The dependencies of forwarding deliveries. */
export interface ForwardingDeps extends ConnectionDeps, DeliveryDeps {
  adapters: ReadonlyMap<string, Adapter>
  log: Logger
  /** Calls to providers. */
  outbound: SsrfFetch
  /** The operator's apps, by the slug of their integration. */
  apps: ReadonlyMap<string, AppCredentials>
  client: IngestClient
  /** Reads messages to bots. */
  messageReader: MessageReader
  /** Stores the images of messages. */
  images: Images
  /** The public base URL of the service, without a slash at the end. */
  baseUrl: string
  /** What adapters can ask about the team of a connection. */
  teamOf(connection: DecryptedConnection): TeamApi
}

/** A delivery with everything that forwarding it needs. */
export interface DeliveryContext {
  delivery: WaitingDelivery
  connection: DecryptedConnection
  adapter: Adapter
  /** The context of the adapter's functions, without the provider's API. */
  context: Omit<ComposeContext<object, unknown>, 'provider'>
}
