import type { Logger } from 'pino'
import { loadAdapters } from '../integrations/index.ts'
import { type AppDeps, createApp, createHealth } from './app.ts'
import type { Config } from './config.ts'
import { prepareFirstRun } from './console/index.ts'
import { openDatabase } from './database.ts'
import { accountEmailQueue, purgeExpiredEmails } from './features/account-emails/index.ts'
import { createAiDrafts, createProvider } from './features/ai-drafts/index.ts'
import { createKeyChecks } from './features/api-keys/index.ts'
import { purgeAuditLog } from './features/audit-log/index.ts'
import { purgeTrash } from './features/content-blocks/index.ts'
import { deliveryJobs, purgeDeliveries } from './features/deliveries/index.ts'
import { purgeIdempotencyKeys } from './features/idempotency/index.ts'
import { createIngest } from './features/ingest/index.ts'
import { countNewslettersCreated } from './features/newsletters/index.ts'
import { previewEmailQueue } from './features/previews/index.ts'
import { purgeEndedSessions } from './features/sessions/index.ts'
import { getTeamDetails } from './features/teams/index.ts'
import { startForwarder } from './forwarding/index.ts'
import { type Now, systemClock } from './lib/clock.ts'
import { watchDatabase } from './lib/database-health.ts'
import { connect, type Sql } from './lib/db.ts'
import { createEncryption } from './lib/encryption.ts'
import { capturingTransport, smtpTransport } from './lib/mail.ts'
import { startMailer } from './lib/mailer.ts'
import { createCursors } from './lib/pagination.ts'
import { type JobQueue, startQueue } from './lib/queue.ts'
import { createSsrfFetch } from './lib/ssrf-fetch.ts'
import { requireSecret } from './secret.ts'
import type { WebhookDeps } from './webhooks/index.ts'

export interface Service {
  port: number
  /** Where the first person makes an account, for the terminal alone; null once somebody has one. */
  setupLink: string | null
  /** Takes no new requests, finishes those under way, and closes what was opened, last first. */
  stop(): Promise<void>
}

// Together with closing the database they stay under the 10 seconds a stop may take.
const finishRequestsMs = 4_000
const endPoolSeconds = 2

/**
 * Starts everything: database, migrations, pools, app. Throws a sentence for people when that is
 * impossible, with nothing left open. `onLost` hears who took the embedded database, if ever.
 */
