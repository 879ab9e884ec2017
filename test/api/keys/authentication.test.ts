import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect as connectTcp } from 'node:net'
import { createKey, listKeys, revokeKey } from '../../../src/features/api-keys/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { client, readContext, startApp, type TestApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

let app: TestApp
let team: Team
beforeAll(async () => {
  app = await startApp()
  team = await app.team()
})
afterAll(() => app.close())

const item = { title: 'A win', body: 'We did it.' }

describe('API keys', () => {
  test('a request without a key gets 401 whatever else is wrong with it', async () => {
    const send = (path: string, init: RequestInit = {}) => fetch(app.base + path, init)
    const replies = await Promise.all([
      send('/api/v1/ping'),
      send('/api/v1/nowhere'),
      send('/api/v1/webhooks/ingest', { method: 'POST', body: '{"broken' }),
      send('/api/v1/webhooks/ingest', { method: 'PUT' }),
      send('/api/v1/webhooks/ingest', { method: 'POST', body: 'x'.repeat(300_000) }),
    ])
    for (const reply of replies) {
      expect(reply.status).toBe(401)
      expect(reply.headers.get('www-authenticate')).toBe('Bearer')
      expect(reply.headers.get('content-type')).toBe('application/problem+json')
      expect(await reply.json()).toMatchObject({ code: 'missing_key', status: 401 })
    }
  })

  test('a mistyped key and an unknown key get the same response', async () => {
    const real = await app.key(team, ['read'])
    const unknown = await strangersKey()
    const mistyped = real.slice(0, -1) + (real.endsWith('A') ? 'B' : 'A')
    const replies = await Promise.all(
      [unknown, mistyped, 'tidings_', 'x'].map((key) => client(app.base, key)('GET', '/ping')),
    )
    const bodies = replies.map(({ json }) => ({ ...json, request_id: '' }))
    for (const body of bodies) expect(body).toEqual(bodies[0])
    expect(bodies[0]).toMatchObject({ status: 401, code: 'invalid_key' })
  })

  test('a key is accepted in the address, and a key in the header takes precedence', async () => {
    const key = await app.key(team, ['read'])
    const other = await app.key(await app.team(), ['read'])
    const inUrl = await fetch(`${app.base}/api/v1/ping?api_key=${key}`)
    expect(inUrl.status).toBe(200)
    const both = await client(app.base, key)('GET', `/ping?api_key=${other}`)
    expect(both.json.ping.team.slug).toBe(team.slug)
    const twice = await fetch(`${app.base}/api/v1/ping?api_key=${key}&api_key=${other}`)
    expect(twice.status).toBe(401)
    for (const line of app.logLines) {
      expect(line).not.toContain(key)
      expect(line).not.toContain(other)
    }
    expect(app.logLines.length).toBeGreaterThan(0)
  })

  test('a key works until it expires and then gets 401 with the code expired_key', async () => {
    const key = await app.key(team, ['read'], { expires_at: new Date(Date.now() + 3_600_000) })
    const ping = client(app.base, key)
    expect((await ping('GET', '/ping')).status).toBe(200)
    await app.sql`update api_keys set expires_at = now() where prefix = ${key.slice(0, 14)}`
    const { json } = await ping('GET', '/ping')
    expect(json).toMatchObject({ status: 401, code: 'expired_key' })
  })

  test('the database contains no key in a form that works', async () => {
    const key = await app.key(team, ['read'])
    const [dump] = await app.sql<{ rows: string }[]>`
      select string_agg(k::text, ' ') as rows from api_keys k`
    expect(dump?.rows).toContain(key.slice(0, 14))
    expect(dump?.rows).not.toContain(key.slice(14))
  })
})

describe('Wrong API keys', () => {
  test('wrong keys are limited per client address, and a valid key from that address is not affected', async () => {
    const own = await startApp()
    const key = await own.key(await own.team(), ['read'])
    const bad = client(own.base, 'tidings_wrong')
    const statuses = await Promise.all(Array.from({ length: 130 }, async () => bad('GET', '/ping')))
    expect(statuses.filter(({ status }) => status === 401).length).toBe(120)
    const refused = statuses.filter(({ status }) => status === 429)
    expect(refused.length).toBe(10)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await client(own.base, key)('GET', '/ping')).status).toBe(200)
    await own.close()
  })
})

