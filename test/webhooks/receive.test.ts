import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import * as v from 'valibot'
import { defineAdapter, secret } from '../../integrations/kit/adapter.ts'
import {
  createConnection,
  deleteConnection,
  webhookUrl,
} from '../../src/features/connections/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { connect } from '../../src/lib/database/db.ts'
import { http, routing } from '../../src/lib/http/index.ts'
import { createWebhooks, webhookRouteGroup } from '../../src/webhooks/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import {
  connectFakeProvider,
  createFakeAdapter,
  fakeSecret,
  sign,
} from '../support/providers/fake-provider.ts'

let app: TestApp
/** A moment at which the service's clock stands still. */
let moment: Date | null = null
beforeAll(async () => {
  const now = () => moment ?? new Date()
  app = await startApp({ adapters: [createFakeAdapter().adapter], forward: false, now })
})
afterAll(() => app.close())

const stored = async () =>
  (await app.sql<{ n: number }[]>`select count(*)::integer as n from deliveries`)[0]?.n

describe('POST /hooks/:adapter/:token', () => {
  test('a webhook request stores an event and its job together before the response', async () => {
    const fakeProvider = await connectFakeProvider(app, await app.team())
    const response = await fakeProvider.send({ id: 'one', items: [{ title: 'Pumpernickel 2.0' }] })
    expect([response.status, await response.json()]).toEqual([200, { ok: true }])
    expect(await fakeProvider.deliveries()).toMatchObject([
      { delivery_id: 'one', status: 'waiting' },
    ])
    const jobs =
      await app.sql`select data->>'deliveryId' as id from pgboss.job where name = 'forward'`
    const [delivery] = await fakeProvider.deliveries()
    expect(jobs.map(({ id }) => id)).toContain(delivery?.id)
  })

  test('a repeated webhook request is stored once, also when the requests are simultaneous', async () => {
    const fakeProvider = await connectFakeProvider(app, await app.team())
    const twins = Array.from({ length: 8 }, () => fakeProvider.send({ id: 'twin', items: [] }))
    const replies = await Promise.all((await Promise.all(twins)).map((twin) => twin.text()))
    expect(replies.sort()).toEqual([
      ...Array.from({ length: 7 }, () => '{"ok":true,"duplicate":true}'),
      '{"ok":true}',
    ])
    expect(await fakeProvider.deliveries()).toHaveLength(1)
  })

  test('the same delivery id is stored once for each connection', async () => {
    const team = await app.team()
    const [one, two] = [await connectFakeProvider(app, team), await connectFakeProvider(app, team)]
    await one.send({ id: 'same', items: [] })
    expect(await (await two.send({ id: 'same', items: [] })).json()).toEqual({ ok: true })
  })

  test('a delivery id that is long and contains invalid characters is accepted', async () => {
    const fakeProvider = await connectFakeProvider(app, await app.team())
    const id = `\0\ud800${'x'.repeat(5_000)}`
    expect(await (await fakeProvider.send({ id, items: [] })).json()).toEqual({ ok: true })
    expect(await (await fakeProvider.send({ id, items: [] })).json()).toEqual({
      ok: true,
      duplicate: true,
    })
  })

  test('a webhook request with a wrong signature gets 401 without detail, and no delivery is stored', async () => {
    const fakeProvider = await connectFakeProvider(app, await app.team())
    const body = '{"id":"x","kind":"news"}'
    const before = await stored()
    const forged = ['', 'zz', sign('another-secret', body), sign(fakeProvider.url, body)]
    for (const signature of forged) {
      const response = await fakeProvider.post(body, signature)
      expect([response.status, await response.text()]).toEqual([
        401,
        '{"error":"The request was refused."}',
      ])
    }
    expect(await stored()).toBe(before)
  })

  test('an address that repeats wrong signatures gets 429 for that connection and for no other', async () => {
    const team = await app.team()
    const [fakeProvider, other] = [
      await connectFakeProvider(app, team),
      await connectFakeProvider(app, team),
    ]
    const statuses = new Set<number>()
    for (let forged = 0; forged < 130; forged++)
      statuses.add((await fakeProvider.post('{}', '')).status)
    expect([...statuses]).toEqual([401, 429])
    const response = await fakeProvider.post('{}', '')
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await other.send({ id: '1', items: [] })).status).toBe(200)
  })

  test('an address that repeats wrong signatures does not keep the requests of the provider out, which come from another network', async () => {
    const proxied = await startApp({
      adapters: [createFakeAdapter().adapter],
      forward: false,
      on: app,
      trustedProxies: 1,
    })
    try {
      const { url } = await connectFakeProvider(proxied, await app.team())
      const body = JSON.stringify({ kind: 'news', id: 'n1', items: [] })
      const sendFrom = async (address: string, signature: string) => {
        const headers = { 'x-signature': signature, 'x-forwarded-for': address }
        return (await fetch(url, { method: 'POST', body, headers })).status
      }
      for (let forged = 0; forged < 121; forged++) await sendFrom('198.51.100.7', '')
      expect(await sendFrom('198.51.100.7', '')).toBe(429)
      expect(await sendFrom('203.0.113.5', sign(fakeSecret, body))).toBe(200)
    } finally {
      await proxied.close()
    }
  })

  test('an ignored event is listed once, with its reason', async () => {
    const fakeProvider = await connectFakeProvider(app, await app.team())
    const answer = { ok: true, ignored: 'it creates no block' }
    expect(await (await fakeProvider.send({ id: 'n1', kind: 'ignored' })).json()).toEqual(answer)
    expect((await fakeProvider.send({ id: 'n1', kind: 'ignored' })).status).toBe(200)
    expect(await fakeProvider.deliveries()).toMatchObject([
      { status: 'ignored', reason: 'it creates no block', replayable: false },
    ])
  })

  test('an unknown event gets 200 and is counted', async () => {
    const fakeProvider = await connectFakeProvider(app, await app.team())
    expect((await fakeProvider.send({ id: '1', kind: 'unknown' })).status).toBe(200)
    expect(await fakeProvider.deliveries()).toEqual([])
    const [row] =
      await app.sql`select unknown_events from connections where id = ${fakeProvider.connection.id}`
    expect(row).toEqual({ unknown_events: 1 })
    expect(app.logLines.some((line) => line.includes('"reason":"unknown"'))).toBe(true)
  })

  test('a handshake stores the settings that are not set yet, and no others', async () => {
    const fakeProvider = await connectFakeProvider(app, await app.team())
    const response = await fakeProvider.send({ id: 'w1', kind: 'handshake' })
    expect([response.status, await response.text()]).toEqual([200, 'welcome'])
    await fakeProvider.send({ id: 'w2', kind: 'handshake' })
    expect(await fakeProvider.settings()).toMatchObject({ workspace: 'w1' })
    expect(await fakeProvider.deliveries()).toEqual([])
  })

  test('a webhook body one byte over 1 MiB gets 413', async () => {
    const fakeProvider = await connectFakeProvider(app, await app.team())
    const body = Buffer.alloc(1024 * 1024 + 1, 'x')
    const chunked = new ReadableStream({
      pull(controller) {
        controller.enqueue(body)
        controller.close()
      },
    })
    for (const [sent, more] of [
      [body, {}],
      [chunked, { duplex: 'half' }],
    ] as const) {
      const response = await fetch(fakeProvider.url, { method: 'POST', body: sent, ...more })
      expect(response.status).toBe(413)
    }
    const exact = await fetch(fakeProvider.url, { method: 'POST', body: body.subarray(1) })
    expect(exact.status).toBe(401)
  })

  test('an unknown webhook address and the address of a removed connection get 404', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team)
    const { webhookToken } = fakeProvider.connection
    const elsewhere = [
      `fake-provider/${webhookToken.slice(1)}`,
      `github/${webhookToken}`,
      `fake-provider/${webhookToken}x`,
      'x',
    ]
    for (const path of elsewhere) {
      const response = await fetch(`${app.base}/hooks/${path}`, { method: 'POST' })
      expect(response.status).toBe(404)
    }
    await deleteConnection(systemContext(app.forwarder, team.id), fakeProvider.connection.id)
    expect((await fakeProvider.send({ id: '1', items: [] })).status).toBe(404)
  })

  test('a method that the adapter does not accept gets 405', async () => {
    const { url } = await connectFakeProvider(app, await app.team())
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const response = await fetch(url, { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    }
  })

  test('an adapter that throws gives 500 without the cause', async () => {
    const fakeProvider = await connectFakeProvider(app, await app.team())
    const response = await fakeProvider.post('not json')
    expect([response.status, await response.json()]).toEqual([
      500,
      { error: 'Something went wrong on our side. Try again later.' },
    ])
  })

  test('a webhook request gets 503 while the database is unavailable', async () => {
    const sql = connect('postgres://127.0.0.1:1/nothing', { name: 'nowhere' })
    const deps = { ...app.forwarder, sql }
    const baseUrl = 'http://localhost'
    const hooks = new Elysia(routing)
      .use(http({ log: deps.log, routeGroups: [webhookRouteGroup(baseUrl)] }))
      .use(createWebhooks({ deps, baseUrl }))
    const url = webhookUrl('http://localhost', 'fake-provider', 'x'.repeat(32))
    const response = await hooks.handle(
      new Request(url, { method: 'POST', body: '{}', headers: { host: 'localhost' } }),
    )
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
    await sql.end()
  })

  test('the log of webhook requests contains names and ids, never a body, a header or the token in the path', async () => {
    const fakeProvider = await connectFakeProvider(app, await app.team())
    await fakeProvider.send({
      id: 'quiet',
      items: [{ title: 'canary-title' }],
      replyTo: 'canary-answer',
    })
    await fakeProvider.post('{"canary-body"', '')
    const log = app.logLines.join('')
    expect(log).toContain(fakeProvider.connection.id)
    for (const secret of ['canary', fakeProvider.connection.webhookToken])
      expect(log).not.toContain(secret)
  })

  test('a connection accepts 1,200 events a minute, loses none of them, and counts those it refuses', async () => {
    const fakeProvider = await connectFakeProvider(app, await app.team())
    moment = new Date()
    let accepted = 0
    for (let batch = 0; batch < 26; batch++) {
      const sent = Array.from({ length: 50 }, (_, i) =>
        fakeProvider.send({ id: `${batch}-${i}`, items: [] }),
      )
      for (const { status } of await Promise.all(sent)) {
        expect([200, 429]).toContain(status)
        if (status === 200) accepted++
      }
    }
    const [row] = await app.sql`
      select count(*)::integer as n from deliveries where connection_id = ${fakeProvider.connection.id}`
    expect([row, accepted]).toEqual([{ n: 1_200 }, 1_200])
    const response = await fakeProvider.send({ id: 'late', items: [] })
    moment = null
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    const [counted] = await app.sql`
      select rate_limited_requests as n from connections where id = ${fakeProvider.connection.id}`
    expect(counted).toEqual({ n: 101 })
  })

  test('ignored events do not count against the events of a minute', async () => {
    const fakeProvider = await connectFakeProvider(app, await app.team(), { events: 'news.hire' })
    // More than 1,200 of those that the connection filters out, and some that the adapter ignores.
    for (let batch = 0; batch < 25; batch++) {
      const sent = Array.from({ length: 50 }, (_, i) =>
        i === 0
          ? fakeProvider.send({ id: `${batch}-${i}`, kind: 'ignored' })
          : fakeProvider.send({ id: `${batch}-${i}`, topic: 'release', items: [] }),
      )
      for (const { status } of await Promise.all(sent)) expect(status).toBe(200)
    }
    expect((await fakeProvider.send({ id: 'one', topic: 'hire', items: [] })).status).toBe(200)
  })

  test('requests with a wrong signature are counted', async () => {
    const fakeProvider = await connectFakeProvider(app, await app.team())
    await fakeProvider.post('{}', '')
    await fakeProvider.post('{}', 'zz')
    const [row] = await app.sql`
      select refused_requests, last_refused_at from connections where id = ${fakeProvider.connection.id}`
    expect(row).toEqual({ refused_requests: 2, last_refused_at: expect.any(Date) })
  })
})

