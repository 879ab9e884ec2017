import { afterEach, describe, expect, test } from 'bun:test'
import { createIngestClient } from '../../src/forwarding/deliveries/ingest-client.ts'

interface Received {
  at: number
  key: string
  title: string
}

const open: { stop(): void }[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.stop()
})

/** An ingest that records its requests and responds as the test defines. */
function fakeIngest(respond: (received: Received, count: number) => Response | Promise<Response>) {
  const requests: Received[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { title } = (await request.json()) as { title: string }
      const key = request.headers.get('authorization') ?? ''
      const received = { at: performance.now(), key, title }
      requests.push(received)
      return await respond(received, requests.length)
    },
  })
  open.push({ stop: () => void server.stop(true) })
  const { post } = createIngestClient({ baseUrl: `http://127.0.0.1:${server.port}` })
  return {
    requests,
    post: (title: string, key = 'key_a') =>
      post({ id: key, value: key }, title, { title, body: 'x' }),
  }
}

const created = ({ title }: Received) =>
  Response.json({ content_block: { id: title, title, origin: null }, duplicate: false })

const tooMany = (retryAfter: string) =>
  Response.json({}, { status: 429, headers: { 'retry-after': retryAfter } })

const titles = (count: number) => Array.from({ length: count }, (_, index) => `item ${index}`)

describe('the ingest client', () => {
  test('the ingest client repeats a request that got 429 after the time in Retry-After, and loses no item', async () => {
    const { requests, post } = fakeIngest((received, count) =>
      count === 1 ? tooMany('1') : created(received),
    )
    const results = await Promise.all(titles(12).map((title) => post(title)))
    expect(results.map(({ id }) => id)).toEqual(titles(12))
    const [first, ...others] = requests.filter(({ title }) => title === requests[0]?.title)
    expect(others).toHaveLength(1)
    expect((others[0]?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990)
  })

  test('the ingest client waits one second when a 429 has no Retry-After', async () => {
    const { requests, post } = fakeIngest((received, count) =>
      count === 1 ? new Response('{}', { status: 429 }) : created(received),
    )
    await post('one')
    const [first, second] = requests
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990)
  })

  test('the ingest client posts the items of one key while another key is over its limit', async () => {
    const released = Promise.withResolvers<void>()
    const { requests, post } = fakeIngest(async (received) => {
      if (received.key.includes('key_b')) return created(received)
      await released.promise
      return created(received)
    })
    const blocked = titles(10).map((title) => post(title))
    await post('quick', 'key_b')
    expect(requests.filter(({ key }) => key.includes('key_a')).length).toBeLessThanOrEqual(2)
    released.resolve()
    await Promise.all(blocked)
  })

  test('the ingest client sends at most two requests of one key at the same time', async () => {
    let running = 0
    let most = 0
    const second = Promise.withResolvers<void>()
    const { post } = fakeIngest(async (received) => {
      most = Math.max(most, ++running)
      if (running === 2) second.resolve()
      await second.promise
      await new Promise(setImmediate)
      running--
      return created(received)
    })
    await Promise.all(titles(20).map((title) => post(title)))
    expect(most).toBe(2)
  })

  test('the ingest client distinguishes a final rejection from a problem that can pass', async () => {
    const { post } = fakeIngest(({ title }) =>
      Response.json(
        { detail: 'title is required' },
        { status: Number(title), headers: { location: '/' } },
      ),
    )
    const names = async (statuses: number[]) =>
      await Promise.all(statuses.map((status) => post(String(status)).catch(({ name }) => name)))
    expect(new Set(await names([400, 401, 403, 413, 415, 422]))).toEqual(
      new Set(['IngestRejectedError']),
    )
    expect(new Set(await names([302, 404, 409, 500, 503]))).toEqual(
      new Set(['IngestUnavailableError']),
    )
    await expect(post('422')).rejects.toThrow('422: title is required')
  })

  test('the ingest client reports an ingest that cannot be reached as a problem that can pass', async () => {
    const { post } = fakeIngest(created)
    for (const server of open.splice(0)) server.stop()
    await expect(post('x')).rejects.toMatchObject({ name: 'IngestUnavailableError' })
  })
})
