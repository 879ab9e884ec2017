import { afterAll, beforeAll, expect, test } from 'bun:test'
import { adapter as bamboohr } from '../../integrations/bamboohr/adapter.ts'
import { sign as signBambooHr } from '../../integrations/bamboohr/fixtures/sign.ts'
import { adapter as notion } from '../../integrations/notion/adapter.ts'
import { sign as signNotion } from '../../integrations/notion/fixtures/sign.ts'
import {
  createConnection,
  findDecryptedConnection,
  webhookUrl,
} from '../../src/features/connections/index.ts'
import { listDeliveries } from '../../src/features/deliveries/index.ts'
import type { Team } from '../../src/features/teams/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { readContext, startApp, type TestApp } from '../support/app.ts'
import { until } from '../support/until.ts'

const canaries = {
  ssn: '078-05-1120',
  payRate: '81250.00 EUR',
  dateOfBirth: '1991-03-05',
  address1: '12 Quay Street',
  homeEmail: 'private@example.test',
  ethnicity: 'undisclosed',
}

/** A stand-in for BambooHR that returns more fields than requested; a test can make it fail or wait. */
let bambooUp = true
let hireDate = '2099-01-11'
let asleep = Promise.resolve()
const bamboo = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch({ url }) {
    await asleep
    if (!bambooUp) return new Response(canaries.ssn, { status: 503 })
    const id = url.split('/employees/')[1]?.split('/')[0]
    const allowed = { lastName: `Number ${id}`, jobTitle: 'Harbour Pilot', hireDate }
    return Response.json({ id, firstName: 'Mira', ...allowed, ...canaries })
  },
})

let app: TestApp
beforeAll(async () => {
  app = await startApp({ adapters: [bamboohr, notion] })
})
afterAll(async () => {
  await app.close()
  await bamboo.stop(true)
})

/** A new connection of a new team, and its address. */
async function connect(
  adapter: Parameters<typeof createConnection>[1]['adapter'],
  settings: Record<string, unknown>,
) {
  const team = await app.team()
  const connection = await createConnection(systemContext(app.forwarder, team.id), {
    adapter,
    given: settings,
  })
  return { team, connection, url: webhookUrl(app.base, adapter.slug, connection.webhookToken) }
}

async function connectBambooHr() {
  const settings = { private_key: 'lighthouse', company_domain: 'acme', api_key: 'key-canary-5d1f' }
  const api_base_url = `http://127.0.0.1:${bamboo.port}`
  const { team, connection, url } = await connect(bamboohr, { ...settings, api_base_url })
  // A repeated request has the timestamp of the first one.
  const sentAt = new Date(Math.floor(Date.now() / 1000) * 1000)
  return {
    team,
    send(payload: object) {
      const body = JSON.stringify(payload)
      const signature = signBambooHr(body, settings, sentAt)
      const headers = { 'content-type': 'application/json', ...signature }
      return fetch(url, { method: 'POST', body, headers })
    },
    /** What became of the deliveries, once `count` of them are over. */
    settled: (count: number) =>
      until(async () => {
        const all = await listDeliveries(readContext(app, team), {
          connectionId: connection.id,
          limit: 100,
        })
        const over = all.map(({ status }) => status).filter((status) => status !== 'waiting')
        return over.length >= count ? over.toSorted() : null
      }),
  }
}

const blocksOf = (team: Team) => app.sql`
  select title, status, publish_after, external_id from content_blocks
  where team_id = ${team.id} order by title`

