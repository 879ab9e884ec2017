import { networkInterfaces } from 'node:os'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import type { Config } from './config/index.ts'
import { prepareFirstRun } from './console/index.ts'
import {
  type ForwarderDeps,
  schedulePlanning,
  scheduleRegistrations,
  scheduleRevocations,
  scheduleTokenRefreshes,
  startForwarder,
} from './forwarding/index.ts'
import type { poolSizes } from './installation/open-database.ts'
import { secretWarning } from './installation/secret.ts'
import { installationSettingsOf } from './installation/settings.ts'
import { scheduleBackups } from './jobs/backups.ts'
import { scheduleCleanup } from './jobs/cleanup.ts'
import { scheduleDigests } from './jobs/draft-digests.ts'
import { startEmails } from './jobs/emails.ts'
import { scheduleNewsletters } from './jobs/newsletter-schedules.ts'
import type { Sql } from './lib/database/db.ts'
import { createDrain } from './lib/http/index.ts'
import { capturingTransport } from './lib/mail/mail.ts'
import { phoneUrlOf } from './lib/outbound/local-address.ts'
import { addMigrationJobs } from './lib/queue/index.ts'
import type { Metrics } from './metrics/index.ts'
import { createHealthRoutes } from './server/health-routes.ts'
import { finish, listen, ownHost } from './server/listen.ts'
import { createParts, openServiceBase, type Parts, type ServiceBase } from './service-parts.ts'
import { schedulePolls, startPolling, startSockets, teamApiOf } from './webhooks/index.ts'

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
  const base = await openServiceBase({ config, log, opened }, onLost)
  const parts = await createParts(base)
  const { app, metrics, drain } = await createHandlers(base, parts)
  const { host } = config
  const server = listen(app, { port: config.port, host, setting: 'PORT' })
  opened.defer(() => finish(server))
  const metricsServer = serveMetrics(metrics, host)
  opened.defer(async () => await metricsServer?.stop(true))
  // Requests need none of this, so it comes after the server listens.
  if (config.role !== 'web') {
    await scheduleMaintenance(base, parts)
    await startWorkers(base, parts, `http://${ownHost(host)}:${server.port}`)
  }
  const setupLink = config.role === 'worker' ? null : await prepareFirstRun(firstRunOf(base))
  opened.defer(async () => {
    drain.start()
    // Until every load balancer has seen that this process is not ready.
    await Bun.sleep(config.drainSeconds * 1000)
  })
  // Last, because it can load a dictionary, which takes a tenth of the start.
  const warning = secretWarning(base.secret)
  if (warning !== null) log.warn(warning)
  const stack = opened.move()
  const metricsPort = metricsServer?.port ?? null
  return { port: server.port, metricsPort, setupLink, stop: () => stack.disposeAsync() }
}

/** Schedules what the queue does at certain times, in one of all processes. */
async function scheduleMaintenance(
  base: ServiceBase,
  { images: { storage } }: Parts,
): Promise<void> {
  const { config, log, sql, now, secret, queue } = base
  await addMigrationJobs(sql, queue)
  await scheduleCleanup({ queue, sql, log, storage })
  await scheduleNewsletters({ queue, sql, baseUrl: config.baseUrl })
  await scheduleDigests({ queue, sql, baseUrl: config.baseUrl })
  await scheduleBackups({ config, queue, sql, now, log, secret, storage })
}

/** Creates the app, or only the health checks in a process that serves no requests, and the metrics. */
async function createHandlers(base: ServiceBase, parts: Parts) {
  const { config, log, sql, sizes, now, secret, tracing } = base
  const { baseUrl, trustedProxies } = config
  const metrics = await openMetrics(config, sizes, sql)
  const drain = createDrain()
  const shared = { sql, drain, metrics, tracing, log, now, baseUrl, trustedProxies, secret }
  if (config.role === 'worker') return { app: createHealthRoutes(shared), metrics, drain }
  const { api, webhooks, smtp } = parts
  const installation = installationSettingsOf(config)
  const app = createApp({
    ...shared,
    installation,
    signIn: config,
    phoneUrl: () => phoneUrlOf(config, networkInterfaces()),
    mail: smtp !== null,
    api,
    webhooks,
  })
  return { app, metrics, drain }
}

/** Starts the work in the background. `loopback` is the URL of this process. */
async function startWorkers(base: ServiceBase, parts: Parts, loopback: string): Promise<void> {
  const { config, log, opened, sql, now, queue } = base
  const { webhooks, images, smtp } = parts
  const { baseUrl, passwordSignIn } = config
  const ingestUrl = config.ingestUrl ?? loopback
  const teamOf: ForwarderDeps['teamOf'] = (connection) =>
    teamApiOf({ sql, now, baseUrl, readsMessages: webhooks.messageReader.available }, connection)
  const workers: { stop(): Promise<void> }[] = []
  // Together, because each waits a few seconds for the jobs that run.
  opened.defer(async () => void (await Promise.all(workers.map((worker) => worker.stop()))))
  workers.push(await startForwarder({ ...webhooks, images, ingestUrl, baseUrl, teamOf }))
  workers.push(startSockets(webhooks, { baseUrl, allowedHosts: config.outboundAllowPrivate }))
  workers.push(await startPolling(webhooks))
  await schedulePolls(webhooks)
  await scheduleTokenRefreshes(webhooks)
  await scheduleRevocations({ ...webhooks, baseUrl })
  await scheduleRegistrations({ ...webhooks, baseUrl })
  await schedulePlanning({ ...webhooks, images, baseUrl, teamOf })
  const mail = smtp ?? capturingTransport(sql, now)
  const { encryption } = webhooks
  const emailDeps = { sql, queue, encryption, mail, log, now, baseUrl, passwordSignIn }
  workers.push(await startEmails(emailDeps))
}

const firstRunOf = ({ config, sql, now }: ServiceBase) => {
  const { baseUrl, admin } = config
  return { sql, now, baseUrl, admin }
}

/** Metrics, if a port or a token for them is set. Their library is loaded only then. */
async function openMetrics(config: Config, sizes: ReturnType<typeof poolSizes>, sql: Sql) {
  if (config.metrics === null) return null
  const { createMetrics } = await import('./metrics/index.ts')
  const { main, keyChecks, ingest, queue } = sizes
  const sizesByPool = {
    tidings: main + ingest,
    'tidings key checks': keyChecks,
    'tidings queue': queue,
  }
  return createMetrics({ ...config.metrics, poolSizes: sizesByPool }, sql)
}

/** Serves the metrics on their own port, if they have one. */
function serveMetrics(metrics: Metrics | null, host: string | null) {
  if (metrics === null || metrics.port === null) return null
  return listen(metrics.endpoint, { port: metrics.port, host, setting: 'METRICS_PORT' })
}
