import type { Logger } from 'pino'
import { loadAdapters } from '../integrations/index.ts'
import { renderMarkdown } from '../integrations/kit/markdown/markdown.ts'
import packageJson from '../package.json' with { type: 'json' }
import { type AppDeps, createApp } from './app.ts'
import { scheduleBackups } from './backup-schedule.ts'
import { scheduleCleanup } from './cleanup.ts'
import type { Config } from './config/index.ts'
import { prepareFirstRun } from './console/index.ts'
import { emailJobs, startEmails } from './email-jobs.ts'
import { createAiDrafts, createProvider } from './features/ai-drafts/index.ts'
import { createKeyChecks, keyCheckSession } from './features/api-keys/index.ts'
import { type Images, withEmbeddedImages } from './features/images/index.ts'
import { createIngest } from './features/ingest/index.ts'
import { newslettersCreated } from './features/newsletters/index.ts'
import { getTeamDetails } from './features/teams/index.ts'
import {
  forwarderJobs,
  schedulePlanning,
  scheduleTokenRefreshes,
  startForwarder,
} from './forwarding/index.ts'
import { createHealth } from './health.ts'
import { imageStorageOf } from './image-storage.ts'
import { installationOf } from './installation.ts'
import { systemClock } from './lib/clock.ts'
import { watchDatabase } from './lib/database/database-health.ts'
import { connect, type Sql } from './lib/database/db.ts'
import { createEncryption } from './lib/encryption.ts'
import { createDrain } from './lib/http/index.ts'
import { capturingTransport, smtpTransport } from './lib/mail.ts'
import { createCursors } from './lib/pagination.ts'
import { addMigrationJobs, startQueue } from './lib/queue/index.ts'
import { createSsrfFetch } from './lib/ssrf-fetch.ts'
import { finish, listen, ownHost } from './listen.ts'
import { createMetrics, type Metrics } from './metrics/index.ts'
import { scheduleNewsletters } from './newsletter-schedules.ts'
import { openDatabase, poolSizes } from './open-database.ts'
import { requireSecret, secretWarning } from './secret.ts'
import type { Tracing } from './tracing/index.ts'
import { startSockets, type WebhookDeps } from './webhooks/index.ts'

export interface Service {
  port: number
  /** The port of `/metrics`, or null when it has none of its own. */
  metricsPort: number | null
  /**
   * The URL of the set-up page, which is shown only in the terminal; null when an account exists.
   */
  setupLink: string | null
  /**
   * Drains, accepts no new requests, waits for running ones, and closes what was opened in reverse
   * order.
   */
  stop(): Promise<void>
}

// With the running requests and the database, a stop takes at most 10 seconds after the drain.
const endPoolSeconds = 2