/** Every row of every table, as text. */
async function wholeDatabase(): Promise<string> {
  const tables = await app.sql<{ schema: string; name: string }[]>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`
  const texts = tables.map(async ({ schema, name }) => {
    const rows = await app.sql`select t::text as row from ${app.sql(schema)}.${app.sql(name)} t`
    return rows.map(({ row }) => row).join('\n')
  })
  return (await Promise.all(texts)).join('\n')
}

test('every employee in a BambooHR request is announced and withdrawn separately, and no other data is stored', async () => {
  const hr = await connectBambooHr()
  const employee = (id: string, action: string) => ({
    id,
    action,
    changedFields: [],
    fields: canaries,
  })
  const batch = { employees: [employee('11', 'Created'), employee('12', 'Created')] }
  expect((await hr.send(batch)).status).toBe(200)
  expect(await (await hr.send(batch)).json()).toEqual({ ok: true, duplicate: true })
  expect(await hr.settled(2)).toEqual(['delivered', 'delivered'])
  const draft = { status: 'draft', publish_after: new Date('2099-01-11T00:00:00Z') }
  expect(await blocksOf(hr.team)).toMatchObject([
    {
      ...draft,
      title: 'Mira Number 11 joins as Harbour Pilot',
      external_id: 'bamboohr:employee:11',
    },
    {
      ...draft,
      title: 'Mira Number 12 joins as Harbour Pilot',
      external_id: 'bamboohr:employee:12',
    },
  ])
  await hr.send({ employees: [employee('12', 'Deleted')] })
  expect(await hr.settled(3)).toEqual(['delivered', 'delivered', 'withdrawn'])
  expect(await blocksOf(hr.team)).toHaveLength(1)

  const kept = (await wholeDatabase()) + app.logLines.join('\n')
  expect(kept).toContain('Mira Number 11')
  for (const canary of [...Object.values(canaries), 'key-canary-5d1f', 'lighthouse'])
    expect(kept).not.toContain(canary)
})

test('a BambooHR request is accepted while BambooHR is down and becomes one block later', async () => {
  const hr = await connectBambooHr()
  bambooUp = false
  const data = { companyId: '1', employeeId: '21' }
  const created = { type: 'employee.created', timestamp: '2026-11-20T08:59:41+0000', data }
  expect((await hr.send(created)).status).toBe(200)
  await until(async () => app.logLines.some((line) => line.includes('BambooHR answered 503.')))
  bambooUp = true
  await app.sql`update pgboss.job set start_after = now() where state = 'retry'`
  expect(await hr.settled(1)).toEqual(['delivered'])
  expect(await blocksOf(hr.team)).toHaveLength(1)
  expect((await wholeDatabase()) + app.logLines.join('\n')).not.toContain(canaries.ssn)
})

/** A notification of BambooHR about one employee. */
const notification = (type: string, employeeId: string, changedFields: string[] = []) => ({
  type,
  timestamp: '2026-11-20T08:59:41+0000',
  data: { companyId: '1', employeeId, changedFields },
})

test("a changed first day changes the draft and its text, and a deleted employee's draft is removed", async () => {
  const hr = await connectBambooHr()
  await hr.send(notification('employee.created', '31'))
  expect(await hr.settled(1)).toEqual(['delivered'])
  hireDate = '2099-03-02'
  await hr.send(notification('employee.updated', '31', ['hireDate']))
  expect(await hr.settled(2)).toEqual(['delivered', 'delivered'])
  hireDate = '2099-01-11'
  const [block] = await app.sql`
    select publish_after, body from content_blocks where team_id = ${hr.team.id}`
  expect(block?.['publish_after']).toEqual(new Date('2099-03-02T00:00:00Z'))
  expect(block?.['body']).toContain('Monday, 2 March 2099.')
  await hr.send(notification('employee.deleted', '31'))
  expect(await hr.settled(3)).toEqual(['delivered', 'delivered', 'withdrawn'])
  expect(await blocksOf(hr.team)).toHaveLength(0)
  expect((await wholeDatabase()).split('\n').filter((row) => row.includes('Number 31'))).toEqual([])
})

test('BambooHR gets its response before it has answered our own request', async () => {
  const hr = await connectBambooHr()
  const { promise, resolve } = Promise.withResolvers<void>()
  asleep = promise
  expect((await hr.send(notification('employee.created', '41'))).status).toBe(200)
  resolve()
  expect(await hr.settled(1)).toEqual(['delivered'])
})

test('the first verification token of Notion is stored encrypted, and no other one replaces it', async () => {
  const settings = { api_token: 'ntn_canary', property: 'Status', value: 'Publish' }
  const { team, connection, url } = await connect(notion, settings)
  const introduce = async (verification_token: string) => {
    const body = JSON.stringify({ verification_token })
    const headers = await signNotion(body, { verification_token })
    return (await fetch(url, { method: 'POST', body, headers })).status
  }
  expect(await introduce('secret_FirstToken')).toBe(200)
  expect(await introduce('secret_OtherToken')).toBe(401)
  const opened = await findDecryptedConnection(app.forwarder, team.id, connection.id)
  expect(opened?.given).toMatchObject({ verification_token: 'secret_FirstToken' })
  expect((await wholeDatabase()) + app.logLines.join('\n')).not.toContain('secret_FirstToken')
})
