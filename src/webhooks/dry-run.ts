import type { Adapter } from '../../integrations/kit/adapter.ts'
import type { Composed } from '../../integrations/kit/composed.ts'
import { dryRun, type StoredEvent } from '../../integrations/kit/dry-run.ts'
import type { Received, Reply } from '../../integrations/kit/requests/received.ts'
import {
  applyConnectionSettings,
  type CommonSettings,
  type DecryptedConnection,
  filterReason,
} from '../features/connections/index.ts'
import { withTimeLimit } from '../lib/concurrency/time-limit.ts'
import type { SsrfFetch } from '../lib/outbound/ssrf-fetch.ts'

const composeTimeoutMs = 10_000

interface DryRun {
  adapter: Adapter
  connection: DecryptedConnection
  settings: object
  now: Date
  outbound: SsrfFetch
}

/**
 * Responds with the result that a provider's request would have, including calls to the provider:
 * the items that would be posted, or the reason why there are none. Stores nothing and notifies
 * nobody.
 */
export async function respondToDryRun(
  { adapter, connection, settings, now, outbound }: DryRun,
  received: Received<unknown>,
): Promise<Reply> {
  try {
    const result = await dryRun(received, (stored) =>
      dryRunEvent(connection.common, stored, (event) =>
        withTimeLimit(outbound, composeTimeoutMs, (provider) =>
          adapter.compose({ ...event, settings, now, provider, language: connection.language }),
        ),
      ),
    )
    return { body: { dry_run: true, ...result } }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error'
    return { body: { dry_run: true, failed: reason } }
  }
}

/**
 * The result that an event would have under the settings of a connection. Throws what `compose`
 * throws.
 */
export async function dryRunEvent(
  common: CommonSettings,
  { eventName, ...event }: StoredEvent,
  compose: (event: Omit<StoredEvent, 'eventName'>) => Promise<Composed>,
): Promise<Composed> {
  const reason = filterReason(common, eventName)
  if (reason !== undefined) return { kind: 'ignored', reason }
  const composed = await compose(event)
  return composed.kind === 'items' || composed.kind === 'update'
    ? applyConnectionSettings(composed, common)
    : composed
}
