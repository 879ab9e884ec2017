import { fileURLToPath } from 'node:url'
import { acceptedRequests, recordAcceptedRequests } from '../accepted-requests.ts'
import { startApp, type TestApp } from '../app.ts'
import { connectFakeProvider, createFakeAdapter } from '../providers/fake-provider.ts'
import { until } from '../until.ts'

const script = fileURLToPath(new URL('service.ts', import.meta.url))

interface IngestResponse {
  /** In ms, on the clock of `performance.now()`. */
  at: number
  status: number
}

export interface CrashReport {
  /** How ingest responded to the forwarder, in the order of its requests. */
  responses: IngestResponse[]
  /** When PostgreSQL counted the accepted requests against the limit, in ms, oldest first. */
  acceptedAt: number[]
  /** When the process was killed, in ms since 1970. */
  killedAt: number
  /** How long no process could forward, in ms: from the kill until the next process serves. */
  downMs: number
  /** How many blocks each of the external ids has. */
  blocksPerItem: Map<string, number>
  statuses: Record<string, number>
}

/**
 * Sends `count` events to a service, kills it with SIGKILL in the middle of its request number
 * `killAt` to ingest (accepted there, its response not seen), starts it again and waits for the rest.
 */
export async function surviveKill(options: {
  count: number
  killAt: number
  /** How long to wait for the rest. */
  seconds?: number
}): Promise<CrashReport> {
  const app = await startApp({ adapters: [createFakeAdapter().adapter], forward: false })
  const recorder = startRecorder(options.killAt)
  let child: Child | undefined
  try {
    await recordAcceptedRequests(app.sql)
    child = await startService(app, recorder.url)
    recorder.passTo(child)
    const team = await app.team()
    const fakeProvider = await connectFakeProvider({ ...app, base: child.base }, team)
    for (let index = 0; index < options.count; index++) {
      const item = { title: `Release ${index}`, external_id: `release:${index}` }
      const { status } = await fakeProvider.send({ id: `d${index}`, items: [item] })
      if (status !== 200) throw new Error(`the service answered ${status}`)
    }
    recorder.begin()
    await child.process.exited
    const killedAt = Date.now()
    child = await startService(app, recorder.url)
    recorder.passTo(child)
    const downMs = Date.now() - killedAt
    await until(async () => (await waiting(app)) === 0, options.seconds)
    const acceptedAt = [...(await acceptedRequests(app.sql, team.id)).values()].flat()
    return { responses: recorder.responses, acceptedAt, killedAt, downMs, ...(await outcome(app)) }
  } finally {
    child?.process.kill('SIGKILL')
    await recorder.stop()
    await app.close()
  }
}

interface Child {
  process: Bun.Subprocess
  base: string
}

/** Starts the service on the database of `app`; without `ingestUrl` it posts to itself, and without `aiUrl` it has no model. */
export async function startService(app: TestApp, ingestUrl = '', aiUrl = ''): Promise<Child> {
  const process = Bun.spawn(['bun', script], {
    env: {
      ...Bun.env,
      DATABASE: JSON.stringify(app.database.address),
      INGEST_URL: ingestUrl,
      AI_URL: aiUrl,
    },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  for await (const chunk of process.stdout) {
    return { process, base: Buffer.from(chunk).toString().trim() }
  }
  throw new Error('the service did not start')
}

/** A proxy between the forwarder and ingest. It passes requests on once it may begin, and records the responses. */
function startRecorder(killAt: number) {
  const responses: IngestResponse[] = []
  const begun = Promise.withResolvers<void>()
  let target: Child | undefined
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      await begun.promise
      const url = new URL(new URL(request.url).pathname, target?.base)
      const { method, headers } = request
      const passed = fetch(url, { method, headers, body: await request.bytes() })
      const reply = await passed.catch(() => null)
      if (!reply) return new Response('the service is gone', { status: 502 })
      responses.push({ at: performance.now(), status: reply.status })
      if (responses.length === killAt) target?.process.kill('SIGKILL')
      return new Response(await reply.bytes(), reply)
    },
  })
  return {
    responses,
    url: `http://127.0.0.1:${server.port}`,
    begin: begun.resolve,
    passTo(child: Child) {
      target = child
    },
    stop: () => server.stop(true),
  }
}

/** The number of deliveries that are not processed yet. */
async function waiting({ sql }: TestApp): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::integer as n from deliveries where status = 'waiting'`
  return row?.n ?? 0
}

async function outcome({ sql }: TestApp) {
  const blocks = await sql<{ name: string; n: number }[]>`
    select title as name, count(*)::integer as n from content_blocks group by title`
  const deliveries = await sql<{ status: string; n: number }[]>`
    select status, count(*)::integer as n from deliveries group by status`
  return {
    blocksPerItem: new Map(blocks.map(({ name, n }) => [name, n])),
    statuses: Object.fromEntries(deliveries.map(({ status, n }) => [status, n])),
  }
}