describe('the adapter contract', () => {
  const challenge = defineAdapter({
    slug: 'challenge',
    name: 'Challenge',
    category: 'tracker',
    settings: v.object({ secret: secret() }),
    methods: ['POST', 'GET', 'HEAD'],
    receive: async ({ method, url, headers }) => {
      const echo = { 'x-hook-secret': headers.get('x-hook-secret') ?? 'none', 'x-method': method }
      const body = { asked: url.href, token: url.searchParams.get('validationToken') }
      return { kind: 'immediateReply', reply: { status: 202, headers: echo, body } }
    },
    compose: async () => ({ kind: 'ignored', reason: 'nothing to compose' }),
  })

  test('an adapter gets the method and the URL that the provider called, and its reply headers are sent', async () => {
    const own = await startApp({
      adapters: [challenge],
      forward: false,
      baseUrl: 'https://news.test',
    })
    try {
      const { id } = await own.team()
      const { webhookToken } = await createConnection(systemContext(own.forwarder, id), {
        adapter: challenge,
        given: { secret: 's' },
      })
      const path = `/hooks/challenge/${webhookToken}?validationToken=abc`
      const ask = async (method: string) => {
        const headers = { 'x-hook-secret': 'echo me' }
        const response = await fetch(own.base + path, { method, headers })
        return {
          status: response.status,
          echo: response.headers.get('x-hook-secret'),
          method: response.headers.get('x-method'),
          body: method === 'HEAD' ? null : await response.json(),
        }
      }
      const body = { asked: `https://news.test${path}`, token: 'abc' }
      const reply = { status: 202, echo: 'echo me' }
      expect(await ask('POST')).toEqual({ ...reply, method: 'POST', body })
      expect(await ask('GET')).toEqual({ ...reply, method: 'GET', body })
      expect(await ask('HEAD')).toEqual({ ...reply, method: 'HEAD', body: null })
      const response = await fetch(own.base + path, { method: 'PUT' })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, GET, HEAD'])
    } finally {
      await own.close()
    }
  })
})
