import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import published from '../integrations/github/fixtures/release.published.json'
import { sign } from '../integrations/github/fixtures/sign.ts'
import { loadAdapters } from '../integrations/index.ts'
import { createConnection, webhookUrl } from '../src/features/connections/index.ts'
import type { Team } from '../src/features/teams/index.ts'
import { systemContext } from '../src/lib/context.ts'
import { client, startApp, type TestApp } from './support/app.ts'
import { newsletterOf, unlimitedClient } from './support/newsletters.ts'
import { until } from './support/until.ts'

const adapters = await loadAdapters()
let app: TestApp
let team: Team
beforeAll(async () => {
  app = await startApp({
    adapters: [...adapters.values()],
    now: () => new Date('2026-11-20T09:00:00Z'),
  })
  team = await app.team()
  const call = client(app.base, await app.key(team, ['read', 'write']))
  const { status, json } = await call('PATCH', '/team', { language: 'de' })
  expect([status, json.team.language, json.team.name]).toEqual([200, 'de', team.name])
})
afterAll(() => app.close())

/** Connects GitHub and sends releases; returns the titles of the blocks when there are `count`. */
async function titlesOf(settings: object, tags: string[], count: number): Promise<string[]> {
  const github = adapters.get('github')
  if (!github) throw new Error('there is no adapter github')
  const given = { secret: 'heron', ...settings }
  const ctx = systemContext(app.forwarder, team.id)
  const { webhookToken } = await createConnection(ctx, { adapter: github, given })
  const blocks = () => app.sql<{ title: string }[]>`
    select title from content_blocks where team_id = ${team.id} and source = 'webhook' order by id`
  const before = (await blocks()).length
  for (const [index, tag_name] of tags.entries()) {
    const id = Date.now() + index
    const release = { ...published.body.release, id, tag_name, name: null, body: null }
    const body = JSON.stringify({ ...published.body, release })
    const delivery = { 'x-github-delivery': crypto.randomUUID() }
    const headers = { ...published.headers, ...delivery, ...(await sign(body, given)) }
    const url = webhookUrl(app.base, 'github', webhookToken)
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
    await until(async () => {
      const [waiting] = await app.sql`
        select 1 from deliveries where team_id = ${team.id} and status = 'waiting'`
      return !waiting
    })
  }
  const after = await blocks()
  expect(after.length - before).toBe(count)
  return after.slice(before).map(({ title }) => title)
}

describe('the language of a team', () => {
  test('the sentences of adapters are in the language of the team', async () => {
    expect(await titlesOf({}, ['v9.1.0'], 1)).toEqual(['tideline v9.1.0 ist da'])
  })

  test('the title of a roll-up is in the language of the team', async () => {
    expect(await titlesOf({ group: 'week' }, ['v9.2.0', 'v9.3.0'], 1)).toEqual([
      '2 Versionen von marlowe-labs/tideline, 16.–22. November',
    ])
  })

  test('the words and dates of a newsletter are in the language of the team', async () => {
    const call = await unlimitedClient(app, team)
    const source_url = 'https://lampe.example/'
    const block = { title: 'Neue Lampe', body: 'Heller als je.', external_id: 'lampe', source_url }
    const { json } = await call('POST', '/webhooks/ingest', { ...block, auto_ready: true })
    const newsletter = await newsletterOf(call, [json.content_block.id])
    const preview = await call('GET', `${newsletter}/preview`)
    const html: string = preview.json.preview.html
    expect(html).toContain('lang="de"')
    expect(html).toContain('Weiterlesen')
    expect(html).toContain('20. November 2026')
    expect(html).toContain('Neuigkeiten')
    expect(html).not.toContain('Read more')
  })

  test('an unknown language of a team is refused', async () => {
    const call = client(app.base, await app.key(team, ['write']))
    const { status, json } = await call('PATCH', '/team', { language: 'tlh' })
    expect(status).toBe(422)
    expect(JSON.stringify(json)).toContain('/language')
  })
})
