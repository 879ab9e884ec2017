import type { Logger } from 'pino'
import type { Adapter } from '../../../integrations/kit/adapter.ts'
import { createMessageReader } from '../../../src/features/conversations/index.ts'
import type { Images } from '../../../src/features/images/index.ts'
import { type ForwarderDeps, forwarderJobs, startForwarder } from '../../../src/forwarding/index.ts'
import { emailJobs } from '../../../src/jobs/emails.ts'
import type { Now } from '../../../src/lib/clock.ts'
import { createSsrfFetch } from '../../../src/lib/outbound/ssrf-fetch.ts'
import { startQueue, type Workers } from '../../../src/lib/queue/index.ts'
import { createEncryption } from '../../../src/lib/secrets/encryption.ts'
import {
  createDocumentReader,
  type PollingDeps,
  pollingJobs,
  teamApiOf,
  type WebhookDeps,
} from '../../../src/webhooks/index.ts'
import type { TestDatabase } from '../database/database.ts'

// One thread for all apps of the process.
const readDocument = createDocumentReader()

export interface HookOptions {
  adapters: readonly Adapter[]
  /** Whether deliveries are forwarded; false leaves them waiting. */
  forward: boolean
  /** Whether other workers of the queue are started. */
  work?: boolean
  /** Where the forwarder posts, if not to the very app. */
  ingestUrl?: string
  /** The operator's apps. */
  apps?: WebhookDeps['apps']
  /** Who reads messages to bots; nobody when left out. */
  messageReader?: WebhookDeps['messageReader']
}

const noReader = createMessageReader({ generateObject: null, limitOf: async () => -1 })

/** What receiving and forwarding need beside the app, over a test's database. */
export async function openHooks(
  { address, sql }: Pick<TestDatabase, 'address' | 'sql'>,
  shared: { now: Now; log: Logger; secret: string },
  {
    adapters,
    forward,
    work = false,
    ingestUrl,
    apps = new Map(),
    messageReader = noReader,
  }: HookOptions,
) {
  const { now, log, secret } = shared
  const queue = await startQueue({
    database: address,
    types: [...forwarderJobs, ...pollingJobs, ...emailJobs],
    log,
    supervise: forward || work,
    pollSeconds: 0.5,
    // A connection costs CPU time, and a test has few jobs at once.
    connections: forward || work ? 3 : 1,
  })
  let running: Workers | undefined
  const deps: PollingDeps = {
    sql,
    now,
    log,
    queue,
    encryption: createEncryption(secret),
    adapters: new Map(adapters.map((adapter) => [adapter.slug, adapter])),
    outbound: createSsrfFetch({ allowPrivate: ['127.0.0.1'] }),
    apps,
    messageReader,
    readDocument,
  }
  return {
    deps,
    /** Starts forwarding if that was asked for; gives what a further forwarder would be started with. */
    async start(base: string, images: Images): Promise<ForwarderDeps & PollingDeps> {
      const teamOf: ForwarderDeps['teamOf'] = (connection) =>
        teamApiOf(
          { sql, now, baseUrl: base, readsMessages: deps.messageReader.available },
          connection,
        )
      const urls = { ingestUrl: ingestUrl ?? base, baseUrl: base }
      const forwarder = { ...deps, images, ...urls, teamOf }
      if (forward) running = await startForwarder(forwarder)
      return forwarder
    },
    async stop(): Promise<void> {
      await running?.stop()
      await queue.stop()
    },
  }
}
