/** Work that consists of several requests: from a webhook to a block, previews, forwarding with many keys. */
import { adapter } from '../integrations/github/adapter.ts'
import published from '../integrations/github/fixtures/release.published.json'
import { sign } from '../integrations/github/fixtures/sign.ts'
import { createConnection, webhookUrl } from '../src/features/connections/index.ts'
import { createTeam } from '../src/features/teams/index.ts'
import { systemClock } from '../src/lib/clock.ts'
import { systemContext } from '../src/lib/context.ts'
import { createEncryption } from '../src/lib/secrets/encryption.ts'
import { acceptedRequests, recordAcceptedRequests } from '../test/support/accepted-requests.ts'
import { until } from '../test/support/until.ts'
import { type Systems, secret } from './systems.ts'

/** One row of the second table. */
export interface Journey {
  name: string
  result: string
  goal: string
}

const webhookSecret = 'a secret that only the two know'
const windowMs = 60_000
const perWindow = 60

/** Measures all journeys, one after the other. */
export async function measureJourneys(systems: Systems): Promise<Journey[]> {
  const api = apiOf(systems)
  return [
    await measureRelease(systems, api),
    ...(await measurePreviews(api)),
    ...(await measureForwarding(systems)),
  ]
}

type Api = (method: string, path: string, body?: object) => Promise<Response>

/** Requests to the API of Tidings, with the next key each time. */
function apiOf({ tidings: { port, tokens } }: Systems): Api {
  let next = 0
  return async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${tokens[next++ % tokens.length]}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} responded ${response.status}`)
    return response
  }
}

/** Webhook addresses of new connections of a team to GitHub. */
async function connect({ sql, tidings }: Systems, teamId: string, count: number) {
  const deps = { sql, now: systemClock, encryption: createEncryption(secret) }
  const connections = await Promise.all(
    Array.from({ length: count }, () =>
      createConnection(systemContext(deps, teamId), {
        adapter,
        given: { secret: webhookSecret },
      }),
    ),
  )
  return connections.map(({ webhookToken }) =>
    webhookUrl(`http://127.0.0.1:${tidings.port}`, adapter.slug, webhookToken),
  )
}

let releases = 0

/** Sends a signed release and returns its id. */
async function sendRelease(url: string): Promise<number> {
  const id = ++releases
  const body = JSON.stringify({ ...published.body, release: { ...published.body.release, id } })
  const headers = {
    ...published.headers,
    'x-github-delivery': `bench-${id}`,
    ...(await sign(body, { secret: webhookSecret })),
  }
  const response = await fetch(url, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`A webhook request got ${response.status}.`)
  return id
}

async function measureRelease(systems: Systems, api: Api): Promise<Journey> {
  const urls = await connect(systems, systems.teamId, 4)
  const times: number[] = []
  // Each key may make 60 requests in 60 s.
  for (let index = 0; index < urls.length * 50; index++) {
    const started = performance.now()
    const id = await sendRelease(urls[index % urls.length] ?? '')
    const path = `/content_blocks?external_id=github:release:${id}`
    await until(async () => (await (await api('GET', path)).text()).includes('"cb_'), 60)
    times.push(performance.now() - started)
  }
  return {
    name: 'signed GitHub release → block visible',
    result: percentiles(times),
    goal: '',
  }
}

async function measurePreviews(api: Api): Promise<Journey[]> {
  const path = await createdAt(api, '/newsletters', { title: 'Bench' })
  const ids: string[] = []
  for (let index = 0; index < 20; index++) {
    const block = { title: `Block ${index}`, body: '<p>What happened.</p>', status: 'ready' }
    const content_block_id = (await createdAt(api, '/content_blocks', block)).split('/').pop() ?? ''
    await api('POST', `${path}/blocks`, { content_block_id })
    ids.push(content_block_id)
  }
  const cold: number[] = []
  const unchanged: number[] = []
  for (let index = 0; index < 60; index++) {
    const changed = `/content_blocks/${ids[index % ids.length]}`
    await api('PATCH', changed, { title: `Block of round ${index}` })
    cold.push(await timeOf(() => api('GET', `${path}/preview`)))
    unchanged.push(await timeOf(() => api('GET', `${path}/preview`)))
  }
  return [
    { name: 'preview of 20 blocks, after a change', result: percentiles(cold), goal: '' },
    { name: 'preview of 20 blocks, unchanged', result: percentiles(unchanged), goal: '' },
  ]
}

/** Creates a resource and returns its path below `/api/v1`. */
async function createdAt(api: Api, collection: string, body: object): Promise<string> {
  const response = await api('POST', collection, body)
  return (response.headers.get('location') ?? '').replace('/api/v1', '')
}

/**
 * Sends each of 100 connections more releases than its key may forward in a minute. From each
 * accepted request to the sixtieth after it, 60 s must pass, and hardly more.
 */
async function measureForwarding(systems: Systems): Promise<Journey[]> {
  const { sql } = systems
  await recordAcceptedRequests(sql)
  const team = await createTeam({ sql, now: systemClock }, { slug: 'forwarding', name: 'Bench' })
  const urls = await connect(systems, team.id, 100)
  const perKey = 80
  for (let round = 0; round < perKey; round++) await Promise.all(urls.map(sendRelease))
  await until(async () => {
    const [row] = await sql`
      select from deliveries where team_id = ${team.id} and status = 'waiting' limit 1`
    return row === undefined
  }, 400)
  const byKey = [...(await acceptedRequests(sql, team.id)).values()]
  const rounds = byKey.flatMap((times) =>
    times.slice(perWindow).map((at, index) => at - (times[index] ?? at)),
  )
  const meanMs = rounds.reduce((sum, ms) => sum + ms, 0) / rounds.length
  const most = Math.max(...byKey.flatMap((times) => times.map((at) => countFrom(times, at))))
  const ratio = (windowMs / meanMs).toFixed(3)
  return [
    { name: 'forwarding with 100 keys, of 100 items/s', result: ratio, goal: '≥ 0.98' },
    { name: 'forwarding, most of one key in any 60 s', result: String(most), goal: '≤ 60' },
  ]
}

const countFrom = (times: readonly number[], from: number) =>
  times.filter((at) => at >= from && at < from + windowMs).length

async function timeOf(work: () => Promise<Response>): Promise<number> {
  const started = performance.now()
  await (await work()).arrayBuffer()
  return performance.now() - started
}

function percentiles(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}
