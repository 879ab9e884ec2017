import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Operation } from '../../../src/api/openapi/operation.ts'
import { scopes } from '../../../src/contract/vocabulary.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { operations } from '../../support/response-check.ts'

let app: TestApp
let team: Team
/** Existing values of the parameters, by the path in which they occur. */
let existing: Record<string, Record<string, string>>

beforeAll(async () => {
  app = await startApp()
  team = await app.team()
  const call = client(app.base, await app.key(team, ['write']))
  const block = await call('POST', '/content_blocks', { title: 'A block', body: 'Text.' })
  const newsletter = await call('POST', '/newsletters', { title: 'A newsletter' })
  const path = `/newsletters/${newsletter.json.newsletter.id}`
  const added = await call('POST', `${path}/blocks`, {
    content_block_id: block.json.content_block.id,
  })
  const element = await call('POST', `${path}/elements`, { type: 'divider' })
  const template = await call('POST', '/templates', newTemplate)
  existing = {
    content_blocks: { id: block.json.content_block.id },
    newsletters: {
      id: newsletter.json.newsletter.id,
      element_id: element.json.element.id,
      newsletter_block_id: added.json.newsletter_block.id,
    },
    events: { slug: 'international-womens-day' },
    templates: { slug: template.json.template.slug },
  }
})
afterAll(() => app.close())

const newTemplate = operations.find(
  ({ method, path }) => `${method} ${path}` === 'POST /api/v1/templates',
)?.bodyExample

const named = operations.map(
  (operation) => [`${operation.method} ${operation.path}`, operation] as const,
)

/** The operation's address, with existing or with unknown values of its parameters. */
function addressOf({ path }: Operation, parameters: 'existing' | 'unknown'): string {
  const [, , , resource = ''] = path.split('/')
  const values = parameters === 'existing' ? existing[resource] : {}
  return path.replaceAll(/:(\w+)/g, (_, name: string) => values?.[name] ?? 'unknown')
}

const json = { 'content-type': 'application/json' }
const malformed = { headers: json, body: '{"broken' }

async function statusOf(
  { method }: Operation,
  address: string,
  key: string | null,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
): Promise<number> {
  const response = await fetch(app.base + address, {
    method,
    headers: { ...headers, ...(key && { authorization: `Bearer ${key}` }) },
    ...(body !== undefined && method !== 'GET' && { body }),
  })
  await response.text()
  return response.status
}

/** A key that has used up its rate limit. */
async function exhaustedKey(): Promise<string> {
  const key = await app.key(team, ['read'])
  const ping = client(app.base, key)
  while ((await ping('GET', '/ping')).status !== 429);
  return key
}

test.each(named)(
  '%s checks key, rate limit, scope and existence in this order',
  async (_, operation) => {
    const unknown = addressOf(operation, 'unknown')
    expect(await statusOf(operation, unknown, null, malformed)).toBe(401)
    expect(await statusOf(operation, unknown, await exhaustedKey(), malformed)).toBe(429)
    if (operation.scope === 'any') return
    const others = scopes.filter((scope) => scope !== operation.scope)
    expect(await statusOf(operation, unknown, await app.key(team, others), malformed)).toBe(403)
    if (!operation.path.includes(':')) return
    const key = await app.key(team, [operation.scope])
    expect(await statusOf(operation, unknown, key, malformed)).toBe(404)
  },
)

test.each(named.filter(([, { body }]) => body))(
  '%s checks that a resource exists before its body, and the body before its state',
  async (_, operation) => {
    const key = await app.key(team, operation.scope === 'any' ? ['read'] : [operation.scope])
    const address = addressOf(operation, 'existing')
    const staleVersion = { 'if-match': '"v999"' }
    const send = (headers: Record<string, string>, body: string) =>
      statusOf(operation, address, key, { headers: { ...staleVersion, ...headers }, body })
    expect(await send(json, '{"broken')).toBe(400)
    const { maxBodyBytes = 256 * 1024 } = operation
    expect(await send(json, JSON.stringify({ title: 'x'.repeat(maxBodyBytes) }))).toBe(413)
    expect(await send({ 'content-type': 'text/plain' }, 'text')).toBe(415)
    expect(await send(json, '[]')).toBe(422)
    if (!('If-Match' in (operation.requestHeaders ?? {}))) return
    expect(await send(json, JSON.stringify(operation.bodyExample))).toBe(412)
  },
)

const nested = ({ path }: Operation) => path.match(/:\w+/g)?.length === 2

test.each(named.filter(([, operation]) => nested(operation)))(
  '%s checks that the part of the newsletter exists before its body and its version',
  async (_, operation) => {
    const [newsletter = '', part = ''] = operation.path.split(/\/(?=\w+\/:\w+$)/)
    const address = newsletter.replace(/:\w+/, existing['newsletters']?.['id'] ?? '')
    const key = await app.key(team, operation.scope === 'any' ? ['read'] : [operation.scope])
    const headers = { ...json, 'if-match': '"v999"' }
    const unknown = `${address}/${part.replace(/:\w+/, 'unknown')}`
    for (const body of ['{"broken', '[]', '{}']) {
      expect(await statusOf(operation, unknown, key, { headers, body })).toBe(404)
    }
  },
)

test.each(named.filter(([, { query }]) => query))(
  '%s checks the scope before the query',
  async (_, operation) => {
    const wrongQuery = `${addressOf(operation, 'existing')}?per_page=none&dry_run=perhaps`
    const others = scopes.filter((scope) => scope !== operation.scope)
    expect(await statusOf(operation, wrongQuery, await app.key(team, others))).toBe(403)
    const key = await app.key(team, operation.scope === 'any' ? ['read'] : [operation.scope])
    expect(await statusOf(operation, wrongQuery, key, { headers: json, body: '{}' })).toBe(422)
  },
)
