import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createKey, listKeys, revokeKey, rotateKey } from '../../src/features/api-keys/index.ts'
import type { Team } from '../../src/features/teams/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { transaction } from '../../src/lib/database/db.ts'
import { client, readContext, startApp, type TestApp } from '../support/app.ts'
import { until } from '../support/fake-provider.ts'

let app: TestApp
let team: Team
beforeAll(async () => {
  app = await startApp()
  team = await app.team()
})
afterAll(() => app.close())

const prefixOf = (key: string) => key.slice(0, 14)
/** True when a statement in the app's database waits for a lock. */
const waitsForLock = async () => {
  const waiting = await app.sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return waiting.length > 0
}

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

test('a key over its limit gets its response from memory, also while the database is locked', async () => {
  const key = await app.key(team, ['read'])
  // Memory keeps a response for a quarter of a second, which does not end on this clock.
  const moment = new Date()
  const stopped = await startApp({ on: app, now: () => moment })
  const ping = () => client(stopped.base, key)('GET', '/ping')
  while ((await ping()).status !== 429);
  await transaction(app.sql, async (tx) => {
    await tx`lock table api_key_usage in access exclusive mode`
    let response: Awaited<ReturnType<typeof ping>> | undefined
    void ping().then((seen) => {
      response = seen
    })
    await until(async () => response !== undefined || (await waitsForLock()))
    expect(response?.status).toBe(429)
    expect(Number(response?.headers.get('retry-after'))).toBeWithin(1, 61)
  })
  await stopped.close()
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
