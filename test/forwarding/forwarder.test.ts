import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { listKeys, revokeKey } from '../../src/features/api-keys/index.ts'
import { deleteConnection } from '../../src/features/connections/index.ts'
import { replayDelivery } from '../../src/features/deliveries/index.ts'
import type { Team } from '../../src/features/teams/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { readContext, startApp, type TestApp } from '../support/app.ts'
import { newsletterOf, unlimitedClient } from '../support/newsletters.ts'
import {
  connectFakeProvider,
  createFakeAdapter,
  type FakeConnection,
  failsAlways,
  failsTwice,
} from '../support/providers/fake-provider.ts'
import { until } from '../support/until.ts'

const { adapter, notifications } = createFakeAdapter()

/** A provider's API that fails until a test enables it. */
let providerUp = false
/** The paths that it was asked for. */
const asked: string[] = []
const provider = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) => {
    const { pathname } = new URL(request.url)
    asked.push(pathname)
    if (pathname === '/refused') return new Response('', { status: 403 })
    if (pathname === '/limited')
      return new Response('', { status: 429, headers: { 'retry-after': '300' } })
    return new Response('', { status: providerUp ? 200 : 500 })
  },
})
const api = `http://127.0.0.1:${provider.port}`

let app: TestApp
beforeAll(async () => {
  app = await startApp({ adapters: [adapter] })
})
afterAll(async () => {
  await app.close()
  await provider.stop(true)
})

const blocksOf = (team: Team) => app.sql`
  select id, title, status, source, block_type, event_slug, provider, external_id
  from content_blocks where team_id = ${team.id} order by id`

/** Makes whatever waits for a later attempt due at once. */
const hurry = () =>
  app.sql`update pgboss.job set start_after = now() where state = 'retry' and start_after > now()`

/** Lets deliveries be tried again until all of them have ended. */
const untilNoneWaits = ({ deliveries }: FakeConnection) =>
  until(async () => {
    await hurry()
    return (await deliveries()).every(({ status }) => status !== 'waiting')
  })