describe('The order of the checks', () => {
  test('the scope is checked before existence, and existence before the body', async () => {
    const read = client(app.base, await app.key(team, ['read']))
    const write = client(app.base, await app.key(team, ['write']))
    const broken = await read('POST', '/webhooks/ingest', '{"broken')
    expect(broken.json).toMatchObject({ status: 403, required_scope: 'write' })
    expect((await write('GET', '/content_blocks/cb_none')).json).toMatchObject({
      status: 403,
      required_scope: 'read',
    })
    expect((await write('POST', '/webhooks/ingest', '{"broken')).status).toBe(400)
  })

  test('a wrong method gets 405 with the allowed methods, and HEAD responds as GET does', async () => {
    const both = client(app.base, await app.key(team, ['read', 'write']))
    const wrong = await both('DELETE', '/webhooks/ingest')
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST'])
    const head = await both('HEAD', '/content_blocks')
    expect([head.status, head.text]).toEqual([200, ''])
    const list = await both('PUT', '/content_blocks', {})
    expect([list.status, list.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })

  test('a key that is restricted to ingest gets 403 on every other route', async () => {
    const narrowed = client(app.base, await app.key(team, ['write'], { ingest_only: true }))
    expect((await narrowed('POST', '/webhooks/ingest', item)).status).toBe(201)
    expect((await narrowed('GET', '/content_blocks')).status).toBe(403)
  })

  test('a key without auto_ready gets 403 for auto_ready, and nothing is stored', async () => {
    const key = client(
      app.base,
      await app.key(team, ['read', 'write'], { allow_auto_ready: false }),
    )
    const title = 'Never ready by itself'
    const refused = await key('POST', '/webhooks/ingest', { ...item, title, auto_ready: true })
    expect(refused.json).toMatchObject({ status: 403, code: 'insufficient_scope' })
    expect((await key('GET', `/content_blocks?q=${title}`)).json.meta.total).toBe(0)
  })

  test('another spelling of a path gets the same decision', async () => {
    const read = await app.key(team, ['read'])
    const paths = ['webhooks/ingest/', '/webhooks/ingest', 'WEBHOOKS/INGEST', 'webhooks%2fingest']
    for (const path of paths) {
      const reply = await client(app.base, read)('POST', `/${path}`, item)
      expect([403, 404]).toContain(reply.status)
    }
    const override = { 'x-http-method-override': 'GET', 'x-original-url': '/api/v1/ping' }
    expect((await client(app.base, read)('POST', '/webhooks/ingest', item, override)).status).toBe(
      403,
    )
  })
})

describe('The rate limit', () => {
  test('a key may make 60 requests in any 60 seconds over two processes, whatever their responses are', async () => {
    const one = await startApp()
    const second = await startApp({ on: one })
    const key = await one.key(await one.team(), ['read'])
    const calls = Array.from({ length: 80 }, (_, at) => {
      const base = at % 2 ? one.base : second.base
      // A third are refused for their scope: they count all the same.
      return at % 3 === 0
        ? client(base, key)('POST', '/webhooks/ingest', item)
        : client(base, key)('GET', '/ping')
    })
    const replies = await Promise.all(calls)
    const limited = replies.filter(({ status }) => status === 429)
    expect(replies.length - limited.length).toBe(60)
    for (const { headers, json } of limited) {
      const wait = Number(headers.get('retry-after'))
      expect(wait).toBeWithin(1, 61)
      expect(json.code).toBe('rate_limited')
      expect(headers.get('ratelimit')).toBe(`"default";r=0;t=${wait}`)
    }
    await second.close()
    await one.close()
  })

  test('a request counts for 60 seconds, and a request after Retry-After succeeds', async () => {
    const key = await app.key(team, ['read'])
    const ping = client(app.base, key)
    for (let left = 59; left >= 0; left--) {
      const { headers } = await ping('GET', '/ping')
      expect(headers.get('ratelimit')).toStartWith(`"default";r=${left};t=`)
    }
    expect((await ping('GET', '/ping')).status).toBe(429)
    // The oldest ten of them were 59.5 s ago: in half a second, ten more requests are accepted.
    const [id] = await app.sql<{ id: string }[]>`
      select id from api_keys where prefix = ${key.slice(0, 14)}`
    const keyId = id?.id ?? ''
    // As text, because a Date has no microseconds.
    const [moved] = await app.sql<{ at: string }[]>`
      update api_key_usage set recent_requests = (
        select array_agg(case when n <= 10 then now() - interval '59500 ms' else h end order by n)
        from unnest(recent_requests) with ordinality as u (h, n))
      where api_key_id = ${keyId}
      returning now()::text as at`
    let reply = await ping('GET', '/ping')
    while (reply.status === 429) {
      // What was remembered of the fuller window may stand for a moment.
      reply = await ping('GET', '/ping')
    }
    const [first] = await app.sql<{ after_ms: number }[]>`
      select (extract(epoch from min(h) - ${moved?.at ?? ''}::text::timestamptz) * 1000)::float8 as after_ms
      from api_key_usage, unnest(recent_requests) as h
      where api_key_id = ${keyId} and h > ${moved?.at ?? ''}::text::timestamptz`
    expect(first?.after_ms).toBeGreaterThanOrEqual(500)
    const rest = await Promise.all(Array.from({ length: 20 }, () => ping('GET', '/ping')))
    expect(rest.filter(({ status }) => status === 200).length).toBe(9)
  })
})

describe('Concurrent requests', () => {
  test('concurrent requests each get the result of their own key', async () => {
    const [good, spent, expired] = await Promise.all([
      app.key(team, ['read']),
      app.key(team, ['read']),
      app.key(team, ['read'], { expires_at: new Date(Date.now() - 1000) }),
    ])
    const revoked = await app.key(team, ['read'])
    await revokeKey(systemContext(app.forwarder, team.id), revoked.slice(0, 14))
    const unknown = await strangersKey()
    await Promise.all(Array.from({ length: 58 }, () => client(app.base, spent)('GET', '/ping')))
    const keys = [good, spent, expired, revoked, unknown]
    const ping = async (key: string) => {
      const { status, json } = await client(app.base, key)('GET', '/ping')
      return { key, outcome: json.code ?? status }
    }
    const replies = await Promise.all([...keys, ...keys, ...keys].map(ping))
    const outcomes = keys.map((key) =>
      replies.filter((reply) => reply.key === key).map(({ outcome }) => outcome),
    )
    expect(outcomes.map((list) => list.sort())).toEqual([
      [200, 200, 200],
      [200, 200, 'rate_limited'],
      ['expired_key', 'expired_key', 'expired_key'],
      ['revoked_key', 'revoked_key', 'revoked_key'],
      ['invalid_key', 'invalid_key', 'invalid_key'],
    ])
  })

  test('concurrent requests report the remaining requests one by one', async () => {
    const key = await app.key(team, ['read'])
    const replies = await Promise.all(
      Array.from({ length: 60 }, () => client(app.base, key)('GET', '/ping')),
    )
    const remaining = replies.map(({ headers }) =>
      Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]),
    )
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n))
  })

  test('concurrent requests record which of their keys were in a URL', async () => {
    const [inUrl, inHeader] = [await app.key(team, ['read']), await app.key(team, ['read'])]
    await Promise.all([
      ...Array.from({ length: 5 }, () => client(app.base, inHeader)('GET', '/ping')),
      ...Array.from({ length: 5 }, () => fetch(`${app.base}/api/v1/ping?api_key=${inUrl}`)),
    ])
    const keys = await listKeys(readContext(app, team))
    const lastUseInUrl = (key: string) =>
      keys.find(({ prefix }) => prefix === key.slice(0, 14))?.last_used_in_url_at ?? null
    expect(lastUseInUrl(inUrl)).not.toBeNull()
    expect(lastUseInUrl(inHeader)).toBeNull()
  })
})

