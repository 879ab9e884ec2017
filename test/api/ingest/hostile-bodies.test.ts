import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Operation } from '../../../src/api/openapi/operation.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { hostileBodies, hostileValues } from '../../support/hostile/hostile-bodies.ts'
import { type Call, newsletterOf, unlimitedClient } from '../../support/newsletters.ts'
import { sample } from '../../support/properties.ts'
import { operations } from '../../support/response-check.ts'

let app: TestApp
let team: Team
let call: Call
/** The addresses of what the paths name. */
let existing: Record<string, string>
beforeAll(async () => {
  app = await startApp()
  team = await app.team()
  call = await unlimitedClient(app, team)
  const block = await call('POST', '/content_blocks', { title: 'Kept', body: 'Text.' })
  const newsletter = await newsletterOf(call)
  const element = await call('POST', `${newsletter}/elements`, { type: 'divider' })
  const event = operations.find(({ operationId }) => operationId === 'createEvent')?.bodyExample
  const template = operations.find(({ operationId }) => operationId === 'createTemplate')
  await call('POST', '/events', event)
  await call('POST', '/templates', template?.bodyExample)
  existing = {
    '/api/v1/content_blocks/:id': `/content_blocks/${block.json.content_block.id}`,
    '/api/v1/newsletters/:id': newsletter,
    '/api/v1/newsletters/:id/elements/:element_id': `${newsletter}/elements/${element.json.element.id}`,
    '/api/v1/events/:slug': `/events/${Reflect.get(Object(event), 'slug')}`,
    '/api/v1/templates/:slug': `/templates/${Reflect.get(Object(template?.bodyExample), 'slug')}`,
  }
})
afterAll(() => app.close())

const changing = operations.filter(({ method, body }) => method !== 'GET' && body !== undefined)
const named = changing.map((operation, at) => [operation.operationId, operation, at] as const)

function addressOf({ path }: Operation): string {
  const known = Object.keys(existing)
    .filter((one) => path.startsWith(one))
    .toSorted((one, other) => other.length - one.length)[0]
  return known ? `${existing[known]}${path.slice(known.length)}` : path.slice('/api/v1'.length)
}

/** Sends a body as it is. `client` checks that the response is one that the operation promises. */
async function send({ method, ...rest }: Operation, raw: string | Uint8Array): Promise<number> {
  const address = addressOf({ method, ...rest })
  if (typeof raw === 'string') return (await call(method, address, raw)).status
  const key = await app.key(team, ['read', 'write', 'send_preview'])
  const response = await fetch(`${app.base}/api/v1${address}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: Buffer.from(raw),
  })
  await response.text()
  return response.status
}

const membersOf = ({ bodyExample }: Operation): string =>
  JSON.stringify(bodyExample ?? {}).slice(1, -1)

/** 503: the tests have no provider of AI drafts. */
const isAnswer = (status: number) => status < 500 || status === 503

/** Also of what was allocated since: a polluted prototype shows in every object. */
const pollution = () => ['polluted', 'auto_ready'].filter((name) => name in {})

test.each(named)('%s never fails on a hostile body', async (_, operation, turn) => {
  for (const [kind, raw] of sample(hostileBodies, 4, turn)) {
    const members = membersOf(operation)
    const text =
      typeof raw === 'string' ? raw.replace(members === '' ? '%,' : '%', () => members) : raw
    const status = await send(operation, text)
    expect([kind, isAnswer(status)]).toEqual([kind, true])
  }
  expect(pollution()).toEqual([])
})

test.each(named)('%s never fails on a hostile value of a field', async (_, operation, turn) => {
  const { body, bodyExample } = operation
  const fields = body && 'entries' in body ? Object.keys(Object(body.entries)) : ['type', 'body']
  for (const [at, field] of fields.entries()) {
    for (const value of sample(hostileValues, 6, turn + at)) {
      const sent = JSON.stringify({ ...Object(bodyExample), [field]: value })
      const status = await send(operation, sent)
      expect([field, value, isAnswer(status)]).toEqual([field, value, true])
    }
  }
  expect(pollution()).toEqual([])
})

test('hostile bodies and values are more than the 277 of an earlier trial, and change nothing else', async () => {
  const fields = changing.flatMap(({ body }) =>
    body && 'entries' in body ? Object.keys(Object(body.entries)) : [],
  )
  expect(
    hostileBodies.length * changing.length + hostileValues.length * fields.length,
  ).toBeGreaterThan(277)
  const kept = await client(app.base, await app.key(team, ['read']))('GET', '/team')
  expect(kept.json.team.slug).toBe(team.slug)
  expect(await app.sql`select 1 as one from teams`).toHaveLength(1)
})