describe('deliveries', () => {
  test('a delivery becomes one draft under the key of its connection, and the provider is notified', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team)
    const item = { title: 'Rye 1.0 is out', external_id: 'rye:1' }
    await fakeProvider.send({ id: 'd1', items: [item], replyTo: 'the-asker' })
    const [delivery] = await fakeProvider.settled(1)
    const blocks = await blocksOf(team)
    const expected = { ...item, status: 'draft', source: 'webhook', provider: 'fake-provider' }
    expect(blocks).toMatchObject([{ ...expected, block_type: 'general', event_slug: null }])
    const id = blocks[0]?.['id']
    expect(delivery).toMatchObject({ status: 'delivered', block_ids: [id], replayable: false })
    await until(async () => notifications.length > 0)
    const notification = notifications.pop()
    expect(notification).toMatchObject({
      replyTo: 'the-asker',
      blocks: [{ id, created: true, externalId: 'rye:1' }],
    })
    const receipt = await fetch(notification?.blocks[0]?.url ?? '')
    expect(await receipt.text()).toContain('Waiting for review')
    expect(await listKeys(readContext(app, team))).toMatchObject([
      { name: 'Fake provider', provider: 'fake-provider', scopes: ['write'], ingest_only: true },
    ])
  })

  test('a delivery that repeats an item under another id creates no second block and says so', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team)
    const items = [{ title: 'Twice', external_id: 'twice' }]
    await Promise.all(['a', 'b', 'c'].map((id) => fakeProvider.send({ id, items })))
    await fakeProvider.settled(3)
    expect(await blocksOf(team)).toHaveLength(1)
    const mine = () => notifications.filter(({ blocks }) => blocks[0]?.externalId === 'twice')
    await until(async () => mine().length === 3)
    expect(mine().filter(({ blocks }) => blocks[0]?.created)).toHaveLength(1)
  })

  test('a delivery with several items creates one block for each item', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team)
    await fakeProvider.send({ id: 'd', items: [{ title: 'One' }, { title: 'Two' }] })
    await fakeProvider.settled(1)
    expect((await blocksOf(team)).map(({ title }) => title)).toEqual(['One', 'Two'])
  })

  test('a delivery applies the block settings of its connection', async () => {
    const team = await app.team()
    const settings = { block_type: 'wins_milestones', event_slug: 'open-day', auto_ready: 'true' }
    const fakeProvider = await connectFakeProvider(app, team, settings)
    const items = [{ title: 'Let through' }, { title: 'Held', auto_ready: false }]
    await fakeProvider.send({ id: 'd', items })
    await fakeProvider.settled(1)
    const common = { block_type: 'wins_milestones', event_slug: 'open-day' }
    expect(await blocksOf(team)).toMatchObject([
      { ...common, title: 'Let through', status: 'ready' },
      { ...common, title: 'Held', status: 'draft' },
    ])
  })

  test('a delivery without items is listed as ignored with the reason', async () => {
    const fakeProvider = await connectFakeProvider(app, await app.team())
    await fakeProvider.send({ id: 'd', items: [] })
    expect(await fakeProvider.settled(1)).toMatchObject([
      { status: 'ignored', reason: 'nothing in it', replayable: true },
    ])
  })

  test('a delivery that ingest rejects fails with the message of ingest and can be replayed', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team)
    await fakeProvider.send({ id: 'd', items: [{ title: '  ' }, { title: 'Good' }] })
    const [failed] = await fakeProvider.settled(1)
    const reason = 'item 1: 422: title is required'
    expect(failed).toMatchObject({ status: 'failed', reason, replayable: true, attempts: 1 })
    await replayDelivery(systemContext(app.forwarder, team.id), failed?.id ?? '')
    const again = await until(async () => {
      const [row] = await fakeProvider.deliveries()
      return row?.attempts === 2 && row.status === 'failed' && row
    })
    expect(again).toMatchObject({ reason })
    expect((await blocksOf(team)).map(({ title }) => title)).toEqual(['Good'])
  })

  test('a delivery that was delivered cannot be replayed', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team)
    await fakeProvider.send({ id: 'd', items: [{ title: 'Done' }] })
    const [delivery] = await fakeProvider.settled(1)
    const again = replayDelivery(systemContext(app.forwarder, team.id), delivery?.id ?? '')
    await expect(again).rejects.toThrow('delivered and has nothing to replay')
    const other = await app.team()
    const foreign = replayDelivery(systemContext(app.forwarder, other.id), delivery?.id ?? '')
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a delivery waits with a reason while the API of the provider is down, and then creates one block', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team, { api })
    await fakeProvider.send({ id: 'd', readBack: '/details', items: [{ title: 'Read back' }] })
    const waiting = await until(async () => {
      const [row] = await fakeProvider.deliveries()
      return row?.reason && row
    })
    expect(waiting).toMatchObject({ status: 'waiting', reason: 'Fake provider answered 500.' })
    providerUp = true
    await hurry()
    expect(await fakeProvider.settled(1)).toMatchObject([{ status: 'delivered' }])
    expect(await blocksOf(team)).toHaveLength(1)
  })

  test('a delivery fails when the key of its connection is revoked', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team)
    await revokeKey(systemContext(app.forwarder, team.id), fakeProvider.connection.keyPrefix)
    await fakeProvider.send({ id: 'd', items: [{ title: 'Too late' }] })
    const [delivery] = await fakeProvider.settled(1)
    expect(delivery).toMatchObject({ status: 'failed', replayable: true })
    expect(delivery?.reason).toContain('revoked')
    expect(await blocksOf(team)).toHaveLength(0)
  })

  test('a delivery that failed is reported to the person who waits for it', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team)
    await revokeKey(systemContext(app.forwarder, team.id), fakeProvider.connection.keyPrefix)
    await fakeProvider.send({ id: 'd', items: [{ title: 'Lost' }], replyTo: 'the-waiting' })
    const received = await until(async () =>
      notifications.find(({ replyTo }) => replyTo === 'the-waiting'),
    )
    expect(received).toMatchObject({ blocks: [], failed: expect.stringContaining('revoked') })
  })

  test('a delivery is reported to the provider again until it takes the report', async () => {
    const fakeProvider = await connectFakeProvider(app, await app.team())
    await fakeProvider.send({ id: 'd', items: [{ title: 'Knock knock' }], replyTo: failsTwice })
    const attempts = () => notifications.filter(({ replyTo }) => replyTo === failsTwice)
    await until(async () => attempts().length === 3)
    expect(await fakeProvider.deliveries()).toMatchObject([{ status: 'delivered', attempts: 1 }])
  })

  test('a delivery stays delivered when the provider cannot be notified', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team)
    await fakeProvider.send({ id: 'd', items: [{ title: 'Landed' }], replyTo: failsAlways })
    const [{ id = '' } = {}] = await fakeProvider.settled(1)
    const lines = () => app.logLines.filter((line) => line.includes(id))
    await until(async () =>
      lines().some((line) => line.includes('the provider could not be notified')),
    )
    expect(await fakeProvider.deliveries()).toMatchObject([{ status: 'delivered', attempts: 1 }])
    expect(await blocksOf(team)).toHaveLength(1)
  })
})

