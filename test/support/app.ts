import * as v from 'valibot'
import type { Adapter } from '../../integrations/adapter.ts'
import { createApp } from '../../src/app.ts'
import type { Scope } from '../../src/contract/vocabulary.ts'
import { createAuthenticate, createKey, NewKey } from '../../src/features/access/index.ts'
import { createIngest } from '../../src/features/blocks/index.ts'
import { forwarding } from '../../src/features/deliveries/index.ts'
import { createTeam, type Team } from '../../src/features/teams/index.ts'
import { type Forwarder, type ForwarderDeps, startForwarder } from '../../src/hooks/index.ts'
import { type Now, systemClock } from '../../src/lib/clock.ts'
import { connect, type Sql } from '../../src/lib/db.ts'
import { createLog } from '../../src/lib/log.ts'
import { createOutbound } from '../../src/lib/outbound.ts'
import { createCursors } from '../../src/lib/pages.ts'
import { startQueue } from '../../src/lib/queue.ts'
import { createVault } from '../../src/lib/secrets.ts'
import { createDatabase, type TestDatabase } from './database.ts'

export const testSecret = 'a secret for tests and for nothing else'

export interface TestApp {
  /** `http://127.0.0.1:<port>`. */
  base: string
  sql: Sql
  /** What the service's parts work with, for tests that start one more of something. */
  forwarder: ForwarderDeps
  /** Every line the service has logged so far. */
  logLines: string[]
  team(slug?: string): Promise<Team>
  /** A new key's value. */
  key(team: Team, scopes: Scope[], options?: Partial<v.InferInput<typeof NewKey>>): Promise<string>
  close(): Promise<void>
}

interface TestOptions {
  now?: Now
  adapters?: readonly Adapter[]
  /** Whether deliveries are forwarded; false leaves them waiting. */
  forward?: boolean
  /** Where the forwarder posts, if not to this very process. */
  ingestUrl?: string
}

let teams = 0

/** The service on a free port with a database of its own: real HTTP, real PostgreSQL. */
export async function startApp(options: TestOptions = {}): Promise<TestApp> {
  const { now = systemClock } = options
  const database = await createDatabase()
  const { sql } = database
  const service = await serve(database, options)
  return {
    ...service,
    sql,
    team: async (slug = `team-${++teams}`) => await createTeam(sql, now, { slug, name: slug }),
    async key(team, scopes, options = {}) {
      const input = v.parse(NewKey, { name: 'test key', scopes, ...options })
      return (await createKey(sql, now, team.id, input)).token
    },
    async close() {
      await service.stop()
      await database.drop()
    },
  }
}

/** The service on a free port over a migrated database, as the composition root puts it together. */
export async function serve(
  { address, sql }: Pick<TestDatabase, 'address' | 'sql'>,
  { now = systemClock, adapters = [], forward = adapters.length > 0, ingestUrl }: TestOptions = {},
) {
  const gateSql = connect(address, {
    name: 'tidings test gate',
    session: { synchronous_commit: 'off' },
  })
  const logLines: string[] = []
  const log = createLog('debug', { write: (line) => logLines.push(line) })
  const queue = await startQueue({ database: address, kinds: [forwarding], log, supervise: false })
  const shared = {
    ...{ sql, now, log, queue },
    vault: createVault(testSecret),
    adapters: new Map(adapters.map((adapter) => [adapter.slug, adapter])),
    outbound: createOutbound({ allowPrivate: ['127.0.0.1'] }),
  }
  let running: Forwarder | undefined
  const app = createApp({
    ...{ sql, log, now },
    trustedProxies: 0,
    api: {
      sql,
      authenticate: createAuthenticate(gateSql, now),
      ingest: createIngest(sql, now),
      cursors: createCursors(testSecret),
    },
    hooks: { ...shared, wake: () => running?.wake() },
  })
  app.listen({ port: 0, hostname: '127.0.0.1', maxRequestBodySize: 2 ** 40 })
  const base = `http://127.0.0.1:${app.server?.port}`
  const urls = { ingestUrl: ingestUrl ?? base, baseUrl: base }
  const forwarder: ForwarderDeps = { ...shared, ...urls, database: address, pollMs: 50 }
  if (forward) running = startForwarder(forwarder)
  return {
    base,
    forwarder,
    logLines,
    async stop() {
      await running?.stop()
      await app.stop(true)
      await queue.stop()
      await gateSql.end({ timeout: 1 })
    },
  }
}

/** A client that sends one key, and JSON unless told otherwise. */
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
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parseJson(text) }
  }
}

/** An answer's JSON, loosely typed: tests look into it and compare what they find. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
type Json = any

const parseJson = (text: string): Json => (text.startsWith('{') ? JSON.parse(text) : null)
