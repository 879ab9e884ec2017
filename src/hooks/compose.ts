import type { Adapter, ComposeContext, Composed } from '../../integrations/adapter.ts'
import type { StoredEvent } from '../../integrations/rehearse.ts'
import {
  asConnectionSays,
  type CommonSettings,
  type OpenConnection,
  whyLeftOut,
} from '../features/connections/index.ts'
import type { OutboundFetch } from '../lib/outbound.ts'
import { withProvider } from './provider.ts'

/** An event with all that composing it needs, but for the provider. */
export interface Composing {
  adapter: Adapter
  connection: Pick<OpenConnection, 'common'>
  context: Omit<ComposeContext<object, unknown>, 'provider'>
}

/**
 * What an event comes to for its connection, within `timeoutMs`. Throws what the adapter throws, and
 * a `TimeoutError`.
 */
export async function composeEvent(
  { adapter, connection, context }: Composing,
  outbound: OutboundFetch,
  timeoutMs: number,
): Promise<Composed> {
  const composed = await withProvider(outbound, timeoutMs, (provider) =>
    adapter.compose({ ...context, provider }),
  )
  return adjusted(connection.common, composed)
}

/** What a stored event would come to for a connection that says this of its events and blocks. */
export async function rehearsed(
  common: CommonSettings,
  { eventName, ...event }: StoredEvent,
  compose: (event: Omit<StoredEvent, 'eventName'>) => Promise<Composed>,
): Promise<Composed> {
  const reason = whyLeftOut(common, eventName)
  if (reason !== undefined) return { kind: 'ignored', reason }
  return adjusted(common, await compose(event))
}

function adjusted(common: CommonSettings, composed: Composed): Composed {
  if (composed.kind !== 'items' && composed.kind !== 'revise') return composed
  const items = composed.items.map((item) => asConnectionSays(item, common))
  return { ...composed, items }
}
