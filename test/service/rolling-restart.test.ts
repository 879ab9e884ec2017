import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as v from 'valibot'
import { createKey, NewKey } from '../../src/features/api-keys/index.ts'
import { createTeam } from '../../src/features/teams/index.ts'
import { systemClock as now } from '../../src/lib/clock.ts'
import { systemContext } from '../../src/lib/context.ts'
import { testSecret } from '../support/app.ts'
import { createDatabase, type TestDatabase } from '../support/database/database.ts'
import { createDataDir, type ServiceProcess, startProcess } from '../support/processes/process.ts'
import { urlOf } from '../support/run/test-run.ts'
import { until } from '../support/until.ts'

const clients = 6
const requestsPerKey = 58
const healthCheckMs = 100
// Clients without pauses would take the CPU time that the restarts need.
const pauseMs = 100

let database: TestDatabase
let folder: Awaited<ReturnType<typeof createDataDir>>
const processes: ServiceProcess[] = []
beforeAll(async () => {
  database = await createDatabase()
  folder = await createDataDir()
  await Promise.all([startWeb(), startWeb()])
})
afterAll(async () => {
  for (const { process, exited } of processes) {
    process.kill('SIGKILL')
    await exited
  }
  await folder.remove()
  await database.drop()
})

/** A web process on the database of the test. Returns its URL when it is ready. */
async function startWeb(): Promise<string> {
  const env = {
    DATABASE_URL: urlOf(database.address),
    TIDINGS_SECRET: testSecret,
    ROLE: 'web',
    DB_POOL: '8',
  }
  const service = startProcess(folder.path, env, { drains: true })
  processes.push(service)
  return await service.ready()
}

/** A proxy as operators have one: it checks /readyz, and repeats no request. */
function startProxy() {
  const upstreams = new Map<string, boolean>()
  const running = new Map<string, number>()
  let next = 0
  const forward = async (upstream: string, path: string, init: RequestInit) => {
    running.set(upstream, (running.get(upstream) ?? 0) + 1)
    const response = await fetch(upstream + path, init).catch(
      () => new Response(null, { status: 502 }),
    )
    running.set(upstream, (running.get(upstream) ?? 0) - 1)
    return response
  }
  let isChecking = false
  const check = async () => {
    // An earlier response must not replace a later one.
    if (isChecking) return
    isChecking = true
    for (const url of upstreams.keys()) {
      const ready = await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
      upstreams.set(url, ready)
    }
    isChecking = false
  }
  // As a load balancer asks.
  const timer = setInterval(check, healthCheckMs)
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const { method, headers } = request
      const body = method === 'GET' ? null : await request.text()
      const ready = [...upstreams].flatMap(([url, isReady]) => (isReady ? [url] : []))
      const upstream = ready[next++ % ready.length] ?? ''
      return await forward(upstream, pathname, { method, headers, body })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    upstreams,
    isReady: (url: string) => upstreams.get(url) === true,
    /** True when nothing is sent to a process any more. */
    isUnused: (url: string) => upstreams.get(url) === false && !running.get(url),
    async stop() {
      clearInterval(timer)
      await server.stop(true)
    },
  }
}

/** Creates a team. Returns a function that creates a key of it and returns its value. */
async function startTeam(): Promise<() => Promise<string>> {
  const { sql } = database
  const team = await createTeam({ sql, now }, { slug: 'acme', name: 'Acme' })
  const ctx = systemContext({ sql, now }, team.id)
  const input = v.parse(NewKey, { name: 'load', scopes: ['read', 'write'] })
  return async () => (await createKey(ctx, input)).token
}

test('while two processes behind a proxy are restarted one after the other, no request fails', async () => {
  const proxy = startProxy()
  const urls = processes.map((service) => service.url() ?? '')
  for (const url of urls) proxy.upstreams.set(url, true)
  const nextKey = await startTeam()
  const statuses = new Map<number, number>()
  let isOver = false
  const send = async (key: string, n: number) => {
    const isWrite = n % 2 === 0
    const response = await fetch(`${proxy.url}/api/v1/${isWrite ? 'webhooks/ingest' : 'team'}`, {
      method: isWrite ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(isWrite && { body: JSON.stringify({ title: `News ${n}`, body: 'Something new.' }) }),
    })
    await response.text()
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
  }
  const client = async () => {
    while (!isOver) {
      const key = await nextKey()
      for (let n = 0; n < requestsPerKey && !isOver; n++) {
        await send(key, n)
        // As people and tools do, a client waits between two requests.
        await Bun.sleep(pauseMs)
      }
    }
  }
  const load = Promise.all(Array.from({ length: clients }, client))
  const count = () => [...statuses.values()].reduce((sum, one) => sum + one, 0)
  for (const [index, url] of urls.entries()) {
    const before = count()
    await until(async () => count() > before + 20)
    const service = processes[index]
    service?.process.kill('SIGTERM')
    await until(async () => proxy.isUnused(url))
    service?.process.kill('SIGUSR2')
    expect(await service?.exited).toBe(0)
    proxy.upstreams.delete(url)
    const restarted = await startWeb()
    proxy.upstreams.set(restarted, false)
    await until(async () => proxy.isReady(restarted))
  }
  const atEnd = count()
  await until(async () => count() > atEnd + 20)
  isOver = true
  await load
  await proxy.stop()

  expect([...statuses.keys()].toSorted()).toEqual([200, 201])
  const [stored] = await database.sql<{ blocks: number }[]>`
    select count(*)::int as blocks from content_blocks`
  expect(stored?.blocks).toBe(statuses.get(201))
})