describe('Revocation of a key', () => {
  test('a revocation stops a request whose body is still being sent, and nothing is stored', async () => {
    const { id, token } = await createKey(systemContext(app.forwarder, team.id), {
      name: 'soon gone',
      scopes: ['write'],
      ingest_only: false,
      allow_auto_ready: true,
      expires_at: null,
      provider: null,
    })
    const slow = await halfSent(app.base, token)
    await revokeKey(systemContext(app.forwarder, team.id), id)
    expect(await slow.finish()).toContain('HTTP/1.1 401')
    const [stored] = await app.sql`select 1 from content_blocks where title = 'Slow and late'`
    expect(stored).toBeUndefined()
    expect((await client(app.base, token)('GET', '/ping')).json).toMatchObject({
      status: 401,
      code: 'revoked_key',
    })
  })

  test('a read whose key is revoked before its response is sent gets 401', async () => {
    const key = await app.key(team, ['read'])
    // The lock is that of an operator, whom no deadline stops.
    const [list] = await app.sql.begin(async (tx) => {
      await tx`lock table content_blocks in access exclusive mode`
      const reading = client(app.base, key)('GET', '/content_blocks')
      await until(async () =>
        (await listKeys(readContext(app, team))).some(
          ({ last_used_at, prefix }) => prefix === key.slice(0, 14) && last_used_at,
        ),
      )
      await revokeKey(systemContext(app.forwarder, team.id), key.slice(0, 14))
      return [reading]
    })
    expect((await list).json).toMatchObject({ status: 401, code: 'revoked_key' })
  })

  test('a revoked key that is over its limit gets 401 instead of 429 after a moment', async () => {
    const key = await app.key(team, ['read'])
    const ping = client(app.base, key)
    const replies = await Promise.all(Array.from({ length: 61 }, () => ping('GET', '/ping')))
    expect(replies.filter(({ status }) => status === 429).length).toBe(1)
    await revokeKey(systemContext(app.forwarder, team.id), key.slice(0, 14))
    let reply = await ping('GET', '/ping')
    while (reply.status === 429) reply = await ping('GET', '/ping')
    expect(reply.json).toMatchObject({ status: 401, code: 'revoked_key' })
  })

  test('after a revocation nothing is stored, however many requests are in progress', async () => {
    const key = await app.key(team, ['write'])
    const calls = Array.from({ length: 50 }, (_, n) =>
      client(app.base, key)('POST', '/webhooks/ingest', { ...item, external_id: `race-${n}` }),
    )
    const stored = async () =>
      (await app.sql`select 1 from content_blocks where external_id like 'race-%'`).length
    await revokeKey(systemContext(app.forwarder, team.id), key.slice(0, 14))
    const storedBefore = await stored()
    const replies = await Promise.all(calls)
    expect(replies.filter(({ status }) => status === 201).length).toBe(storedBefore)
    expect(await stored()).toBe(storedBefore)
  })
})

