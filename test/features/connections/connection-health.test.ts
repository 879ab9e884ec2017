import { afterAll, beforeAll, expect, test } from 'bun:test'
import { revokeKey } from '../../../src/features/api-keys/index.ts'
import {
  getConnectionHealth,
  listConnections,
  rotateConnectionKey,
  updateConnection,
} from '../../../src/features/connections/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { connectFakeProvider, createFakeAdapter } from '../../support/providers/fake-provider.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ adapters: [createFakeAdapter().adapter], forward: false })
})
afterAll(() => app.close())

test('the health of a connection is waiting, working, delayed or failing, with the reason', async () => {
  const team = await app.team()
  const fakeProvider = await connectFakeProvider(app, team)
  const { id } = fakeProvider.connection
  const health = async () => await getConnectionHealth(systemContext(app.forwarder, team.id), id)
  expect(await health()).toMatchObject({ state: 'waiting', queued: 0, secondsToDrain: 0 })

  await fakeProvider.post('{}', 'wrong')
  const secret = expect.stringContaining('Check the secret')
  expect(await health()).toMatchObject({ state: 'failing', action: secret, refusedRequests: 1 })

  await fakeProvider.send({ id: 'd', items: [] })
  expect(await health()).toMatchObject({ state: 'working', queued: 1, secondsToDrain: 60 })

  const reason = 'Fake provider answered 503.'
  await app.sql`
    update deliveries set reason = ${reason}, problem = 'unavailable' where connection_id = ${id}`
  expect(await health()).toMatchObject({ state: 'delayed', reason, action: null })

  const refused = 'Fake provider refused the request (403). Check token.'
  await app.sql`
    update deliveries set reason = ${refused}, problem = 'refused' where connection_id = ${id}`
  expect(await health()).toMatchObject({ state: 'failing', action: refused })

  await revokeKey(systemContext(app.forwarder, team.id), fakeProvider.connection.keyPrefix)
  expect(await health()).toMatchObject({ state: 'failing', reason: expect.stringContaining('key') })

  const other = await app.team()
  const foreign = getConnectionHealth(systemContext(app.forwarder, other.id), id)
  await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
})

test('a revoked key of a connection is replaced, and its address, its blocks and its label stay', async () => {
  const forwarding = await startApp({ adapters: [createFakeAdapter().adapter] })
  try {
    const team = await forwarding.team()
    const fakeProvider = await connectFakeProvider(forwarding, team)
    const { id } = fakeProvider.connection
    const ctx = systemContext(forwarding.forwarder, team.id)
    const { adapter } = createFakeAdapter()
    await updateConnection(ctx, { adapter, id, given: {}, label: ' Web team ' })
    const item = { title: 'Rye 1.0 is out', external_id: 'rye:1' }
    await fakeProvider.send({ id: 'd1', items: [item] })
    await fakeProvider.settled(1)

    await revokeKey(ctx, fakeProvider.connection.keyPrefix)
    await fakeProvider.send({ id: 'd2', items: [item] })
    expect((await fakeProvider.settled(2)).map(({ status }) => status)).toEqual([
      'delivered',
      'failed',
    ])

    const prefix = await rotateConnectionKey(ctx, id)
    expect(prefix).not.toBe(fakeProvider.connection.keyPrefix)
    await fakeProvider.send({ id: 'd3', items: [item, { title: 'Rye 1.1 is out' }] })
    expect((await fakeProvider.settled(3)).at(-1)).toMatchObject({ status: 'delivered' })
    const blocks = await forwarding.sql`
      select title from content_blocks where team_id = ${team.id} order by id`
    expect(blocks.map(({ title }) => title)).toEqual(['Rye 1.0 is out', 'Rye 1.1 is out'])
    const [listed] = await listConnections(systemContext(forwarding.forwarder, team.id))
    expect(listed).toMatchObject({ id, label: 'Web team', keyPrefix: prefix })

    const other = await forwarding.team()
    const foreign = rotateConnectionKey(systemContext(forwarding.forwarder, other.id), id)
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
    const long = updateConnection(ctx, { adapter, id, given: {}, label: 'x'.repeat(101) })
    await expect(long).rejects.toMatchObject({ code: 'validation_failed' })
  } finally {
    await forwarding.close()
  }
})
