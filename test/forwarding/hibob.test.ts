import { afterAll, beforeAll, expect, test } from 'bun:test'
import { adapter as hibob } from '../../integrations/hibob/adapter.ts'
import { sign } from '../../integrations/hibob/fixtures/sign.ts'
import {
  createConnection,
  updateConnection,
  webhookUrl,
} from '../../src/features/connections/index.ts'
import { listDeliveries } from '../../src/features/deliveries/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { readContext, startApp, type TestApp } from '../support/app.ts'
import { signedIn } from '../support/console.ts'
import { until } from '../support/until.ts'

let shownTitle = 'Harbour Pilot'
/** A stand-in for HiBob that returns more fields than requested. */
const bob = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () =>
    Response.json({
      '/root/firstName': { value: 'Mira' },
      '/root/surname': { value: 'Solano' },
      '/work/startDate': { value: '2099-01-11' },
      humanReadable: { work: { title: shownTitle, department: 'Navigation', site: 'Porto' } },
      payroll: { salary: 'salary-canary' },
    }),
})

let app: TestApp
beforeAll(async () => {
  app = await startApp({ adapters: [hibob] })
})
afterAll(async () => {
  await app.close()
  await bob.stop(true)
})

const secret = 'secret-canary'
const event = (type: string) =>
  JSON.stringify({
    companyId: 1,
    type: `employee.${type}`,
    triggeredBy: '7',
    triggeredAt: '2026-11-20T08:59:41.399997',
    data: { employeeId: '33', reason: 'salary-canary' },
  })

test('a HiBob webhook is connected before its secret is known, and its new employee is announced, updated and withdrawn', async () => {
  const team = await app.team()
  const ctx = systemContext(app.forwarder, team.id)
  const given = {
    service_user_id: 'SERVICE-1',
    service_user_token: 'token-canary',
    api_base_url: `http://127.0.0.1:${bob.port}`,
  }
  const { id, webhookToken } = await createConnection(ctx, { adapter: hibob, given })
  const url = webhookUrl(app.base, 'hibob', webhookToken)
  const send = (body: string, headers: Record<string, string> = sign(body, { secret })) =>
    fetch(url, { method: 'POST', body, headers })
  const settled = (count: number) =>
    until(async () => {
      const all = await listDeliveries(readContext(app, team), { connectionId: id, limit: 100 })
      const over = all.map(({ status }) => status).filter((status) => status !== 'waiting')
      return over.length >= count ? over.toSorted() : null
    })
  const blocks = () => app.sql`
    select title, status, publish_after, external_id from content_blocks where team_id = ${team.id}`

  expect((await send('Ping test', {})).status).toBe(200)
  expect((await send(event('created'))).status).toBe(401)
  await updateConnection(ctx, { adapter: hibob, id, given: { secret } })
  expect((await send(event('created'))).status).toBe(200)
  expect(await (await send(event('created'))).json()).toEqual({ ok: true, duplicate: true })
  expect(await settled(1)).toEqual(['delivered'])
  const draft = {
    status: 'draft',
    publish_after: new Date('2099-01-11T00:00:00Z'),
    external_id: 'hibob:employee:33',
  }
  expect(await blocks()).toMatchObject([{ ...draft, title: 'Mira Solano joins as Harbour Pilot' }])

  shownTitle = 'Navigator'
  await send(event('joined'))
  expect(await settled(2)).toEqual(['delivered', 'delivered'])
  expect(await blocks()).toMatchObject([{ ...draft, title: 'Mira Solano joins as Navigator' }])

  const stored = await app.sql`select d::text as row from deliveries d where team_id = ${team.id}`
  expect(JSON.stringify(stored) + app.logLines.join('\n')).not.toContain('canary')
  await send(event('left'))
  expect(await settled(3)).toEqual(['delivered', 'delivered', 'withdrawn'])
  expect(await blocks()).toHaveLength(0)
})

test('the stored token of a connection is not sent to another server: who changes the address enters it again', async () => {
  const team = await app.team()
  const ctx = systemContext(app.forwarder, team.id)
  const own = { service_user_id: 'SERVICE-1', api_base_url: 'https://bob.example' }
  const given = { ...own, service_user_token: 'token', secret }
  const { id } = await createConnection(ctx, { adapter: hibob, given })
  const admin = await signedIn(app, team, 'admin')
  const path = `/integrations/${id}/settings`
  const save = (change: Record<string, string>) => admin.post(path, { ...own, ...change })
  await admin.get(path)
  const elsewhere = { api_base_url: 'https://evil.example' }
  const refused = await save(elsewhere)
  expect(refused.status).toBe(422)
  expect(refused.html).toContain('another server: enter service user token, secret again, too')
  expect((await save({ ...elsewhere, service_user_token: 'another' })).status).toBe(422)
  expect((await save({ api_base_url: 'https://bob.example/v2' })).status).toBe(303)
  expect((await save({ api_base_url: '' })).status).toBe(303)
  expect((await save(elsewhere)).status).toBe(422)
  const all = { ...elsewhere, service_user_token: 'another', secret: 'another' }
  expect((await save(all)).status).toBe(303)
})