/**
 * Starts database, migrations, pools and app. Throws an error for the operator when that fails, and
 * closes everything that was opened. `onLost` is called with the process that took over the
 * embedded database.
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
  if (holder)
    throw new Error(
      `Another ${holder} uses the data in ${config.dataDir}: stop it, or set another DATA_DIR.`,
    )

  const tracing = await openTracing(config)
  opened.defer(async () => await tracing?.stop())
  const sizes = poolSizes(config.dbPool)
  const pool = (name: string, max: number, session = {}) => {
    const sql = connect(database.address, { name, max, session })
    opened.defer(() => sql.end({ timeout: endPoolSeconds }))
    return sql
  }
  const sql = pool('tidings', sizes.main)
  const watch = watchDatabase({ sql, log })
  opened.defer(() => watch.stop())
  const keyCheckSql = pool('tidings key checks', sizes.keyChecks, keyCheckSession)
  const now = systemClock
  const secret = await requireSecret({ sql, now }, config)
  const warning = secretWarning(secret)
  if (warning !== null) log.warn(warning)
  const forwards = config.role !== 'web'
  const encryption = createEncryption(secret)
  const queue = await startQueue({
    database: database.address,
    types: [...forwarderJobs, ...emailJobs],
    log,
    supervise: forwards,
    connections: sizes.queue,
    ...(tracing !== null && { traces: tracing.jobs }),
  })
  opened.defer(() => queue.stop())
  const outbound = createSsrfFetch({ allowPrivate: config.outboundAllowPrivate })
  const images: Images = {
    storage: imageStorageOf(config),
    fetch: outbound,
    baseUrl: config.baseUrl,
  }
  if (forwards) {
    await addMigrationJobs(sql, queue)
    await scheduleCleanup({ queue, sql, log, storage: images.storage })
    await scheduleNewsletters({ queue, sql, baseUrl: config.baseUrl })
    await scheduleBackups({ config, queue, sql, now, log, secret, storage: images.storage })
  }

  const webhooks: WebhookDeps = {
    sql,
    now,
    log,
    queue,
    encryption,
    adapters: await loadAdapters(),
    outbound,
    apps: config.apps,
  }
  const drafts = createAiDrafts({
    provider: config.ai && createProvider(config.ai),
    limitOf: async (teamId) =>
      (await getTeamDetails({ sql, actor: { teamId } }, config.aiDraftsPerMonth)).plan.limits
        .ai_generations,
  })
  const api: AppDeps['api'] = {
    sql,
    now,
    queue,
    drafts,
    images,
    ...createKeyChecks(keyCheckSql, now),
    ingest: createIngest({ sql, now, renderMarkdown }),
    cursors: createCursors(secret),
    aiDraftsPerMonth: config.aiDraftsPerMonth,
    countNewsletters: newslettersCreated,
  }
  const { baseUrl, trustedProxies, host } = config
  const metrics = openMetrics(config, sizes, sql)
  const smtp =
    config.smtpUrl === null
      ? null
      : withEmbeddedImages(smtpTransport(config.smtpUrl, config.mailFrom), images)
  const drain = createDrain()
  const shared = { sql, drain, metrics, tracing, log, now, baseUrl, trustedProxies, secret }
  const installation = installationOf(config)
  const whole = () =>
    createApp({ ...shared, installation, signIn: config, mail: smtp !== null, api, webhooks })
  const app = config.role === 'worker' ? createHealth(shared) : whole()
  const server = listen(app, { port: config.port, host, setting: 'PORT' })
  opened.defer(() => finish(server))
  const metricsServer = serveMetrics(metrics, host)
  opened.defer(async () => await metricsServer?.stop(true))

  const loopback = `http://${ownHost(host)}:${server.port}`
  if (forwards) {
    const ingestUrl = config.ingestUrl ?? loopback
    const forwarder = await startForwarder({ ...webhooks, images, ingestUrl, baseUrl })
    opened.defer(() => forwarder.stop())
    const sockets = startSockets(webhooks, { baseUrl, allowedHosts: config.outboundAllowPrivate })
    opened.defer(() => sockets.stop())
    await scheduleTokenRefreshes(webhooks)
    await schedulePlanning({ ...webhooks, images, baseUrl })
    const mail = smtp ?? capturingTransport(sql, now)
    const emails = await startEmails({ sql, queue, encryption, mail, log, now })
    opened.defer(() => emails.stop())
  }
  const firstRun = { sql, now, baseUrl, admin: config.admin }
  const setupLink = config.role === 'worker' ? null : await prepareFirstRun(firstRun)
  opened.defer(async () => {
    drain.start()
    // Until every load balancer has seen that this process is not ready.
    await Bun.sleep(config.drainSeconds * 1000)
  })
  const stack = opened.move()
  const metricsPort = metricsServer?.port ?? null
  return { port: server.port, metricsPort, setupLink, stop: () => stack.disposeAsync() }
}

/** Metrics, if a port or a token for them is set. */
function openMetrics(config: Config, sizes: ReturnType<typeof poolSizes>, sql: Sql) {
  if (config.metrics === null) return null
  const { main, keyChecks, queue } = sizes
  const sizesByPool = { tidings: main, 'tidings key checks': keyChecks, 'tidings queue': queue }
  return createMetrics({ ...config.metrics, poolSizes: sizesByPool }, sql)
}

/** Serves the metrics on their own port, if they have one. */
function serveMetrics(metrics: Metrics | null, host: string | null) {
  if (metrics === null || metrics.port === null) return null
  return listen(metrics.endpoint, { port: metrics.port, host, setting: 'METRICS_PORT' })
}

/** Traces, if an address for them is set; without one, their libraries are not even loaded. */
async function openTracing({ tracing }: Config): Promise<Tracing | null> {
  if (tracing === null) return null
  const { startTracing } = await import('./tracing/index.ts')
  return startTracing({ ...tracing, version: packageJson.version })
}
