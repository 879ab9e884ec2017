import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { replayDelivery } from '../../src/features/deliveries/index.ts'
import { applyUpdate } from '../../src/features/provider-updates/index.ts'
import type { Team } from '../../src/features/teams/index.ts'
import { keyContext, systemContext } from '../../src/lib/context.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { newsletterOf, unlimitedClient } from '../support/newsletters.ts'
import {
  connectFakeProvider,
  createFakeAdapter,
  type FakeConnection,
} from '../support/providers/fake-provider.ts'

/** How much later than now the service works. */
let hoursLater = 0
let app: TestApp
beforeAll(async () => {
  const now = () => new Date(Date.now() + hoursLater * 3_600_000)
  app = await startApp({ adapters: [createFakeAdapter().adapter], now })
})
afterEach(() => {
  hoursLater = 0
})
afterAll(() => app.close())

const blocksOf = (team: Team) => app.sql`
  select id, title, body, status, publish_after, version from content_blocks
  where team_id = ${team.id} order by id`

const first = '2099-01-11T00:00:00.000Z'
const later = '2099-02-01T00:00:00.000Z'
const hire = { title: 'Mira joins', external_id: 'mira', publish_after: first }
const moved = { ...hire, title: 'Mira joins in February', publish_after: later }

/** A connection that has announced Mira. */
async function announced(): Promise<{ team: Team; fakeProvider: FakeConnection; id: string }> {
  const team = await app.team()
  const fakeProvider = await connectFakeProvider(app, team)
  await fakeProvider.send({ id: 'hired', items: [hire] })
  await fakeProvider.settled(1)
  const [block] = await blocksOf(team)
  return { team, fakeProvider, id: block?.['id'] }
}

/** How the last of so many deliveries ended. */
const last = async (fakeProvider: FakeConnection, count: number) =>
  (await fakeProvider.settled(count)).at(-1)

