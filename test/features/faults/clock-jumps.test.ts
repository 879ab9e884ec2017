import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { scheduleCleanup } from '../../../src/jobs/cleanup.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { logIn, member, person } from '../../support/console.ts'
import { connectFakeProvider, createFakeAdapter } from '../../support/providers/fake-provider.ts'

const dayMs = 86_400_000

let app: TestApp
// The clock of the process stands still between its jumps: on a busy machine, the minutes of limits would end.
const start = Date.now()
/** How far the clock of the process is from that of the database. */
let aheadMs = 0
beforeAll(async () => {
  app = await startApp({
    now: () => new Date(start + aheadMs),
    adapters: [createFakeAdapter().adapter],
    forward: false,
    trustedProxies: 1,
  })
})
afterAll(() => app.close())
beforeEach(() => {
  aheadMs = 0
})

const prefixOf = (key: string) => key.slice(0, 14)

/** Sets the times of the requests that a key has sent, in seconds from now. */
const setRequests = (key: string, count: number, seconds: number) =>
  app.sql`
    update api_key_usage set recent_requests = array_fill(
      clock_timestamp() + make_interval(secs => ${seconds}), array[${count}]::integer[])
    where api_key_id = (select id from api_keys where prefix = ${prefixOf(key)})`

describe('When the clock of the process jumps', () => {
  test('the limit of a key stays exact, because it uses the clock of the database', async () => {
    const key = await app.key(await app.team(), ['read'])
    await setRequests(key, 54, 0)
    const statuses: number[] = []
    for (let n = 0; n < 8; n++) {
      aheadMs = (n % 3) * dayMs - dayMs
      statuses.push((await client(app.base, key)('GET', '/ping')).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429])
  })

  test('back, a key over its limit is accepted as soon as its window allows it', async () => {
    const key = await app.key(await app.team(), ['read'])
    await setRequests(key, 60, 0)
    const ping = () => client(app.base, key)('GET', '/ping')
    expect((await ping()).status).toBe(429)
    aheadMs = -dayMs
    await setRequests(key, 60, -61)
    expect((await ping()).status).toBe(200)
  })

  test('back, an address that sent too many wrong keys waits a minute at most', async () => {
    const headers = { authorization: 'Bearer wrong', 'x-forwarded-for': '203.0.113.5' }
    const ping = () => fetch(`${app.base}/api/v1/ping`, { headers })
    for (let n = 0; n < 121; n++) await ping()
    expect((await ping()).status).toBe(429)
    aheadMs = -dayMs
    expect((await ping()).status).toBe(401)
  })

  test('back, a connection at the limit of its events accepts the next one', async () => {
    const { post, send } = await connectFakeProvider(app, await app.team())
    for (let n = 0; n < 130; n++) await post('{}', '')
    expect((await post('{}', '')).status).toBe(429)
    aheadMs = -dayMs
    expect((await post('{}', '')).status).toBe(401)
    expect((await send({ id: 'a', items: [] })).status).toBe(200)
  })

  test('back, a person who signed in while it was wrong can sign in again', async () => {
    const { email } = await member(app, await app.team(), 'viewer')
    const signIn = async (password?: string) =>
      (await logIn(person(app.base, { 'x-forwarded-for': '203.0.113.6' }), email, password)).status
    aheadMs = 365 * dayMs
    expect(await signIn('wrong password')).toBe(422)
    expect(await signIn()).toBe(303)
    for (let n = 0; n < 8; n++) await signIn('wrong password')
    expect(await signIn()).toBe(429)
    aheadMs = 0
    expect(await signIn()).toBe(303)
    // Guesses are limited as before.
    for (let n = 0; n < 8; n++) expect(await signIn('wrong password')).toBe(422)
    expect(await signIn('wrong password')).toBe(429)
  })

  test('forward, the cleanup deletes nothing that is still within its retention period', async () => {
    const team = await app.team()
    await app.key(team, ['read'])
    const { send } = await connectFakeProvider(app, team)
    await send({ id: 'a', kind: 'ignored' })
    const jobs: (() => Promise<unknown>)[] = []
    await scheduleCleanup({
      sql: app.sql,
      storage: app.images.storage,
      log: app.forwarder.log,
      queue: {
        ...app.forwarder.queue,
        schedule: async (_name, _cron, work) => void jobs.push(work),
      },
    })
    const rows = async () =>
      await app.sql`
        select count(*)::int as n from audit_log where team_id = ${team.id}
        union all select count(*)::int from deliveries where team_id = ${team.id}`
    const before = await rows()
    aheadMs = 3_650 * dayMs
    for (const job of jobs) await job()
    expect(await rows()).toEqual(before)
    expect(before.every(({ n }) => n > 0)).toBe(true)
  })
})

describe('When the clock of the database jumps', () => {
  test('when the clock of the database jumps back by a day, a key is not blocked by requests of the next day', async () => {
    const key = await app.key(await app.team(), ['read', 'write'])
    await setRequests(key, 60, 86_400)
    const call = client(app.base, key)
    expect((await call('GET', '/ping')).status).toBe(200)
    const items = Array.from({ length: 60 }, (_, n) => ({ title: `Item ${n}`, body: 'Text.' }))
    const { json } = await call('POST', '/webhooks/ingest/bulk', { items })
    expect(json.meta).toMatchObject({ created: 59, rate_limited: 1 })
    expect(json.results.at(-1).problem.retry_after).toBeWithin(1, 61)
  })

  test('when the clock of the database jumps back by some seconds, no more than 60 requests are accepted', async () => {
    const key = await app.key(await app.team(), ['read'])
    await setRequests(key, 60, 30)
    const { status, headers } = await client(app.base, key)('GET', '/ping')
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeWithin(1, 91)
  })
})
