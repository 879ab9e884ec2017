import { afterEach, describe, expect, test } from 'bun:test'
import { createIngestClient, type IngestClientOptions } from '../../src/forwarding/ingest-client.ts'

const windowMs = 500
const places = 20

interface Arrival {
  at: number
  key: string
  title: string
}

const open: { stop(): void }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.stop()
})

/** An ingest that notes when it accepts, which may be a while after a call came in. */
function fakeIngest(
  answer: (arrival: Arrival, count: number) => Response = ok,
  delayMs: (title: string) => number = () => 0,
) {
  const arrivals: Arrival[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { title } = (await request.json()) as { title: string }
      const key = request.headers.get('authorization') ?? ''
      await new Promise((resolve) => setTimeout(resolve, delayMs(title)))
      const arrival = { at: performance.now(), key, title }
      arrivals.push(arrival)
      return answer(arrival, arrivals.length)
    },
  })
  open.push({ stop: () => void server.stop(true) })
  return { arrivals, baseUrl: `http://127.0.0.1:${server.port}` }
}

const ok = ({ title }: Arrival) =>
  Response.json({ content_block: { id: title, title, origin: null }, duplicate: false })

function client(baseUrl: string, options: Partial<IngestClientOptions> = {}) {
  const made = createIngestClient({
    baseUrl,
    places,
    windowMs,
    recentRequests: async () => [],
    ...options,
  })
  open.push(made)
  return (title: string, id = 'key_a') =>
    made.post({ id, teamId: 'team_a', value: id }, title, { title, body: 'x' })
}

/** The most arrivals that any window holds. */
const fullest = (arrivals: readonly Arrival[]) =>
  Math.max(
    ...arrivals.map(
      ({ at }) => arrivals.filter((other) => other.at >= at && other.at < at + windowMs).length,
    ),
  )

const titles = (count: number) => Array.from({ length: count }, (_, index) => `item ${index}`)

describe('the ingest client', () => {
  test('never lets more than its places arrive in any window, and loses none', async () => {
    // The last of the first window are accepted long after they were sent.
    const slowly = (title: string) => (/item 1[5-9]/.test(title) ? 450 : 0)
    const { arrivals, baseUrl } = fakeIngest(ok, slowly)
    const post = client(baseUrl)
    await Promise.all(titles(60).map((title) => post(title)))
    expect(arrivals.map(({ title }) => title).sort()).toEqual(titles(60).sort())
    expect(fullest(arrivals)).toBeLessThanOrEqual(places)
  })

  test('counts what its key used up before it started', async () => {
    const { arrivals, baseUrl } = fakeIngest()
    const started = performance.now()
    const ages = Array.from({ length: 15 }, (_, index) => 100 + index)
    const post = client(baseUrl, { recentRequests: async () => ages.toReversed() })
    await Promise.all(titles(10).map((title) => post(title)))
    // The newest of those 15 is 100 ms old: until it leaves the window, 5 places are left.
    const early = arrivals.filter(({ at }) => at < started + windowMs - 114)
    expect(early).toHaveLength(5)
  })

  test('lets a key that waits hold up no other', async () => {
    const { arrivals, baseUrl } = fakeIngest()
    const post = client(baseUrl)
    const flood = Promise.all(titles(40).map((title) => post(title)))
    await post('quick', 'key_b')
    expect(arrivals.length).toBeLessThan(40)
    await flood
  })

  test('stays away as long as a 429 says, then sends the refused item again', async () => {
    const refused = new Response('{}', { status: 429, headers: { 'retry-after': '1' } })
    const { arrivals, baseUrl } = fakeIngest((arrival, count) =>
      count === 1 ? refused : ok(arrival),
    )
    const post = client(baseUrl)
    await Promise.all(titles(12).map((title) => post(title)))
    expect(new Set(arrivals.map(({ title }) => title)).size).toBe(12)
    expect(arrivals).toHaveLength(13)
    // Those that were on their way already may still arrive.
    const [first] = arrivals
    const later = arrivals.filter(({ at }) => at > (first?.at ?? 0) + 150)
    expect(Math.min(...later.map(({ at }) => at)) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990)
  })

  test('tells a final no from a passing one', async () => {
    const problem = { detail: 'title is required' }
    const statuses = [401, 403, 422, 404, 409, 500, 503, 302]
    const { baseUrl } = fakeIngest(({ title }) =>
      Response.json(problem, { status: Number(title), headers: { location: '/' } }),
    )
    const post = client(baseUrl)
    const outcomes = statuses.map((status) => post(String(status)).catch(({ name }) => name))
    const no = 'IngestRefused'
    const later = 'IngestUnavailable'
    expect(await Promise.all(outcomes)).toEqual([no, no, no, later, later, later, later, later])
    await expect(post('422')).rejects.toThrow('422: title is required')
  })

  test('takes an ingest that is not there for a passing trouble', async () => {
    const { baseUrl } = fakeIngest()
    for (const server of open.splice(0)) server.stop()
    await expect(client(baseUrl)('x')).rejects.toMatchObject({ name: 'IngestUnavailable' })
  })

  test('holds everything back while it is not known what was used up', async () => {
    const { arrivals, baseUrl } = fakeIngest()
    let asked = 0
    const recentRequests = async () => {
      asked++
      if (asked === 1) throw new Error('the database is away')
      return []
    }
    const started = performance.now()
    await client(baseUrl, { recentRequests })('patient')
    expect(asked).toBe(2)
    expect(arrivals[0]?.at ?? 0).toBeGreaterThan(started + 900)
  })
})
