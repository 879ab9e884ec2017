import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createKey, listKeys, revokeKey, rotateKey } from '../../../src/features/api-keys/index.ts'
import { newToken } from '../../../src/features/api-keys/token.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { transaction } from '../../../src/lib/database/db.ts'
import { client, readContext, startApp, type TestApp } from '../../support/app.ts'
import { countLockWaits } from '../../support/database/lock-waits.ts'
import { until } from '../../support/until.ts'

let app: TestApp
let team: Team
beforeAll(async () => {
  app = await startApp()
  team = await app.team()
})
afterAll(() => app.close())

const prefixOf = (key: string) => key.slice(0, 14)
/** True when a statement in the app's database waits for a lock. */
const waitsForLock = async () => (await countLockWaits(app.sql)) > 0

const later = new Date('2099-01-31')

test('a request that waits for another process sees the requests which that process has accepted', async () => {
  const key = await app.key(team, ['read'])
  const { responding } = await transaction(app.sql, async (tx) => {
    const [usage] = await tx`
      select u.api_key_id from api_key_usage u join api_keys k on k.id = u.api_key_id
      where k.prefix = ${prefixOf(key)} for update of u`
    const responding = client(app.base, key)('GET', '/ping')
    await until(waitsForLock)
    await tx`
      update api_key_usage set recent_requests = array_fill(clock_timestamp(), array[60])
      where api_key_id = ${usage?.['api_key_id']}`
    return { responding }
  })
  expect((await responding).status).toBe(429)
})

/** The response of a request while the database is locked; null when the request waits for it. */
async function responseWhileLocked(request: () => ReturnType<ReturnType<typeof client>>) {
  return await transaction(app.sql, async (tx) => {
    await tx`lock table api_key_usage, api_keys in access exclusive mode`
    const seen: Awaited<ReturnType<typeof request>>[] = []
    const sent = request().then((response) => seen.push(response))
    await until(async () => seen.length > 0 || (await waitsForLock()))
    return { response: seen[0] ?? null, sent }
  })
}

test('keys over their limit get their responses from memory for a quarter of a second, also while the database is locked', async () => {
  const keys = [await app.key(team, ['read']), await app.key(team, ['read'])]
  const start = Date.now()
  let elapsedMs = 0
  // Memory keeps a response for a quarter of a second, which passes on this clock only.
  const own = await startApp({ on: app, now: () => new Date(start + elapsedMs) })
  const pings = keys.map((key) => () => client(own.base, key)('GET', '/ping'))
  for (const ping of pings) while ((await ping()).status !== 429);
  elapsedMs = 249
  for (const ping of pings) {
    const { response } = await responseWhileLocked(ping)
    expect(response?.status).toBe(429)
    expect(Number(response?.headers.get('retry-after'))).toBeWithin(2, 61)
    expect(response?.headers.get('ratelimit')).toStartWith('"default";r=0;')
  }
  elapsedMs = 250
  const { response, sent } = await responseWhileLocked(() =>
    client(own.base, keys[0] ?? '')('GET', '/ping'),
  )
  expect(response).toBeNull()
  await sent
  await own.close()
})

test('a value that has not the form of a key is refused without the database', async () => {
  const key = await app.key(team, ['read'])
  const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
  for (const value of [mistyped, 'tidings_', 'x', `${key}0`]) {
    const { response } = await responseWhileLocked(() => client(app.base, value)('GET', '/ping'))
    expect([response?.status, response?.json.code]).toEqual([401, 'invalid_key'])
  }
})

test('a key whose next request is accepted within a second waits one second', async () => {
  const key = await app.key(team, ['read'])
  const wait = await until(async () => {
    await app.sql`
      update api_key_usage
      set recent_requests = array_fill(clock_timestamp() - interval '59 seconds', array[60])
      where api_key_id = (select id from api_keys where prefix = ${prefixOf(key)})`
    // On a busy machine the second has passed.
    return (await client(app.base, key)('GET', '/ping')).headers.get('retry-after')
  })
  expect(wait).toBe('1')
})

test('a key that expires later reads, writes and ingests', async () => {
  const key = await app.key(team, ['read', 'write'], { expires_at: later })
  const call = client(app.base, key)
  expect((await call('GET', '/content_blocks')).status).toBe(200)
  expect((await call('POST', '/content_blocks', { title: 'A', body: 'B' })).status).toBe(201)
  expect((await call('POST', '/webhooks/ingest', { title: 'A', body: 'B' })).status).toBe(201)
})

test('keys that expire later count among the 100 active keys of a team', async () => {
  const full = await app.team()
  for (let n = 0; n < 100; n++) await app.key(full, ['read'], { expires_at: later })
  const [key] = await listKeys(readContext(app, full))
  const rotated = rotateKey(systemContext(app.forwarder, full.id), {
    keyId: key?.id ?? '',
    graceHours: 24,
  })
  await expect(rotated).rejects.toMatchObject({ code: 'validation_failed' })
})

test('a prefix that several keys have revokes none of them', async () => {
  const keys = [await app.key(team, ['read']), await app.key(team, ['read'])]
  await app.sql`
    update api_keys set prefix = 'tidings_twice0' where prefix in ${app.sql(keys.map(prefixOf))}`
  const revoked = revokeKey(systemContext(app.forwarder, team.id), 'tidings_twice0')
  await expect(revoked).rejects.toMatchObject({ code: 'validation_failed' })
  for (const key of keys) expect((await client(app.base, key)('GET', '/ping')).status).toBe(200)
})