describe('withdrawals', () => {
  test('a withdrawal removes the unused blocks of its own connection and no other block', async () => {
    const team = await app.team()
    const [mine, other] = [
      await connectFakeProvider(app, team),
      await connectFakeProvider(app, team),
    ]
    const item = (name: string) => ({ title: name, external_id: name })
    await mine.send({ id: '1', items: ['gone', 'printed', 'planned', 'kept'].map(item) })
    await other.send({ id: '1', items: [item('gone')] })
    await Promise.all([mine.settled(1), other.settled(1)])
    await app.sql`update content_blocks set status = 'used' where external_id = 'printed'`
    const [planned] = await app.sql`select id from content_blocks where external_id = 'planned'`
    await newsletterOf(await unlimitedClient(app, team), [planned?.['id']])
    await mine.send({ id: '2', withdraw: ['gone', 'printed', 'planned'], replyTo: 'undoer' })
    expect((await mine.settled(2)).map(({ status }) => status)).toContain('withdrawn')
    const left = (await blocksOf(team)).map(({ title }) => title)
    expect(left.sort()).toEqual(['gone', 'kept', 'planned', 'printed'])
    // The provider is notified of what had to stay.
    const stayed = await until(async () =>
      notifications.find(({ replyTo }) => replyTo === 'undoer'),
    )
    expect(stayed.blocks.map(({ title }) => title).sort()).toEqual(['planned', 'printed'])
  })

  test('a withdrawal removes its block at once, although an earlier delivery about another item waits', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team, { api })
    const item = (name: string) => ({ title: name, external_id: name })
    await fakeProvider.send({ id: '1', items: [item('Ada')] })
    await fakeProvider.settled(1)
    providerUp = false
    await fakeProvider.send({ id: '2', items: [item('Ben')], readBack: '/ben' })
    await until(async () => (await fakeProvider.deliveries())[0]?.reason)
    await fakeProvider.send({ id: '3', withdraw: ['Ada'] })
    await until(async () => (await blocksOf(team)).length === 0)
    providerUp = true
    await untilNoneWaits(fakeProvider)
    expect((await blocksOf(team)).map(({ title }) => title)).toEqual(['Ben'])
    const [withdrawal] = await fakeProvider.deliveries()
    expect(withdrawal).toMatchObject({ status: 'withdrawn', reason: null })
  })

  test('a withdrawal of what never had a block says so, also after a second attempt', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team, { api })
    providerUp = false
    const items = [{ title: 'Ben', external_id: 'ben' }]
    await fakeProvider.send({ id: '1', items, readBack: '/ben' })
    await until(async () => (await fakeProvider.deliveries())[0]?.reason)
    await fakeProvider.send({ id: '2', withdraw: ['ada'] })
    await until(async () =>
      (await fakeProvider.deliveries())[0]?.reason?.includes('earlier delivery'),
    )
    providerUp = true
    await untilNoneWaits(fakeProvider)
    const reason = 'There was no unused block to withdraw.'
    expect((await fakeProvider.deliveries())[0]).toMatchObject({ status: 'withdrawn', reason })
  })

  test('a withdrawal waits until earlier deliveries of the connection are settled', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team, { api })
    providerUp = false
    const items = [{ title: 'Hired', external_id: 'ada' }]
    await fakeProvider.send({ id: '1', items, readBack: '/ada' })
    await until(async () => (await fakeProvider.deliveries())[0]?.reason)
    await fakeProvider.send({ id: '2', withdraw: ['ada'] })
    await until(async () =>
      (await fakeProvider.deliveries())[0]?.reason?.includes('earlier delivery'),
    )
    providerUp = true
    await untilNoneWaits(fakeProvider)
    expect(await blocksOf(team)).toHaveLength(0)
  })
})

