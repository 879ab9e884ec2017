import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  completeDelivery,
  countSettledSince,
  type DeliveryOutcome,
  findWaitingDelivery,
  getDelivery,
  hasEarlierWaiting,
  listDeliveries,
  listNewestDeliveries,
  purgeDeliveries,
  recordFailure,
  replaceComposedItems,
  replayDelivery,
  saveComposedItems,
  startDeliveryAttempt,
  storeEvents,
  storeIgnored,
} from '../../../src/features/deliveries/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { readContext, startApp, type TestApp } from '../../support/app.ts'
import { connectFakeProvider, createFakeAdapter } from '../../support/providers/fake-provider.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ adapters: [createFakeAdapter().adapter], forward: false })
})
afterAll(() => app.close())

const event = { items: [{ title: 'Pumpernickel 2.0' }] }

/** A connection of a new team, and the functions about its deliveries. */
async function connection() {
  const team = await app.team()
  const { id, apiKeyId } = (await connectFakeProvider(app, team)).connection
  const source = { teamId: team.id, id, apiKey: { id: apiKeyId } }
  return {
    team,
    id,
    source,
    store: async (deliveryId: string, more: { ephemeralContext?: unknown } = {}) => {
      const [stored] = await storeEvents(app.forwarder, source, [{ deliveryId, event, ...more }])
      return { teamId: team.id, deliveryId: stored ?? '' }
    },
    list: (choice = {}) => listDeliveries(readContext(app, team), { connectionId: id, ...choice }),
  }
}

const replay = (team: Team, id: string) =>
  replayDelivery({ ...systemContext(app.forwarder, team.id), queue: app.forwarder.queue }, id)

const jobsOf = async (deliveryId: string) =>
  await app.sql`
    select name, group_id from pgboss.job where data ->> 'deliveryId' = ${deliveryId}`