/** The value of a key that has the right form and belongs to nobody. */
async function strangersKey(): Promise<string> {
  const elsewhere = await startApp()
  const key = await elsewhere.key(await elsewhere.team(), ['read'])
  await elsewhere.close()
  return key
}

/** An ingest whose headers and first half have arrived, and which waits to be finished. */
async function halfSent(base: string, key: string) {
  const { hostname, port } = new URL(base)
  const body = JSON.stringify({ title: 'Slow and late', body: 'x' })
  const socket = connectTcp(Number(port), hostname)
  let received = ''
  socket.on('data', (data) => {
    received += data
  })
  const head = [
    'POST /api/v1/webhooks/ingest HTTP/1.1',
    `host: ${hostname}`,
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'connection: close',
    '\r\n',
  ]
  socket.write(head.join('\r\n') + body.slice(0, 10))
  // Once the request is counted, its key has been checked.
  await until(async () => {
    const rows = await app.sql`
      select 1 from api_key_usage join api_keys on api_keys.id = api_key_id
      where prefix = ${key.slice(0, 14)} and cardinality(recent_requests) = 1`
    return rows.length > 0
  })
  return {
    finish: () =>
      new Promise<string>((resolve) => {
        socket.on('close', () => resolve(received))
        socket.write(body.slice(10))
      }),
  }
}
