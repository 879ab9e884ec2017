import type { Adapter, Received, Reply } from '../../integrations/adapter.ts'
import { rehearse } from '../../integrations/rehearse.ts'
import type { OpenConnection } from '../features/connections/index.ts'
import type { OutboundFetch } from '../lib/outbound.ts'
import { rehearsed } from './compose.ts'
import { withProvider } from './provider.ts'

const composeMs = 10_000

interface DryRun {
  adapter: Adapter
  connection: OpenConnection
  settings: object
  now: Date
  outbound: OutboundFetch
}

/**
 * Answers what would come of a provider's request, its read-backs included: the items as they would
 * be posted, or the reason why there are none. Nothing is stored, and nobody is told.
 */
export async function answerDryRun(
  { adapter, connection, settings, now, outbound }: DryRun,
  received: Received<unknown>,
): Promise<Reply> {
  try {
    const outcome = await rehearse(received, (stored) =>
      rehearsed(connection.common, stored, (event) =>
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