describe('items that an earlier version has composed', () => {
  const item = { title: 'Mira joins in May', body: 'Welcome.', external_id: 'mira' }
  const asOf = '2026-11-20T08:00:00.000Z'
  test.each([
    ['an update', { kind: 'revise', items: [item], asOf }],
    ['an item that updates its block', { kind: 'items', items: [item], replace: true, asOf }],
  ])('%s that waits while the service is updated is applied', async (_, stored) => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team, { api })
    await fakeProvider.send({ id: '1', items: [{ title: 'Mira joins', external_id: 'mira' }] })
    await fakeProvider.settled(1)
    providerUp = false
    await fakeProvider.send({ id: '2', items: [], readBack: '/waits' })
    await until(async () => (await fakeProvider.deliveries())[0]?.reason)
    await app.sql`
      update deliveries set items = ${JSON.stringify(stored)}::text::json
      where team_id = ${team.id} and status = 'waiting'`
    await untilNoneWaits(fakeProvider)
    expect((await blocksOf(team)).map(({ title }) => title)).toEqual([item.title])
    const [state] = await app.sql`
      select source_updated_at from item_sync_state where team_id = ${team.id}`
    expect(state?.['source_updated_at']).toEqual(new Date(asOf))
  })
})

describe('events of the calendar of a team', () => {
  const eventsOf = (team: Team) =>
    app.sql`select name, event_date::text as date from events where team_id = ${team.id}`
  const changesOf = (team: Team) => app.sql`
    select action from audit_log where team_id = ${team.id} and action like 'event_%' order by id`
  /** The party on a day, as a calendar says at a time. */
  const party = (date: string, sourceUpdatedAt: string) => ({
    updateExisting: true as const,
    sourceUpdatedAt,
    items: [
      {
        title: `Party on ${date}`,
        external_id: 'party',
        calendarEvent: { slug: 'party', name: 'Party', date },
      },
    ],
  })
  const [firstDay, laterDay] = ['2099-05-05', '2099-05-12']
  const [firstTime, laterTime] = ['2099-01-01T08:00:00Z', '2099-01-01T09:00:00Z']

  /** Sends a delivery that waits for the API of the provider. */
  async function sendWaiting(
    fakeProvider: FakeConnection,
    payload: Parameters<FakeConnection['send']>[0],
  ) {
    providerUp = false
    await fakeProvider.send({ ...payload, readBack: '/waits' })
    await until(async () => (await fakeProvider.deliveries())[0]?.reason)
  }

  test('a date that was moved stays, although the delivery with the earlier date is settled last', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team, { api })
    await sendWaiting(fakeProvider, { id: '1', ...party(firstDay, firstTime) })
    await fakeProvider.send({ id: '2', ...party(laterDay, laterTime) })
    await until(async () => (await blocksOf(team)).length > 0)
    providerUp = true
    await untilNoneWaits(fakeProvider)
    expect(await blocksOf(team)).toMatchObject([{ title: `Party on ${laterDay}` }])
    expect([...(await eventsOf(team))]).toEqual([{ name: 'Party', date: laterDay }])
    expect([...(await changesOf(team))]).toEqual([{ action: 'event_created' }])
  })

  test('a date that was moved stays, although a newsletter contains its block', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team, { api })
    await fakeProvider.send({ id: '0', ...party('2099-05-01', '2099-01-01T07:00:00Z') })
    await fakeProvider.settled(1)
    const [block] = await blocksOf(team)
    await newsletterOf(await unlimitedClient(app, team), [block?.['id']])
    await sendWaiting(fakeProvider, { id: '1', ...party(firstDay, firstTime) })
    await fakeProvider.send({ id: '2', ...party(laterDay, laterTime) })
    await fakeProvider.settled(2)
    providerUp = true
    await untilNoneWaits(fakeProvider)
    expect([...(await eventsOf(team))]).toEqual([{ name: 'Party', date: laterDay }])
    const changes = (await changesOf(team)).map(({ action }) => action)
    expect(changes).toEqual(['event_created', 'event_updated'])
  })

  test('a date that was cancelled and planned again stays, although the cancellation is settled last', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team, { api })
    await fakeProvider.send({ id: '1', ...party(firstDay, '2026-11-20T08:00:00Z') })
    await fakeProvider.settled(1)
    await sendWaiting(fakeProvider, { id: '2', items: [{ title: 'Other' }] })
    await fakeProvider.send({ id: '3', withdraw: ['party'], eventSlugs: ['party'] })
    await until(async () => (await blocksOf(team)).length === 0)
    await fakeProvider.send({ id: '4', ...party(laterDay, laterTime) })
    await until(async () => (await blocksOf(team)).length > 0)
    providerUp = true
    await untilNoneWaits(fakeProvider)
    expect([...(await eventsOf(team))]).toEqual([{ name: 'Party', date: laterDay }])
  })

  test('a date that is cancelled is removed from the calendar', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team)
    await fakeProvider.send({ id: '1', ...party(firstDay, '2026-11-20T08:00:00Z') })
    await fakeProvider.settled(1)
    await fakeProvider.send({ id: '2', withdraw: ['party'], eventSlugs: ['party'] })
    await fakeProvider.settled(2)
    expect(await eventsOf(team)).toHaveLength(0)
  })
})

