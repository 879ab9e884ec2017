import type { Adapter, ComposeContext, Composed } from '../../integrations/kit/adapter.ts'
import type { StoredEvent } from '../../integrations/kit/dry-run.ts'
import {
  applyConnectionSettings,
  type CommonSettings,
  filterReason,
  type OpenConnection,
} from '../features/connections/index.ts'
import type { SsrfFetch } from '../lib/ssrf-fetch.ts'
import { withProvider } from './provider-api.ts'

/** An event with all that composing it needs, but for the provider. */
export interface ComposeInput {
  adapter: Adapter
  connection: Pick<OpenConnection, 'common'>
  context: Omit<ComposeContext<object, unknown>, 'provider'>
}

/**
 * What an event comes to for its connection, within `timeoutMs`. Throws what the adapter throws, and
 * a `TimeoutError`.
 */
export async function composeEvent(
  { adapter, connection, context }: ComposeInput,
  outbound: SsrfFetch,
  timeoutMs: number,
): Promise<Composed> {
  const composed = await withProvider(outbound, timeoutMs, (provider) =>
    adapter.compose({ ...context, provider }),
  )
  return applySettings(connection.common, composed)
}

/** What a stored event would come to for a connection that says this of its events and blocks. */
export async function dryRunEvent(
  common: CommonSettings,
  { eventName, ...event }: StoredEvent,
  compose: (event: Omit<StoredEvent, 'eventName'>) => Promise<Composed>,
): Promise<Composed> {
  const reason = filterReason(common, eventName)
  if (reason !== undefined) return { kind: 'ignored', reason }
  return applySettings(common, await compose(event))
}

function applySettings(common: CommonSettings, composed: Composed): Composed {
  if (composed.kind !== 'items' && composed.kind !== 'revise') return composed
  const items = composed.items.map((item) => applyConnectionSettings(item, common))
  return { ...composed, items }
}