describe('provider updates', () => {
  test('an update changes publish_after and the text of an unedited draft', async () => {
    const { team, fakeProvider, id } = await announced()
    await fakeProvider.send({ id: 'moved', update: [moved] })
    expect(await last(fakeProvider, 2)).toMatchObject({ status: 'delivered', block_ids: [id] })
    const expected = { id, title: moved.title, publish_after: new Date(later), version: 2 }
    expect(await blocksOf(team)).toMatchObject([expected])
  })

  test('an update keeps the text that a person has edited and changes publish_after', async () => {
    const { team, fakeProvider, id } = await announced()
    const call = await unlimitedClient(app, team)
    await call('PATCH', `/content_blocks/${id}`, { title: 'A warm welcome to Mira' })
    await fakeProvider.send({ id: 'moved', update: [moved] })
    const reason = 'Somebody has edited or approved the block, so its text stays as it is.'
    expect(await last(fakeProvider, 2)).toMatchObject({ status: 'delivered', reason })
    const expected = { title: 'A warm welcome to Mira', publish_after: new Date(later) }
    expect(await blocksOf(team)).toMatchObject([expected])
  })

  test('an update of an approved block changes its publish_after only', async () => {
    const { team, fakeProvider, id } = await announced()
    const call = await unlimitedClient(app, team)
    await call('PATCH', `/content_blocks/${id}`, { status: 'ready' })
    await fakeProvider.send({ id: 'moved', update: [moved] })
    await fakeProvider.settled(2)
    const expected = { title: hire.title, status: 'ready', publish_after: new Date(later) }
    expect(await blocksOf(team)).toMatchObject([expected])
  })

  test('an update does not change a block that is in a newsletter', async () => {
    const { team, fakeProvider, id } = await announced()
    await newsletterOf(await unlimitedClient(app, team), [id])
    await fakeProvider.send({ id: 'moved', update: [moved] })
    const reason = 'A newsletter contains the block, so it stays as it is.'
    expect(await last(fakeProvider, 2)).toMatchObject({ status: 'delivered', reason })
    expect(await blocksOf(team)).toMatchObject([{ title: hire.title, version: 1 }])
  })

  test('an update without a block creates none', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team)
    await fakeProvider.send({ id: 'moved', update: [moved] })
    const reason = 'There is no block to update.'
    expect(await last(fakeProvider, 1)).toMatchObject({ status: 'ignored', reason })
    expect(await blocksOf(team)).toHaveLength(0)
  })

  test('an update never changes a block of another connection with the same external_id', async () => {
    const { team, fakeProvider } = await announced()
    const other = await connectFakeProvider(app, team)
    await other.send({ id: 'moved', update: [moved] })
    expect(await last(other, 1)).toMatchObject({ status: 'ignored' })
    await other.send({ id: 'gone', withdraw: ['mira'] })
    await other.settled(2)
    expect(await blocksOf(team)).toMatchObject([{ title: hire.title, version: 1 }])
    expect(await fakeProvider.deliveries()).toHaveLength(1)
  })

  test('updates in any order leave the newest state', async () => {
    const { team, fakeProvider } = await announced()
    const states = Array.from({ length: 8 }, (_, hour) => ({
      id: `state-${hour}`,
      sourceUpdatedAt: `2026-11-20T0${hour}:00:00Z`,
      update: [{ ...hire, title: `State ${hour}` }],
    }))
    const mixed = [5, 0, 7, 2, 6, 1, 3, 4].flatMap((at) => states[at] ?? [])
    await Promise.all(mixed.map((state) => fakeProvider.send(state)))
    await fakeProvider.settled(9)
    expect(await blocksOf(team)).toMatchObject([{ title: 'State 7' }])
  })

  test('an update that is sent several times is applied once', async () => {
    const { team, fakeProvider } = await announced()
    const moving = { id: 'moved', update: [moved] }
    const replies = await Promise.all([1, 2, 3].map(() => fakeProvider.send(moving)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    await fakeProvider.settled(2)
    expect(await fakeProvider.deliveries()).toHaveLength(2)
    expect(await blocksOf(team)).toMatchObject([{ version: 2 }])
  })
})