describe('stored deliveries', () => {
  test('stored deliveries contain no readable secret and no readable ephemeral context', async () => {
    const own = await startApp({ adapters: [adapter], forward: false })
    try {
      const team = await own.team()
      const fakeProvider = await connectFakeProvider(own, team, {
        secret: ['canary-one', 'canary-two'],
      })
      await connectFakeProvider(own, team, { token: 'canary-token' })
      await (await connectFakeProvider(own, team)).send({
        id: 'd',
        items: [],
        replyTo: 'canary-answer',
      })
      const text = await everyRow(own)
      const canaries = ['canary-one', 'canary-two', 'canary-token', 'canary-answer']
      for (const canary of [...canaries, fakeProvider.connection.webhookToken, 'tidings_']) {
        const hex = Buffer.from(canary).toString('hex')
        expect(text.replaceAll(/"prefix":"tidings_\w{6}"/g, '')).not.toContain(canary)
        expect(text).not.toContain(hex)
      }
      expect(text).toContain(fakeProvider.connection.id)
      expect(fakeProvider.connection.settings).toEqual({})
    } finally {
      await own.close()
    }
  })

  test('a settled delivery contains no event, ephemeral context or composed items, and once its sender is notified nothing else', async () => {
    const fakeProvider = await connectFakeProvider(app, await app.team())
    await fakeProvider.send({ id: 'd', items: [{ title: 'Settled' }], replyTo: 'somebody' })
    const [delivery] = await fakeProvider.settled(1)
    const [row] = await app.sql`
      select event, ephemeral_context, items from deliveries where id = ${delivery?.id ?? ''}`
    expect(row).toEqual({ event: null, ephemeral_context: null, items: null })
    await until(async () => {
      const rows = await app.sql`
        select 1 from deliveries where id = ${delivery?.id ?? ''} and notification is not null`
      return rows.length === 0
    })
  })
})

