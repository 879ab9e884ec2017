import type { Logger } from 'pino'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { openDatabase } from './database.ts'
import { createAuthenticate } from './features/access/index.ts'
import { createDrafts, createProvider } from './features/drafts/index.ts'
import { createIngest } from './features/ingest/index.ts'
import { getTeamDetails } from './features/teams/index.ts'
import { systemClock } from './lib/clock.ts'
import { connect } from './lib/db.ts'
import { createCursors } from './lib/pages.ts'
import { loadOrCreateSecret } from './lib/secrets.ts'

export interface Service {
  port: number
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
  // The window of the rate limit lives 60 seconds: it need not wait for the disk.
  const gateSql = pool('tidings gate', { synchronous_commit: 'off' })
  const now = systemClock
  const secret = config.secret ?? (await loadOrCreateSecret(config.dataDir))
  const app = createApp({
    sql,
    log,
    now,
    baseUrl: config.baseUrl,
    trustedProxies: config.trustedProxies,
    secret,
    mailer: null,
    api: {
      sql,
      now,
      authenticate: createAuthenticate(gateSql, now),
      ingest: createIngest(sql, now),
      drafts: createDrafts({
        sql,
        now,
        provider: config.ai && createProvider(config.ai),
        limitOf: async (teamId) =>
          (await getTeamDetails(sql, teamId, config.aiDraftsPerMonth)).plan.limits.ai_generations,
      }),
      cursors: createCursors(secret),
      aiDraftsPerMonth: config.aiDraftsPerMonth,
      countNewsletters: async () => 0,
    },
    hooks: null,
  })
  // Bodies are limited where they are read, with an answer that says so.
  app.listen({ port: config.port, maxRequestBodySize: Number.MAX_SAFE_INTEGER, idleTimeout: 30 })
  const server = app.server
  if (!server) throw new Error('The server did not start.')
  opened.defer(async () => {
    await Promise.race([server.stop(), Bun.sleep(finishRequestsMs)])
    await server.stop(true)
  })
  const stack = opened.move()
  return { port: server.port ?? config.port, stop: () => stack.disposeAsync() }
}
