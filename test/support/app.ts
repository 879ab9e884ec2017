import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Adapter } from '../../integrations/kit/adapter.ts'
import { renderMarkdown } from '../../integrations/kit/markdown/markdown.ts'
import { createApp } from '../../src/app.ts'
import type { Scope } from '../../src/contract/vocabulary.ts'
import {
  type AiProviderSettings,
  createAiDrafts,
  createObjectGenerator,
  createTextGenerator,
} from '../../src/features/ai-drafts/index.ts'
import { createKey, createKeyChecks, NewKey } from '../../src/features/api-keys/index.ts'
import type { BodyConversion } from '../../src/features/content-blocks/index.ts'
import { createMessageReader } from '../../src/features/conversations/index.ts'
import { folderStorage, type Images } from '../../src/features/images/index.ts'
import { createIngest } from '../../src/features/ingest/index.ts'
import { newslettersCreated } from '../../src/features/newsletters/index.ts'
import type { IdentityProvider } from '../../src/features/sessions/index.ts'
import { createTeam, getTeamDetails, type Team } from '../../src/features/teams/index.ts'
import type { ForwarderDeps } from '../../src/forwarding/index.ts'
import { startEmails } from '../../src/jobs/emails.ts'
import { type Now, systemClock } from '../../src/lib/clock.ts'
import { systemContext } from '../../src/lib/context.ts'
import type { Sql } from '../../src/lib/database/db.ts'
import { createDrain, type Drain } from '../../src/lib/http/index.ts'
import { createCursors } from '../../src/lib/lists/pagination.ts'
import { createLog } from '../../src/lib/log.ts'
import type { MailTransport } from '../../src/lib/mail/mail.ts'
import { type NetworkInterfaces, phoneUrlOf } from '../../src/lib/outbound/local-address.ts'
import { createSsrfFetch } from '../../src/lib/outbound/ssrf-fetch.ts'
import { createMetrics } from '../../src/metrics/index.ts'
import { createLongBodies } from '../../src/server/long-bodies.ts'
import type { PollingDeps } from '../../src/webhooks/index.ts'
import {
  closePools,
  connectPools,
  createDatabase,
  reuseDatabase,
  type TestDatabase,
} from './database/database.ts'
import { openHooks } from './providers/webhooks.ts'
import { requirePromised } from './response-check.ts'
import { temporaryFolder } from './run/test-run.ts'

// In the form of one that an installation creates: others are compared with many words at every start.
export const testSecret = createHash('sha256').update('a secret for tests').digest('hex')

export interface TestApp {
  /** `http://127.0.0.1:<port>`. */
  base: string
  sql: Sql
  database: TestDatabase
  /** What receiving and forwarding work with. */
  forwarder: ForwarderDeps & PollingDeps
  /** Every line the service has logged so far. */
  logLines: string[]
  images: Images
  drain: Drain
  /** The number of texts that a thread has converted. */
  longTexts(): number
  team(slug?: string): Promise<Team>
  /** A new key's value. */
  key(team: Team, scopes: Scope[], options?: Partial<v.InferInput<typeof NewKey>>): Promise<string>
  close(): Promise<void>
}

let teams = 0
// One thread for all apps of the process.
const convertLong = createLongBodies()