async function everyRow({ sql }: TestApp): Promise<string> {
  const tables = await sql<{ name: string; schema: string }[]>`
    select table_name as name, table_schema as schema from information_schema.tables
    where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`
  const dumps = tables.map(async ({ name, schema }) => {
    const rows = await sql`select row_to_json(t)::text as row from ${sql(schema)}.${sql(name)} t`
    return rows.map(({ row }) => row).join('\n')
  })
  return (await Promise.all(dumps)).join('\n')
}

describe('several forwarding processes', () => {
  test('several processes forward the deliveries of one database together, each delivery once', async () => {
    const first = await startApp({ adapters: [adapter] })
    const second = await startApp({ on: first, adapters: [adapter] })
    try {
      const team = await first.team()
      const fakeProviders = [
        await connectFakeProvider(first, team),
        await connectFakeProvider(second, team),
      ]
      const ids = Array.from({ length: 20 }, (_, index) => `d${index}`)
      await Promise.all(
        fakeProviders.flatMap((fakeProvider) =>
          ids.map((id) =>
            fakeProvider.send({ id, items: [{ title: `${fakeProvider.connection.id} ${id}` }] }),
          ),
        ),
      )
      const deliveries = await Promise.all(
        fakeProviders.map((fakeProvider) => fakeProvider.settled(ids.length)),
      )
      expect(deliveries.flat().every(({ status }) => status === 'delivered')).toBe(true)
      const [row] = await first.sql`
        select count(*)::integer as blocks, count(distinct title)::integer as titles
        from content_blocks`
      expect(row).toEqual({ blocks: 40, titles: 40 })
    } finally {
      await second.close()
      await first.close()
    }
  })

  test('the job of a dead process is started again after its heartbeat ends', async () => {
    const dead = await startApp({ adapters: [adapter], forward: false })
    const fakeProvider = await connectFakeProvider(dead, await dead.team())
    await fakeProvider.send({ id: '1', items: [{ title: 'Left behind' }] })
    await dead.sql`
      update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() - interval '1 minute'
      where name = 'forward'`
    const alive = await startApp({ on: dead, adapters: [adapter] })
    try {
      expect(await fakeProvider.settled(1)).toMatchObject([{ status: 'delivered' }])
    } finally {
      await alive.close()
      await dead.close()
    }
  })
})

describe('rate limits while forwarding', () => {
  test('a key at its limit delays no delivery of another key', async () => {
    const team = await app.team()
    const [busy, other] = [
      await connectFakeProvider(app, team),
      await connectFakeProvider(app, team),
    ]
    const ids = Array.from({ length: 70 }, (_, index) => `d${index}`)
    await Promise.all(ids.map((id) => busy.send({ id, items: [{ title: id }] })))
    await busy.settled(60)
    await other.send({ id: 'quick', items: [{ title: 'quick' }] })
    expect(await other.settled(1)).toMatchObject([{ status: 'delivered' }])
    const waiting = (await busy.deliveries()).filter(({ status }) => status === 'waiting')
    expect(waiting).toHaveLength(10)
  })
})