export async function startService(
  config: Config,
  log: Logger,
  onLost: (holder: string) => void,
): Promise<Service> {
  await using opened = new AsyncDisposableStack()
  const database = await openDatabase(config, log)
  opened.defer(() => database.close())
  const holder = await database.embedded?.becomeService(config.port, onLost)
  if (holder) throw new Error(`The data in ${config.dataDir} are in use by another ${holder}.`)

  const pool = (name: string, session = {}) => {
    const sql = connect(database.address, { name, session })
    opened.defer(() => sql.end({ timeout: endPoolSeconds }))
    return sql
  }
  const sql = pool('tidings')
  const watch = watchDatabase({ sql, log })
  opened.defer(() => watch.stop())
  // The window of the rate limit lives 60 seconds: it need not wait for the disk.
  const gateSql = pool('tidings gate', { synchronous_commit: 'off' })
  const now = systemClock
  const secret = await requireSecret(sql, config)
  const forwards = config.role !== 'web'
  const vault = createEncryption(secret)
  const queue = await startQueue({
    database: database.address,
    types: deliveryJobs,
    log,
    supervise: forwards,
  })
  opened.defer(() => queue.stop())
  if (forwards) await scheduleTidying(queue, sql, now)

  const hooks: WebhookDeps = {
    ...{ sql, now, log, queue },
    vault,
    adapters: await loadAdapters(),
    outbound: createSsrfFetch({ allowPrivate: config.outboundAllowPrivate }),
  }
  const drafts = createAiDrafts({
    sql,
    now,
    provider: config.ai && createProvider(config.ai),
    limitOf: async (teamId) =>
      (await getTeamDetails(sql, teamId, config.aiDraftsPerMonth)).plan.limits.ai_generations,
  })
  const api: AppDeps['api'] = {
    ...{ sql, now, drafts },
    ...createKeyChecks(gateSql, now),
    ingest: createIngest(sql, now),
    cursors: createCursors(secret),
    aiDraftsPerMonth: config.aiDraftsPerMonth,
    countNewsletters: countNewslettersCreated,
  }
  const { baseUrl, trustedProxies } = config
  const smtp = config.smtpUrl === null ? null : smtpTransport(config.smtpUrl, config.mailFrom)
  const whole = () =>
    createApp({ sql, log, now, baseUrl, trustedProxies, secret, mail: smtp !== null, api, hooks })
  const server = listen(config.role === 'worker' ? createHealth(sql) : whole(), config)
  opened.defer(() => finish(server))

  const loopback = `http://${ownHost(config.host)}:${server.port}`
  if (forwards) {
    const ingestUrl = config.ingestUrl ?? loopback
    const forwarder = await startForwarder({ ...hooks, ingestUrl, baseUrl })
    opened.defer(() => forwarder.stop())
    const queues = [previewEmailQueue(sql), accountEmailQueue(sql, vault, log, now)]
    const mail = smtp ?? capturingTransport(sql, now)
    const mailer = startMailer({ sql, queues, mail, log, now })
    opened.defer(() => mailer.stop())
  }
  const firstRun = { sql, now, baseUrl, admin: config.admin }
  const setupLink = config.role === 'worker' ? null : await prepareFirstRun(firstRun)
  const stack = opened.move()
  return { port: server.port, setupLink, stop: () => stack.disposeAsync() }
}

interface ListenOptions {
  port: number
  hostname?: string
  reusePort: boolean
  maxRequestBodySize: number
  idleTimeout: number
}

/** What of an Elysia app is needed here, whatever its routes. */
interface Listener {
  listen(options: ListenOptions): unknown
  readonly server: { port?: number | undefined; stop(close?: boolean): Promise<void> } | null
}

interface Listening {
  port: number
  stop(closeActiveConnections?: boolean): Promise<void>
}

/**
 * Listens on the port alone: with Elysia's default (`reusePort`), a second service on the port would
 * take part of the requests. Bodies are limited where they are read, with an answer that says so.
 */
function listen(app: Listener, { port, host }: Pick<Config, 'port' | 'host'>): Listening {
  const limits = { maxRequestBodySize: Number.MAX_SAFE_INTEGER, idleTimeout: 30 }
  try {
    app.listen({ port, ...(host !== null && { hostname: host }), reusePort: false, ...limits })
  } catch (error) {
    throw whyNotListening(error, port, host)
  }
  const { server } = app
  if (!server) throw new Error('The server did not start.')
  return { port: server.port ?? port, stop: (close) => server.stop(close) }
}

/** The error of `listen` as a sentence that says what to do. */
function whyNotListening(error: unknown, port: number, host: string | null): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    return new Error(`Port ${port} is in use by another program. Set PORT to a free one.`)
  }
  if (code === 'EADDRNOTAVAIL') {
    return new Error(`${host} is not an address of this machine. Correct HOST, or remove it.`)
  }
  return error
}

/** The host under which this process reaches itself. */
function ownHost(host: string | null): string {
  if (host === null || host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

async function finish(server: Listening): Promise<void> {
  await Promise.race([server.stop(), Bun.sleep(finishRequestsMs)])
  await server.stop(true)
}

/** Forgets, every night (UTC), what is kept for a while only. */
async function scheduleTidying(queue: JobQueue, sql: Sql, now: Now): Promise<void> {
  await queue.schedule('tidy', '17 3 * * *', async () => {
    await purgeDeliveries(sql, now)
    await purgeIdempotencyKeys(sql, now())
    await purgeEndedSessions(sql, now)
    await purgeTrash(sql, now)
    await purgeExpiredEmails(sql, now)
    await purgeAuditLog(sql, now)
  })
}