/** The service on a free port with a database of its own: real HTTP, real PostgreSQL. */
export async function startApp({
  now = systemClock,
  aiDraftsPerMonth = null,
  on,
  ai = null,
  adapters = [],
  forward = true,
  ingestUrl,
  baseUrl = 'http://tidings.test',
  mail = null,
  trustedProxies = 0,
  metricsToken = null,
  connections,
  port = 0,
  identityProviders = [],
  passwordSignIn = true,
  createTeams = 'nobody',
  networkInterfaces = {},
  apps = new Map(),
}: {
  now?: Now
  baseUrl?: string
  /** Where it listens; 0: a free port. */
  port?: number
  /** Where the mails about accounts go; null: mail is not set up. */
  mail?: MailTransport | null
  trustedProxies?: number
  /** The operator's apps, by the slug of their integration. */
  apps?: ForwarderDeps['apps']
  /** With which people can sign in. */
  identityProviders?: readonly IdentityProvider[]
  passwordSignIn?: boolean
  createTeams?: 'nobody' | 'admins' | 'everybody'
  /** The networks of the computer. */
  networkInterfaces?: NetworkInterfaces
  metricsToken?: string | null
  /** Connections of the pool to a database that no other test has used, at most. */
  connections?: number
  aiDraftsPerMonth?: number | null
  /** Who writes drafts. */
  ai?: AiProviderSettings | null
  /** Another app whose database to share, as a second process does. */
  on?: { database: Pick<TestDatabase, 'address'> }
  /** Providers whose webhook requests are received. */
  adapters?: readonly Adapter[]
  /** Whether deliveries are forwarded; false leaves them waiting. */
  forward?: boolean
  /** Where the forwarder posts, if not to this very app. */
  ingestUrl?: string
} = {}): Promise<TestApp> {
  const database = await openDatabase(on?.database, connections)
  const { sql, keyCheckSql, ingestSql } = database
  const logLines: string[] = []
  const log = createLog('debug', { write: (line) => logLines.push(line) })
  const limitOf = async (teamId: string) =>
    (await getTeamDetails({ sql, actor: { teamId } }, aiDraftsPerMonth)).plan.limits.ai_generations
  const hooks = await openHooks(
    database,
    { now, log, secret: testSecret },
    {
      adapters,
      forward: forward && adapters.length > 0,
      work: mail !== null,
      apps,
      messageReader: createMessageReader({
        generateObject: ai && createObjectGenerator(ai),
        limitOf,
      }),
      ...(ingestUrl && { ingestUrl }),
    },
  )
  const dataDir = await temporaryFolder('media')
  const images: Images = {
    storage: folderStorage(dataDir),
    fetch: createSsrfFetch({ allowPrivate: ['127.0.0.1'] }),
    baseUrl,
  }
  const drain = createDrain()
  let longTexts = 0
  const bodyConversion: BodyConversion = {
    renderMarkdown,
    async convertLong(body) {
      longTexts++
      return await convertLong(body)
    },
  }
  const app = createApp({
    baseUrl,
    sql,
    drain,
    tracing: null,
    metrics:
      metricsToken === null
        ? null
        : createMetrics({ token: metricsToken, port: null, poolSizes: { tidings: 10 } }, sql),
    log,
    now,
    trustedProxies,
    secret: testSecret,
    mail: mail !== null,
    signIn: { identityProviders, passwordSignIn, createTeams },
    phoneUrl: () => phoneUrlOf({ baseUrl, host: null }, networkInterfaces),
    installation: {
      baseUrl,
      dataDir,
      secret: testSecret,
      dbPool: 10,
      smtpUrl: null,
      identityProviders,
      hasOwnDatabase: true,
      ai: null,
      imageBucket: null,
      backup: null,
    },
    api: {
      sql,
      now,
      queue: hooks.deps.queue,
      ...createKeyChecks(keyCheckSql, now),
      ingest: createIngest({ sql, ingestSql, now, ...bodyConversion }),
      bodyConversion,
      images,
      drafts: createAiDrafts({ generateText: ai && createTextGenerator(ai), limitOf }),
      cursors: createCursors(testSecret),
      aiDraftsPerMonth,
      countNewsletters: newslettersCreated,
    },
    webhooks: hooks.deps,
  })
  app.listen({ port, hostname: '127.0.0.1', maxRequestBodySize: 2 ** 40, idleTimeout: 255 })
  const emails =
    mail &&
    (await startEmails({
      ...hooks.deps,
      encryption: hooks.deps.encryption,
      mail,
      baseUrl,
      passwordSignIn,
    }))
  const base = `http://127.0.0.1:${app.server?.port}`
  const forwarder = await hooks.start(base, images)
  return {
    base,
    sql,
    database,
    forwarder,
    logLines,
    images,
    drain,
    longTexts: () => longTexts,
    team: async (slug = `team-${++teams}`) => await createTeam({ sql, now }, { slug, name: slug }),
    async key(team, scopes, options = {}) {
      const input = v.parse(NewKey, { name: 'test key', scopes, ...options })
      return (await createKey(systemContext({ sql, now }, team.id), input)).token
    },
    async close() {
      await emails?.stop()
      await hooks.stop()
      await app.stop(true)
      await database.drop()
    },
  }
}

/** The database that another app uses, one with its own connections, or one of an earlier test. */
async function openDatabase(
  other: Pick<TestDatabase, 'address'> | undefined,
  connections: number | undefined,
): Promise<TestDatabase> {
  if (other) return sharing(other)
  return connections ? await createDatabase(connections) : await reuseDatabase()
}

function sharing({ address }: Pick<TestDatabase, 'address'>): TestDatabase {
  const pools = connectPools(address)
  return { address, ...pools, drop: async () => void (await closePools(pools)) }
}

/** The context of functions that read data of a team. */
export const readContext = ({ sql }: Pick<TestApp, 'sql'>, { id }: { id: string }) => ({
  sql,
  actor: { teamId: id },
})

/**
 * A client that sends one key, and JSON unless the caller says otherwise. It throws when an answer is not what
 * the API's operations promise.
 */
export function client(base: string, key: string) {
  return async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; headers: Headers; text: string; json: Json }> => {
    const raw = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
    const response = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(raw !== undefined && { body: raw }),
    })
    const { status, headers: answered } = response
    const text = await response.text()
    const reply = { status, headers: answered, text, json: parseJson(text) }
    requirePromised(method, path, reply)
    return reply
  }
}

/** An answer's JSON, loosely typed: tests look into it and compare what they find. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
type Json = any

const parseJson = (text: string): Json => (text.startsWith('{') ? JSON.parse(text) : null)
