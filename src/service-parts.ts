import type { Logger } from 'pino'
import { loadAdapters } from '../integrations/index.ts'
import { renderMarkdown } from '../integrations/kit/markdown/markdown.ts'
import packageJson from '../package.json' with { type: 'json' }
import type { AppDeps } from './app.ts'
import type { Config } from './config/index.ts'
import {
  createAiDrafts,
  createObjectGenerator,
  createTextGenerator,
} from './features/ai-drafts/index.ts'
import { createKeyChecks, keyBatchSession, keyCheckSession } from './features/api-keys/index.ts'
import { createMessageReader } from './features/conversations/index.ts'
import { type Images, withEmbeddedImages } from './features/images/index.ts'
import { createIngest } from './features/ingest/index.ts'
import { newslettersCreated } from './features/newsletters/index.ts'
import { getTeamDetails } from './features/teams/index.ts'
import { forwarderJobs } from './forwarding/index.ts'
import { imageStorageOf } from './installation/image-storage.ts'
import { openDatabase, poolSizes } from './installation/open-database.ts'
import { requireSecret } from './installation/secret.ts'
import { emailJobs } from './jobs/emails.ts'
import { systemClock } from './lib/clock.ts'
import { watchDatabase } from './lib/database/database-health.ts'
import { connect } from './lib/database/db.ts'
import { createCursors } from './lib/lists/pagination.ts'
import { smtpTransport } from './lib/mail/mail.ts'
import { createSsrfFetch } from './lib/outbound/ssrf-fetch.ts'
import { startQueue } from './lib/queue/index.ts'
import { createEncryption } from './lib/secrets/encryption.ts'
import { createLongBodies } from './server/long-bodies.ts'
import type { Tracing } from './tracing/index.ts'
import { createDocumentReader, type PollingDeps, pollingJobs } from './webhooks/index.ts'

// With the running requests and the database, a stop takes at most 10 seconds after the drain.
const endPoolSeconds = 2

interface Start {
  config: Config
  log: Logger
  /** What is open, and closed in reverse order when the start fails or the service stops. */
  opened: AsyncDisposableStack
}

/** What is open in every process. */
export type ServiceBase = Awaited<ReturnType<typeof openServiceBase>>

/** Opens what everything else needs: the database with its pools, the secret, traces and the queue. */
export async function openServiceBase(
  { config, log, opened }: Start,
  onLost: (holder: string) => void,
) {
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
  const ingestSql = pool('tidings', sizes.ingest, keyBatchSession)
  const now = systemClock
  const secret = await requireSecret({ sql, now }, config)
  const queue = await startQueue({
    database: database.address,
    types: [...forwarderJobs, ...pollingJobs, ...emailJobs],
    log,
    supervise: config.role !== 'web',
    connections: sizes.queue,
    ...(tracing !== null && { traces: tracing.jobs }),
  })
  opened.defer(() => queue.stop())
  return { config, log, opened, sql, keyCheckSql, ingestSql, sizes, now, secret, queue, tracing }
}

/** The dependencies of what the service runs. */
export type Parts = Awaited<ReturnType<typeof createParts>>

/** Creates the dependencies of the webhooks, the API and the emails. */
export async function createParts(base: ServiceBase) {
  const { config, log, sql, keyCheckSql, ingestSql, now, secret, queue } = base
  const outbound = createSsrfFetch({ allowPrivate: config.outboundAllowPrivate })
  const images: Images = {
    storage: imageStorageOf(config),
    fetch: outbound,
    baseUrl: config.baseUrl,
  }
  const limitOf = async (teamId: string) =>
    (await getTeamDetails({ sql, actor: { teamId } }, config.aiDraftsPerMonth)).plan.limits
      .ai_generations
  const webhooks: PollingDeps = {
    sql,
    now,
    log,
    queue,
    encryption: createEncryption(secret),
    adapters: await loadAdapters(),
    outbound,
    apps: config.apps,
    messageReader: createMessageReader({
      generateObject: config.ai && createObjectGenerator(config.ai),
      limitOf,
    }),
    readDocument: createDocumentReader(),
  }
  const drafts = createAiDrafts({
    generateText: config.ai && createTextGenerator(config.ai),
    limitOf,
  })
  const bodyConversion = { renderMarkdown, convertLong: createLongBodies() }
  const api: AppDeps['api'] = {
    sql,
    now,
    queue,
    drafts,
    images,
    ...createKeyChecks(keyCheckSql, now),
    ingest: createIngest({ sql, ingestSql, now, ...bodyConversion }),
    bodyConversion,
    cursors: createCursors(secret),
    aiDraftsPerMonth: config.aiDraftsPerMonth,
    countNewsletters: newslettersCreated,
  }
  const smtp =
    config.smtpUrl === null
      ? null
      : withEmbeddedImages(smtpTransport(config.smtpUrl, config.mailFrom), images)
  return { webhooks, api, images, smtp }
}

/** Traces, if an address for them is set; without one, their libraries are not even loaded. */
async function openTracing({ tracing }: Config): Promise<Tracing | null> {
  if (tracing === null) return null
  const { startTracing } = await import('./tracing/index.ts')
  return startTracing({ ...tracing, version: packageJson.version })
}
