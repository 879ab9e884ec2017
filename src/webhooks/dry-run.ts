import type { Adapter, Received, Reply } from '../../integrations/kit/adapter.ts'
import { dryRun } from '../../integrations/kit/dry-run.ts'
import type { OpenConnection } from '../features/connections/index.ts'
import { dryRunEvent, withProvider } from '../forwarding/index.ts'
import type { SsrfFetch } from '../lib/ssrf-fetch.ts'

const composeMs = 10_000

interface DryRun {
  adapter: Adapter
  connection: OpenConnection
  settings: object
  now: Date
  outbound: SsrfFetch
}

/**
 * Answers what would come of a provider's request, its read-backs included: the items as they would
 * be posted, or the reason why there are none. Nothing is stored, and nobody is told.
 */
export async function respondToDryRun(
  { adapter, connection, settings, now, outbound }: DryRun,
  received: Received<unknown>,
): Promise<Reply> {
  try {
    const outcome = await dryRun(received, (stored) =>
      dryRunEvent(connection.common, stored, (event) =>
        withProvider(outbound, composeMs, (provider) =>
          adapter.compose({ ...event, settings, now, provider }),
        ),
      ),
    )
    return { body: { dry_run: true, ...outcome } }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown trouble'
    return { body: { dry_run: true, failed: reason } }
  }
}
