import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Operation } from '../../../src/api/openapi/operation.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { transaction } from '../../../src/lib/database/db.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { countLockWaits } from '../../support/database/lock-waits.ts'
import { type FakeProvider, startProvider } from '../../support/providers/ai-provider.ts'
import { operations } from '../../support/response-check.ts'
import { until } from '../../support/until.ts'

let app: TestApp
let provider: FakeProvider
let image: string
beforeAll(async () => {
  provider = startProvider()
  app = await startApp({ ai: { baseUrl: provider.baseUrl, apiKey: null, model: 'test-model' } })
  const red = { width: 8, height: 8, channels: 3, background: 'red' } as const
  image = `data:image/png;base64,${(await sharp({ create: red }).png().toBuffer()).toString('base64')}`
})
afterAll(async () => {
  await app.close()
  await provider.close()
})

const changes = operations.filter(({ method }) => method !== 'GET')

const newTemplate = operations.find(
  ({ method, path }) => `${method} ${path}` === 'POST /api/v1/templates',
)?.bodyExample

/** The path of an operation, about a block, a newsletter, an event and a template that the team has. */
async function pathFor({ path }: Operation, team: Team): Promise<string> {
  const call = client(app.base, await app.key(team, ['write']))
  const block = await call('POST', '/content_blocks', { title: 'A block', body: 'Text.' })
  const { id } = block.json.content_block
  const newsletter = (await call('POST', '/newsletters', { title: 'A newsletter' })).json.newsletter
  const added = await call('POST', `/newsletters/${newsletter.id}/blocks`, { content_block_id: id })
  const element = await call('POST', `/newsletters/${newsletter.id}/elements`, { type: 'divider' })
  const event = await call('POST', '/events', {
    slug: 'party',
    name: 'Party',
    event_date: '2027-07-01',
    category: 'corporate',
  })
  if (path.endsWith('/templates/:slug')) await call('POST', '/templates', newTemplate)
  return path
    .replace('/api/v1', '')
    .replace('/templates/:slug', '/templates/our-own')
    .replace('/content_blocks/:id', `/content_blocks/${id}`)
    .replace('/newsletters/:id', `/newsletters/${newsletter.id}`)
    .replace(':newsletter_block_id', added.json.newsletter_block.id)
    .replace(':element_id', element.json.element?.id)
    .replace('/events/:slug', `/events/${event.json.event?.slug}`)
}

/** Everything a team has that a key can change. */
const contentOf = ({ id }: Team) => app.sql`
  select to_jsonb(t) as row from content_blocks t where team_id = ${id}
  union all select to_jsonb(t) from newsletters t where team_id = ${id}
  union all select to_jsonb(t) from newsletter_blocks t where team_id = ${id}
  union all select to_jsonb(t) from newsletter_elements t where team_id = ${id}
  union all select to_jsonb(t) from events t where team_id = ${id}
  union all select to_jsonb(t) from templates t where team_id = ${id}
  union all select to_jsonb(t) from images t where team_id = ${id}
  union all select to_jsonb(t) from preview_emails t where team_id = ${id}
  union all select to_jsonb(t) from audit_log t where team_id = ${id}`

test.each(
  changes.map((operation) => [`${operation.method} ${operation.path}`, operation] as const),
)(
  '%s changes nothing when its key is revoked between the key check and the change',
  async (_, operation) => {
    const team = await app.team()
    const path = await pathFor(operation, team)
    const key = await app.key(team, ['write', 'send_preview'])
    const before = await contentOf(team)
    const body = path === '/images' ? { image } : operation.bodyExample
    const { responding } = await transaction(app.sql, async (tx) => {
      // The key check does not see this yet, and the change waits for it.
      await tx`update api_keys set revoked_at = now() where prefix = ${key.slice(0, 14)}`
      const responding = client(app.base, key)(operation.method, path, body)
      await Promise.race([responding, until(async () => (await countLockWaits(app.sql)) > 0)])
      return { responding }
    })
    expect((await responding).json).toMatchObject({ status: 401, code: 'revoked_key' })
    expect(await contentOf(team)).toEqual(before)
  },
)

test.each([
  ['is revoked', { revoked_at: new Date() }],
  ['expires', { expires_at: new Date() }],
] as const)(
  'an item under an Idempotency-Key is not stored when its key %s meanwhile',
  async (_, end) => {
    const team = await app.team()
    const key = await app.key(team, ['write'])
    const body = { title: 'Too late', body: 'Text.' }
    const { responding } = await transaction(app.sql, async (tx) => {
      await tx`update api_keys set ${tx(end)} where prefix = ${key.slice(0, 14)}`
      const headers = { 'idempotency-key': 'late' }
      const responding = client(app.base, key)('POST', '/webhooks/ingest', body, headers)
      await Promise.race([responding, until(async () => (await countLockWaits(app.sql)) > 0)])
      return { responding }
    })
    expect((await responding).status).toBe(401)
    expect(await app.sql`select 1 from content_blocks where team_id = ${team.id}`).toHaveLength(0)
  },
)