describe('items that update their block', () => {
  const notice = (hour: number, more: object = {}) => ({
    id: `d${hour}`,
    updateExisting: true as const,
    sourceUpdatedAt: `2026-11-20T0${hour}:00:00Z`,
    items: [{ title: `As of ${hour}`, external_id: 'page' }],
    ...more,
  })

  test('items that update their block and arrive at the same time leave one block with the newest text', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team)
    await Promise.all([3, 1, 4, 2].map((hour) => fakeProvider.send(notice(hour))))
    await fakeProvider.settled(4)
    expect(await blocksOf(team)).toMatchObject([{ title: 'As of 4', status: 'draft' }])
  })

  test('the newest text stays when an earlier event updates its block right after the block was created', async () => {
    const team = await app.team()
    const { connection, send, settled } = await connectFakeProvider(app, team)
    await send(notice(4))
    const [created] = await settled(1)
    // The delivery has created its block, and not updated it yet.
    await app.sql`delete from item_sync_state where team_id = ${team.id}`
    const [key] = await app.sql`select id from api_keys where team_id = ${team.id}`
    const actor = { teamId: team.id, keyId: key?.['id'], name: 'Fake' }
    const updateAs = async (deliveryId: string, hour: number, isNew: boolean) => {
      const source = { connectionId: connection.id, deliveryId, receivedAt: new Date() }
      const text = { title: `As of ${hour}`, body: 'We made it.', publish_after: null }
      const update = {
        externalId: 'page',
        text,
        sourceUpdatedAt: new Date(`2026-11-20T0${hour}:00:00Z`),
      }
      return await applyUpdate(keyContext(app.forwarder, actor), { source, update, isNew })
    }
    await updateAs('dl_earlier', 1, false)
    expect(await blocksOf(team)).toMatchObject([{ title: 'As of 1' }])
    expect(await updateAs(created?.id ?? '', 4, true)).not.toHaveProperty('reason')
    expect(await blocksOf(team)).toMatchObject([{ title: 'As of 4' }])
  })

  test('a withdrawn item stays withdrawn for earlier events and can be created again by a later one', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team)
    await fakeProvider.send(notice(1))
    await fakeProvider.settled(1)
    await fakeProvider.send({ id: 'gone', withdraw: ['page'] })
    expect(await last(fakeProvider, 2)).toMatchObject({ status: 'withdrawn', reason: null })
    expect(await blocksOf(team)).toHaveLength(0)
    await fakeProvider.send(notice(2))
    await fakeProvider.settled(3)
    expect(await blocksOf(team)).toMatchObject([{ title: 'As of 2' }])
  })

  const hired = {
    updateExisting: true as const,
    items: [{ title: 'Mira joins', external_id: 'mira' }],
  }

  test('an item that is received within a day after its withdrawal creates no block', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team)
    await fakeProvider.send({ id: 'unhired', withdraw: ['mira'] })
    await fakeProvider.settled(1)
    await fakeProvider.send({ id: 'hired', ...hired })
    const reason = 'A later event has withdrawn it.'
    expect(await last(fakeProvider, 2)).toMatchObject({ status: 'ignored', reason })
    expect(await blocksOf(team)).toHaveLength(0)
    hoursLater = 25
    await fakeProvider.send({ id: 'hired again', ...hired })
    expect(await last(fakeProvider, 3)).toMatchObject({ status: 'delivered' })
    expect(await blocksOf(team)).toMatchObject([{ title: 'Mira joins' }])
  })

  test('an item that was withdrawn and is sent again creates a block', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team)
    await fakeProvider.send({ id: 'hired', ...hired })
    await fakeProvider.settled(1)
    await fakeProvider.send({ id: 'unhired', withdraw: ['mira'] })
    await fakeProvider.settled(2)
    await fakeProvider.send({ id: 'hired again', ...hired })
    expect(await last(fakeProvider, 3)).toMatchObject({ status: 'delivered' })
    expect(await blocksOf(team)).toMatchObject([{ title: 'Mira joins' }])
  })

  test('a block that a person has deleted does not return when its item changes, but with a replay', async () => {
    const team = await app.team()
    const fakeProvider = await connectFakeProvider(app, team)
    await fakeProvider.send(notice(1))
    await fakeProvider.settled(1)
    const [block] = await blocksOf(team)
    const call = await unlimitedClient(app, team)
    expect((await call('DELETE', `/content_blocks/${block?.['id']}`)).status).toBe(204)
    await fakeProvider.send(notice(2))
    const reason = 'The item was received before, and its block has been deleted since.'
    const ignored = await last(fakeProvider, 2)
    expect(ignored).toMatchObject({ status: 'ignored', reason })
    expect(await blocksOf(team)).toHaveLength(0)
    await replayDelivery(systemContext(app.forwarder, team.id), ignored?.id ?? '')
    expect(await last(fakeProvider, 2)).toMatchObject({ status: 'delivered' })
    expect(await blocksOf(team)).toMatchObject([{ title: 'As of 2' }])
  })

  test('nothing of a withdrawn person remains in deliveries and jobs', async () => {
    const { team, fakeProvider } = await announced()
    await fakeProvider.send({ id: 'moved', update: [moved] })
    await fakeProvider.settled(2)
    await fakeProvider.send({ id: 'gone', withdraw: ['mira'] })
    await fakeProvider.settled(3)
    expect(await blocksOf(team)).toHaveLength(0)
    const rows = await app.sql`select d::text as text from deliveries d where team_id = ${team.id}`
    expect(rows.map(({ text }) => text).join()).not.toContain('Mira')
    const jobs = await app.sql`select j::text as text from pgboss.job j`
    expect(jobs.map(({ text }) => text).join()).not.toContain('Mira')
  })
})