const storedRow = async (deliveryId: string) => {
  const [row] = await app.sql`
    select event, ephemeral_context, items, problem from deliveries where id = ${deliveryId}`
  return row
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

describe('storing deliveries', () => {
  test('the events of one request are stored in their order, and only those that are new are returned', async () => {
    const { source, list, team } = await connection()
    const events = [
      { deliveryId: 'a', event },
      { deliveryId: 'b', event, ignoredReason: 'not wanted' },
    ]
    const ids = await storeEvents(app.forwarder, source, events)
    expect((await list()).map(({ id }) => id)).toEqual([...ids].reverse())
    const again = await storeEvents(app.forwarder, source, [
      ...events,
      { deliveryId: 'c', event, ephemeralContext: 'somebody' },
    ])
    expect(again).toHaveLength(1)
    const [third, second, first] = await list()
    expect(third?.id).toBe(again[0])
    expect([first?.status, second?.status, third?.status]).toEqual([
      'waiting',
      'ignored',
      'waiting',
    ])
    expect(second).toMatchObject({ reason: 'not wanted', replayable: true, attempts: 0 })
    expect(second?.settled_at).toEqual(second?.received_at ?? null)
    expect(first).toMatchObject({
      reason: null,
      replayable: false,
      settled_at: null,
      block_ids: [],
    })
    expect(await jobsOf(first?.id ?? '')).toMatchObject([{ name: 'forward' }])
    expect(await jobsOf(second?.id ?? '')).toHaveLength(0)
    if (!third) throw new Error('there is no third delivery')
    expect(await getDelivery(readContext(app, team), third.id)).toEqual(third)
  })

  test('an event and its job are stored together or not at all', async () => {
    const { source, list } = await connection()
    const queue = { ...app.forwarder.queue, add: () => Promise.reject(new Error('no queue')) }
    const stored = storeEvents({ ...app.forwarder, queue }, source, [{ deliveryId: 'a', event }])
    await expect(stored).rejects.toThrow('no queue')
    expect(await list()).toHaveLength(0)
  })

  test('delivery ids of 200 printable characters are stored as they are, and longer or other ones as a hash', async () => {
    const { store, list } = await connection()
    const long = 'x'.repeat(200)
    for (const id of [long, `${long}x`, '', 'with space', 'tilde~', '\u007f']) await store(id)
    const stored = (await list()).map(({ delivery_id }) => delivery_id).reverse()
    const hash = /^sha256:[0-9a-f]{64}$/
    expect(stored).toEqual([
      long,
      expect.stringMatching(hash),
      expect.stringMatching(hash),
      expect.stringMatching(hash),
      'tilde~',
      expect.stringMatching(hash),
    ])
    expect(new Set(stored).size).toBe(6)
  })

  test('an ignored event without content cannot be replayed, and one with content can', async () => {
    const { source, team } = await connection()
    const ignored = { reason: 'private repository', deliveryId: 'a' }
    const empty = await storeIgnored(app.forwarder, source, ignored)
    await expect(replay(team, empty ?? '')).rejects.toMatchObject({ code: 'validation_failed' })
    expect(await storeIgnored(app.forwarder, source, ignored)).toBeNull()
    const kept = await storeIgnored(app.forwarder, source, { ...ignored, deliveryId: 'b', event })
    await replay(team, kept ?? '')
    expect(await getDelivery(readContext(app, team), kept ?? '')).toMatchObject({
      status: 'waiting',
      reason: null,
      settled_at: null,
    })
    expect(await jobsOf(kept ?? '')).toHaveLength(1)
  })
})

describe('an attempt at a delivery', () => {
  test('a waiting delivery is read with its event and its ephemeral context, and each attempt is counted', async () => {
    const { store } = await connection()
    const ref = await store('a', { ephemeralContext: { channel: 'C1' } })
    const plain = await store('b')
    expect(await findWaitingDelivery(app.forwarder, ref)).toMatchObject({ attempts: 0 })
    expect(await startDeliveryAttempt(app.forwarder, ref)).toMatchObject({
      attempts: 1,
      event,
      ephemeralContext: { channel: 'C1' },
      items: null,
      replays: 0,
    })
    expect(await startDeliveryAttempt(app.forwarder, ref)).toMatchObject({ attempts: 2 })
    expect(await startDeliveryAttempt(app.forwarder, plain)).toMatchObject({
      ephemeralContext: null,
    })
  })

  test('the first composed items stay, until they are replaced', async () => {
    const { store, id: connection_id } = await connection()
    const ref = await store('a')
    const row = { team_id: ref.teamId, connection_id, id: ref.deliveryId }
    expect(await saveComposedItems(app.forwarder, row, ['first'])).toEqual(['first'])
    expect(await saveComposedItems(app.forwarder, row, ['second'])).toEqual(['first'])
    expect(await replaceComposedItems(app.forwarder, row, ['third'])).toEqual(['third'])
    expect((await findWaitingDelivery(app.forwarder, ref))?.items).toEqual(['third'])
    await completeDelivery(app.forwarder, ref, { status: 'delivered', blockIds: [] })
    expect(await saveComposedItems(app.forwarder, row, ['late'])).toEqual(['late'])
    await replaceComposedItems(app.forwarder, row, ['later'])
    expect(await storedRow(ref.deliveryId)).toMatchObject({ items: null })
  })

  test('a failed attempt stores its reason, and a settled delivery keeps its own', async () => {
    const { store, list } = await connection()
    const ref = await store('a')
    const failure = {
      reason: 'GET https://api.example/secret/path failed',
      problem: 'refused',
    } as const
    await recordFailure(app.forwarder, ref, failure)
    expect(await list()).toMatchObject([
      { status: 'waiting', reason: 'GET https://api.example failed' },
    ])
    expect(await storedRow(ref.deliveryId)).toMatchObject({ problem: 'refused' })
    await completeDelivery(app.forwarder, ref, { status: 'ignored', reason: 'nothing in it' })
    await recordFailure(app.forwarder, ref, failure)
    expect(await list()).toMatchObject([{ status: 'ignored', reason: 'nothing in it' }])
  })

  test('an earlier delivery counts as waiting until it is settled, and only for its own connection', async () => {
    const { store, id: connection_id } = await connection()
    const first = await store('a')
    const second = await store('b')
    const row = ({ teamId: team_id, deliveryId: id }: typeof first) => ({
      team_id,
      connection_id,
      id,
    })
    expect(await hasEarlierWaiting(app.forwarder, row(first))).toBe(false)
    expect(await hasEarlierWaiting(app.forwarder, row(second))).toBe(true)
    expect(
      await hasEarlierWaiting(app.forwarder, { ...row(second), connection_id: 'another' }),
    ).toBe(false)
    await completeDelivery(app.forwarder, first, { status: 'withdrawn' })
    expect(await hasEarlierWaiting(app.forwarder, row(second))).toBe(false)
  })
})

test('an attempt at a delivery takes at most half an hour, is repeated at most ten minutes later for about a day, and its job is deleted an hour after its end', async () => {
  const queues = await app.sql<
    { name: string; retry_limit: number; retry_delay: number; most: number; kept: number }[]
  >`
    select name, retry_limit, retry_delay, retry_delay_max as most, deletion_seconds as kept
    from pgboss.queue where name in ('forward', 'give-up-delivery') order by name`
  expect(queues.map(({ name, most, kept }) => [name, most, kept])).toEqual([
    ['forward', 600, 3600],
    ['give-up-delivery', 600, 3600],
  ])
  const [{ retry_limit = 0, retry_delay = 0 } = {}] = queues
  const delays = Array.from({ length: retry_limit }, (_, n) => Math.min(600, retry_delay * 2 ** n))
  const hours = delays.reduce((sum, delay) => sum + delay, 0) / 3600
  expect(Math.round(hours)).toBe(24)
  const [forward] = await app.sql`
    select expire_seconds, dead_letter from pgboss.queue where name = 'forward'`
  expect(forward).toMatchObject({ expire_seconds: 1800, dead_letter: 'give-up-delivery' })
})

describe('settled deliveries', () => {
  test('a delivery is settled once, and only a failed one keeps what a replay needs', async () => {
    const { store, list, team } = await connection()
    const outcomes: DeliveryOutcome[] = [
      { status: 'delivered', blockIds: ['cb_1'], reason: 'a repetition' },
      { status: 'ignored', reason: 'nothing in it' },
      { status: 'failed', reason: 'ingest said no', blockIds: ['cb_2'] },
      { status: 'withdrawn' },
    ]
    for (const outcome of outcomes) {
      const ref = await store(outcome.status, { ephemeralContext: 'somebody' })
      await recordFailure(app.forwarder, ref, { reason: 'later', problem: 'unavailable' })
      expect(await completeDelivery(app.forwarder, ref, outcome)).toBe(true)
      expect(await completeDelivery(app.forwarder, ref, { status: 'withdrawn' })).toBe(false)
      expect(await startDeliveryAttempt(app.forwarder, ref)).toBeNull()
      expect(await findWaitingDelivery(app.forwarder, ref)).toBeNull()
      const keepsEvent = outcome.status === 'failed' || outcome.status === 'ignored'
      expect(await storedRow(ref.deliveryId)).toEqual({
        event: keepsEvent ? event : null,
        ephemeral_context: outcome.status === 'failed' ? expect.anything() : null,
        items: null,
        problem: null,
      })
    }
    expect((await list()).reverse()).toMatchObject([
      { status: 'delivered', block_ids: ['cb_1'], reason: 'a repetition', replayable: false },
      { status: 'ignored', block_ids: [], reason: 'nothing in it', replayable: true },
      { status: 'failed', block_ids: ['cb_2'], reason: 'ingest said no', replayable: true },
      { status: 'withdrawn', block_ids: [], reason: null, replayable: false },
    ])
    const since = (days: number) => countSettledSince(readContext(app, team), daysAgo(days))
    expect(await since(1)).toEqual({ completed: 3, failed: 1 })
    expect(await since(-1)).toEqual({ completed: 0, failed: 0 })
  })

  test('a replayed delivery keeps its ephemeral context, counts the replay and is in the audit log', async () => {
    const { store, team } = await connection()
    const ref = await store('a', { ephemeralContext: 'somebody' })
    await completeDelivery(app.forwarder, ref, { status: 'failed', reason: 'no' })
    await replay(team, ref.deliveryId)
    expect(await startDeliveryAttempt(app.forwarder, ref)).toMatchObject({
      replays: 1,
      ephemeralContext: 'somebody',
      event,
    })
    expect(await jobsOf(ref.deliveryId)).toHaveLength(2)
    await expect(replay(team, ref.deliveryId)).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(replay(team, 'unknown')).rejects.toMatchObject({ code: 'not_found' })
    await expect(replay(await app.team(), ref.deliveryId)).rejects.toMatchObject({
      code: 'not_found',
    })
    const entries = await app.sql`
      select subject from audit_log where team_id = ${team.id} and action = 'delivery_replayed'`
    expect(entries).toMatchObject([
      { subject: expect.stringContaining('fake-provider, received 20') },
    ])
  })

  test('deliveries are purged 90 days after they were settled, ignored requests after 14, waiting ones never', async () => {
    const { store, source, list } = await connection()
    const waiting = await store('waiting')
    await completeDelivery(app.forwarder, await store('failed'), { status: 'failed', reason: 'no' })
    await completeDelivery(app.forwarder, await store('ignored'), {
      status: 'ignored',
      reason: 'no',
    })
    await storeIgnored(app.forwarder, source, { deliveryId: 'noise', reason: 'noise' })
    const names = async () => (await list()).map(({ delivery_id }) => delivery_id).sort()
    const purgeAt = async (days: number) => {
      await purgeDeliveries({ sql: app.sql, now: () => daysAgo(-days) })
      return await names()
    }
    expect(await purgeAt(13.99)).toEqual(['failed', 'ignored', 'noise', 'waiting'])
    expect(await purgeAt(14.01)).toEqual(['failed', 'ignored', 'waiting'])
    expect(await purgeAt(89.99)).toEqual(['failed', 'ignored', 'waiting'])
    expect(await purgeAt(90.01)).toEqual(['waiting'])
    expect(await findWaitingDelivery(app.forwarder, waiting)).not.toBeNull()
  })
})

describe('the list of deliveries', () => {
  test('deliveries are listed newest first, by status and by page, at most 100 at once', async () => {
    const { store, list } = await connection()
    await store('0')
    const [middle, last] = [await store('1'), await store('2')]
    await completeDelivery(app.forwarder, middle, { status: 'withdrawn' })
    const ids = async (choice = {}) => (await list(choice)).map(({ delivery_id }) => delivery_id)
    expect(await ids()).toEqual(['2', '1', '0'])
    expect(await ids({ limit: 2 })).toEqual(['2', '1'])
    expect(await ids({ before: last.deliveryId })).toEqual(['1', '0'])
    expect(await ids({ status: 'waiting' })).toEqual(['2', '0'])
    for (let n = 3; n < 101; n++) await store(String(n))
    expect(await ids({ limit: 1_000 })).toHaveLength(100)
    expect(await ids()).toHaveLength(20)
  })

  test('the number of settled deliveries is exact up to 10,000', async () => {
    const { team, id, store } = await connection()
    const { deliveryId } = await store('0')
    await app.sql`
      insert into deliveries
      select (jsonb_populate_record(d, jsonb_build_object('id', 'dl_' || n, 'delivery_id', n,
        'status', 'failed', 'settled_at', now()))).*
      from deliveries d, generate_series(1, 10001) n where d.id = ${deliveryId}`
    const context = readContext(app, team)
    expect(await countSettledSince(context, daysAgo(1))).toEqual({ completed: 0, failed: 10_000 })
    await app.sql`delete from deliveries where connection_id = ${id}`
  })

  test('the newest delivery of each connection is found, and no delivery of another team', async () => {
    const [one, other] = [await connection(), await connection()]
    await one.store('old')
    await one.store('new')
    await other.store('foreign')
    const newest = await listNewestDeliveries(readContext(app, one.team), [
      one.id,
      other.id,
      'none',
    ])
    expect([...newest].map(([id, { delivery_id }]) => [id, delivery_id])).toEqual([[one.id, 'new']])
    expect(
      await listDeliveries(readContext(app, one.team), { connectionId: other.id }),
    ).toHaveLength(0)
    const [foreign] = await other.list()
    await expect(getDelivery(readContext(app, one.team), foreign?.id ?? '')).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
