import type { Adapter, ComposeContext, Composed } from '../../integrations/adapter.ts'
import { asConnectionSays, type OpenConnection } from '../features/connections/index.ts'
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
  if (composed.kind !== 'items' && composed.kind !== 'revise') return composed
  const items = composed.items.map((item) => asConnectionSays(item, connection.common))
  return { ...composed, items }
}