describe('deliveries that wait for a provider', () => {
  const failedFirst = async (path: string) => {
    const fakeProvider = await connectFakeProvider(app, await app.team(), { api })
    await fakeProvider.send({ id: 'd', readBack: path, items: [{ title: 'Later' }] })
    await until(async () => (await fakeProvider.deliveries())[0]?.reason)
    const [delivery] = await fakeProvider.deliveries()
    const [row] = await app.sql`select problem from deliveries where id = ${delivery?.id ?? ''}`
    return { delivery, problem: row?.['problem'] }
  }

  test('a delivery waits and says which setting to check when the provider refuses the request', async () => {
    const { delivery, problem } = await failedFirst('/refused')
    const reason = 'Fake provider refused the request (403). Check token.'
    expect({ ...delivery, problem }).toMatchObject({
      status: 'waiting',
      reason,
      problem: 'refused',
    })
  })

  test('a delivery is retried after the time in Retry-After of the provider and not before', async () => {
    const { delivery, problem } = await failedFirst('/limited')
    expect(problem).toBe('rate_limited')
    const seconds = await until(async () => {
      const [job] = await app.sql<{ seconds: number }[]>`
        select extract(epoch from start_after - now())::integer as seconds from pgboss.job
        where name = 'forward' and state = 'retry' and data->>'deliveryId' = ${delivery?.id ?? ''}`
      return job && job.seconds > 200 && job.seconds
    })
    expect(seconds).toBeLessThanOrEqual(300)
  })
})

describe('retries of a delivery', () => {
  test('a retried delivery posts the stored items and does not compose them again', async () => {
    providerUp = true
    let requests = 0
    const ingest = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => {
        requests++
        if (requests === 1) return new Response('', { status: 503 })
        const content_block = { id: `cb_${'0'.repeat(32)}`, title: 'Once', origin: null }
        return Response.json({ content_block, duplicate: false }, { status: 201 })
      },
    })
    const ingestUrl = `http://127.0.0.1:${ingest.port}`
    const own = await startApp({ adapters: [adapter], ingestUrl })
    try {
      const fakeProvider = await connectFakeProvider(own, await own.team(), { api })
      await fakeProvider.send({ id: 'd', readBack: '/composed-once', items: [{ title: 'Once' }] })
      expect(await fakeProvider.settled(1)).toMatchObject([{ status: 'delivered', attempts: 2 }])
      expect(asked.filter((path) => path === '/composed-once')).toHaveLength(1)
    } finally {
      await own.close()
      await ingest.stop(true)
    }
  })
})

describe('the last attempt of a delivery', () => {
  test('a delivery whose last attempt failed is settled as failed with the last reason, and the provider is notified', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team, { api })
    providerUp = false
    await fakeProvider.send({
      id: 'd',
      readBack: '/x',
      items: [{ title: 'Never' }],
      replyTo: 'patient',
    })
    await until(async () => (await fakeProvider.deliveries())[0]?.reason)
    await until(async () => {
      await app.sql`update pgboss.job set retry_count = retry_limit where name = 'forward'`
      await hurry()
      return (await fakeProvider.deliveries())[0]?.status === 'failed'
    })
    const reason = 'Given up: Fake provider answered 500.'
    expect(await fakeProvider.deliveries()).toMatchObject([
      { status: 'failed', reason, replayable: true },
    ])
    const received = await until(async () =>
      notifications.find(({ replyTo }) => replyTo === 'patient'),
    )
    expect(received).toMatchObject({ blocks: [], failed: reason })
  })
})

describe('deliveries of a removed connection', () => {
  test('a waiting delivery is settled as failed when its connection is removed', async () => {
    const own = await startApp({ adapters: [adapter], forward: false })
    const team = await own.team()
    const fakeProvider = await connectFakeProvider(own, team)
    await fakeProvider.send({ id: '1', items: [{ title: 'Homeless' }] })
    await deleteConnection(systemContext(own.forwarder, team.id), fakeProvider.connection.id)
    const second = await startApp({ on: own, adapters: [adapter] })
    try {
      const reason = 'The connection was removed.'
      expect(await fakeProvider.settled(1)).toMatchObject([{ status: 'failed', reason }])
    } finally {
      await second.close()
      await own.close()
    }
  })
})
