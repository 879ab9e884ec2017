import { afterAll, beforeEach } from 'bun:test'
import type { Adapter } from '../../integrations/kit/adapter.ts'
import { createConnection, getConnectionHealth } from '../../src/features/connections/index.ts'
import { listDeliveries } from '../../src/features/deliveries/index.ts'
import { queueDuePolls } from '../../src/features/polling/index.ts'
import type { Team } from '../../src/features/teams/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { startPolling } from '../../src/webhooks/index.ts'
import { readContext, startApp, type TestApp } from './app.ts'
import { until } from './until.ts'

/** A server with documents that Tidings reads, and the requests that it got. */
function startSource(contentType: string) {
  const source = {
    /** Responds to the next requests, by path; a text is a document. */
    respond: async (_request: Request): Promise<Response | string> => '',
    requests: [] as { path: string; headers: Headers }[],
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname: path, search } = new URL(request.url)
      source.requests.push({ path: path + search, headers: request.headers })
      const response = await source.respond(request)
      if (typeof response !== 'string') return response
      return new Response(response, { headers: { 'content-type': contentType } })
    },
  })
  return Object.assign(source, {
    url: `http://127.0.0.1:${server.port}`,
    stop: () => server.stop(true),
  })
}

/**
 * Starts an app that reads sources and whose clock a test moves on, and a source, for the tests of a file. Each test begins
 * with no connection that is due.
 */
export async function startPollingApp(adapters: readonly Adapter[], contentType: string) {
  const startedAt = Date.now()
  let passedMs = 0
  const now = () => new Date(startedAt + passedMs)
  const app = await startApp({ adapters, now })
  const polling = await startPolling(app.forwarder)
  const source = startSource(contentType)
  afterAll(async () => {
    await polling.stop()
    await app.close()
    await source.stop()
  })
  beforeEach(async () => {
    await app.sql`update polled_sources set due_at = null`
    source.respond = async () => ''
    source.requests.length = 0
  })
  const passHours = (hours: number) => {
    passedMs += hours * 3_600_000
  }
  return { app, source, now, passHours }
}

/** A connection to a source, and what a test does with one. */
export async function connectSource(
  app: TestApp,
  adapter: Adapter,
  given: Record<string, unknown>,
) {
  const team = await app.team()
  const connection = await createConnection(systemContext(app.forwarder, team.id), {
    adapter,
    given,
  })
  const { id } = connection
  const version = async () => {
    const [row] = await app.sql<{ version: number }[]>`
      select version from polled_sources where team_id = ${team.id} and connection_id = ${id}`
    return row?.version ?? 0
  }
  return {
    team,
    id,
    version,
    /** Reads the source once, when it is due, and waits until all deliveries are settled. */
    async poll(): Promise<void> {
      const before = await version()
      await queueDuePolls(app.forwarder)
      await until(async () => (await version()) > before)
      await settled(app, team, id)
    },
    titles: () => titlesOf(app, team),
    health: () => getConnectionHealth(readContext(app, team), id),
    deliveries: () => listDeliveries(readContext(app, team), { connectionId: id, limit: 100 }),
  }
}

const settled = (app: TestApp, team: Team, id: string) =>
  until(async () => {
    const found = await listDeliveries(readContext(app, team), { connectionId: id, limit: 100 })
    return found.every(({ status }) => status !== 'waiting')
  })

/** The titles of the blocks of a team, oldest first. */
export async function titlesOf(app: TestApp, team: Team): Promise<string[]> {
  const rows = await app.sql<{ title: string }[]>`
    select title from content_blocks where team_id = ${team.id} order by id`
  return rows.map(({ title }) => title)
}
