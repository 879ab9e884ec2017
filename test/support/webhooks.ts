import type { Logger } from 'pino'
import type { Adapter } from '../../integrations/kit/adapter.ts'
import { forwarding } from '../../src/features/deliveries/index.ts'
import { type Forwarder, type ForwarderDeps, startForwarder } from '../../src/forwarding/index.ts'
import type { Now } from '../../src/lib/clock.ts'
import { createEncryption } from '../../src/lib/encryption.ts'
import { startQueue } from '../../src/lib/queue.ts'
import { createSsrfFetch } from '../../src/lib/ssrf-fetch.ts'
import type { WebhookDeps } from '../../src/webhooks/index.ts'
import type { TestDatabase } from './database.ts'

export interface HookOptions {
  adapters: readonly Adapter[]
  /** Whether deliveries are forwarded; false leaves them waiting. */
  forward: boolean
  /** Where the forwarder posts, if not to the very app. */
  ingestUrl?: string
}

/** What receiving and forwarding need beside the app, over a test's database. */
export async function openHooks(
  { address, sql }: Pick<TestDatabase, 'address' | 'sql'>,
  shared: { now: Now; log: Logger; secret: string },
  { adapters, forward, ingestUrl }: HookOptions,
) {
  const { now, log, secret } = shared
  const queue = await startQueue({ database: address, kinds: [forwarding], log, supervise: false })
  let running: Forwarder | undefined
  const deps: WebhookDeps = {
    ...{ sql, now, log, queue },
    vault: createEncryption(secret),
    adapters: new Map(adapters.map((adapter) => [adapter.slug, adapter])),
    outbound: createSsrfFetch({ allowPrivate: ['127.0.0.1'] }),
    wakeForwarder: () => running?.wake(),
  }
  return {
    deps,
    /** Starts forwarding if that was asked for; gives what a further forwarder would be started with. */
    start(base: string): ForwarderDeps {
      const urls = { ingestUrl: ingestUrl ?? base, baseUrl: base }
      const forwarder = { ...deps, ...urls, database: address, pollMs: 50 }
      if (forward) running = startForwarder(forwarder)
      return forwarder
    },
    async stop(): Promise<void> {
      await running?.stop()
      await queue.stop()
    },
  }
}
