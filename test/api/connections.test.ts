import { afterAll, beforeAll, expect, test } from 'bun:test'
import { treaty } from '@elysiajs/eden'
import type { Api } from '../../src/api/index.ts'
import { updateConnection } from '../../src/features/connections/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { client, startApp, type TestApp } from '../support/app.ts'
import { connectFakeProvider, createFakeAdapter } from '../support/providers/fake-provider.ts'

const { adapter } = createFakeAdapter()
let app: TestApp

beforeAll(async () => {
  app = await startApp({ adapters: [adapter], forward: false })
})
afterAll(() => app.close())

test('GET /connections returns the state, the queue and the refused requests of each connection', async () => {
  const team = await app.team()
  const call = client(app.base, await app.key(team, ['read']))
  expect((await call('GET', '/connections')).json).toEqual({ connections: [] })

  const fakeProvider = await connectFakeProvider(app, team)
  const { id } = fakeProvider.connection
  const ctx = systemContext(app.forwarder, team.id)
  await updateConnection(ctx, { adapter, id, given: {}, label: 'Web team' })
  await fakeProvider.send({ id: 'd1', items: [{ title: 'One' }] })
  const { json } = await call('GET', '/connections')
  expect(json.connections).toMatchObject([
    {
      id,
      adapter: 'fake-provider',
      label: 'Web team',
      state: 'working',
      reason: null,
      action: null,
      queued: 1,
      seconds_to_drain: 60,
      refused_requests: 0,
      last_refused_at: null,
      rate_limited_requests: 0,
    },
  ])

  const path = `${app.base}/hooks/fake-provider/${fakeProvider.connection.webhookToken}`
  await fetch(path, { method: 'POST', body: '{}', headers: { 'x-fake-secret': 'wrong' } })
  const failing = (await call('GET', '/connections')).json.connections[0]
  expect(failing).toMatchObject({ state: 'failing', refused_requests: 1 })
  expect(failing.action).toContain('Check the secret')
})

test('GET /connections contains no address, no secret and no connection of another team', async () => {
  const team = await app.team()
  const fakeProvider = await connectFakeProvider(app, await app.team())
  await connectFakeProvider(app, team)
  const { text, json } = await client(app.base, await app.key(team, ['read']))(
    'GET',
    '/connections',
  )
  expect(json.connections).toHaveLength(1)
  expect(text).not.toContain(fakeProvider.connection.id)
  expect(text).not.toContain('/hooks/')
  const rows = await app.sql<
    { id: string }[]
  >`select id from connections where team_id = ${team.id}`
  expect(json.connections[0].id).toBe(rows[0]?.id)
})

test("Eden's client lists connections, typed", async () => {
  const key = await app.key(await app.team(), ['read'])
  const { v1 } = treaty<Api>(app.base, { headers: { authorization: `Bearer ${key}` } }).api
  const { data } = await v1.connections.get()
  const states = data?.connections.map(
    ({ state }): 'waiting' | 'working' | 'delayed' | 'failing' => state,
  )
  expect(states).toEqual([])
})