test('a rotation does not extend the time of a key that expires before the grace period ends', async () => {
  const soon = new Date(Date.now() + 3_600_000)
  const ctx = systemContext(app.forwarder, team.id)
  const about = { ingest_only: false, allow_auto_ready: true, provider: null } as const
  const { id } = await createKey(ctx, { ...about, name: 'x', scopes: ['read'], expires_at: soon })
  await rotateKey(ctx, { keyId: id, graceHours: 24 })
  const [row] = await app.sql<{ expires_at: Date }[]>`
    select expires_at from api_keys where id = ${id}`
  expect(row?.expires_at).toEqual(soon)
})

test.each([0, 24])(
  'of simultaneous rotations of a key that ends in %i hours one succeeds, and the new key does not end',
  async (graceHours) => {
    const ctx = systemContext(app.forwarder, team.id)
    const about = { ingest_only: false, allow_auto_ready: true, provider: null } as const
    const name = `ends in ${graceHours}`
    const { id } = await createKey(ctx, { ...about, name, scopes: ['read'], expires_at: null })
    const rotations = Array.from({ length: 4 }, () => rotateKey(ctx, { keyId: id, graceHours }))
    const results = await Promise.allSettled(rotations)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const others = await app.sql`
    select expires_at from api_keys where team_id = ${team.id} and name = ${name} and id <> ${id}`
    expect(others.map((row) => row['expires_at'])).toEqual([null])
  },
)

test('a key that is unknown or revoked is not rotated', async () => {
  const ctx = systemContext(app.forwarder, team.id)
  const key = await app.key(team, ['read'])
  const id = await revokeKey(ctx, prefixOf(key))
  await expect(rotateKey(ctx, { keyId: id, graceHours: 0 })).rejects.toMatchObject({
    code: 'validation_failed',
  })
  await expect(rotateKey(ctx, { keyId: 'unknown', graceHours: 0 })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a key whose value was made by the first release still works', async () => {
  // 32 digits and their checksum.
  const value = 'tidings_0123456789ABCDEFGHIJKLMNOPQRSTUV0aXCLs'
  const key = await app.key(team, ['read'])
  await app.sql`
    update api_keys set token_hash = sha256(convert_to(${value}, 'UTF8'))
    where prefix = ${prefixOf(key)}`
  expect((await client(app.base, value)('GET', '/ping')).status).toBe(200)
})

test('the errors of a body that is read while its key is checked come after a revocation and after the limit', async () => {
  const revoked = await app.key(team, ['write'])
  const limited = await app.key(team, ['write'])
  const valid = await app.key(team, ['write'])
  const { responses } = await transaction(app.sql, async (tx) => {
    await tx`lock table api_key_usage in access exclusive mode`
    const responses: Promise<Response>[] = []
    for (const key of [revoked, limited, valid]) {
      responses.push(
        fetch(`${app.base}/api/v1/webhooks/ingest`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: '{"broken',
        }),
      )
      await until(waitsForLock)
    }
    await tx`update api_keys set revoked_at = now() where prefix = ${prefixOf(revoked)}`
    await tx`
      update api_key_usage set recent_requests = array_fill(clock_timestamp(), array[60])
      where api_key_id = (select id from api_keys where prefix = ${prefixOf(limited)})`
    return { responses }
  })
  const statuses = (await Promise.all(responses)).map(({ status }) => status)
  expect(statuses).toEqual([401, 429, 400])
})

/** A key with which the service has stored an item, and which is changed afterwards. */
async function usedKey(change: (prefix: string) => Promise<unknown>): Promise<string> {
  const key = await app.key(team, ['write'])
  const body = { title: 'The first', body: 'Text.' }
  expect((await client(app.base, key)('POST', '/webhooks/ingest', body)).status).toBe(201)
  await change(prefixOf(key))
  return key
}

test.each<[string, () => Promise<string>, string]>([
  ['an unknown key', async () => newToken(), '401 Unauthorized'],
  [
    'a key that was used before and is revoked',
    () =>
      usedKey((prefix) => app.sql`update api_keys set revoked_at = now() where prefix = ${prefix}`),
    '401 Unauthorized',
  ],
  [
    'a key that was used before and is over its limit',
    () =>
      usedKey(
        (prefix) => app.sql`
          update api_key_usage set recent_requests = array_fill(clock_timestamp(), array[60])
          where api_key_id = (select id from api_keys where prefix = ${prefix})`,
      ),
    '429 Too Many Requests',
  ],
])(
  'the response to %s does not wait for the body, and the connection can be used further',
  async (_, createKey, status) => {
    const key = await createKey()
    const { hostname, port } = new URL(app.base)
    let received = ''
    const data = (_socket: unknown, chunk: Buffer) => {
      received += chunk.toString()
    }
    const socket = await Bun.connect({ hostname, port: Number(port), socket: { data } })
    const headers = [`host: ${hostname}`, 'content-type: application/json']
    const head = (lines: string[]) => `${[...lines, ...headers].join('\r\n')}\r\n\r\n`
    const post = 'POST /api/v1/webhooks/ingest HTTP/1.1'
    socket.write(head([post, `authorization: Bearer ${key}`, 'content-length: 100']))
    socket.write('{"title": "'.padEnd(60, 'x'))
    await until(async () => received.includes(`HTTP/1.1 ${status}`))
    socket.write(`${'x'.repeat(40)}${head(['GET /version HTTP/1.1'])}`)
    await until(async () => received.includes('HTTP/1.1 200 OK'))
    socket.end()
  },
)
