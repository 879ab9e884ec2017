import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Team } from '../../src/features/teams/index.ts'
import { client, startApp, type TestApp } from '../support/app.ts'

let app: TestApp
let team: Team
beforeAll(async () => {
  app = await startApp()
  team = await app.team()
  await seed(45)
})
afterAll(() => app.close())

const types = ['general', 'wins_milestones', 'new_starter']

/** Blocks numbered from the oldest, each a minute younger than the one before. */
async function seed(many: number): Promise<void> {
  const write = client(app.base, await app.key(team, ['write']))
  for (let n = 1; n <= many; n++) {
    await write('POST', '/webhooks/ingest', {
      title: `Story ${n}`,
      body: n % 5 === 0 ? 'about a harvest' : 'about nothing much',
      block_type: types[n % 3],
      auto_ready: n % 2 === 0,
      ...(n % 9 === 0 && { event_slug: 'harvest-day' }),
    })
  }
}

const reader = async (of = team) => client(app.base, await app.key(of, ['read']))
const titles = (json: { content_blocks: { title: string }[] }) =>
  json.content_blocks.map(({ title }) => title)
const storiesFrom = (newest: number, oldest: number) =>
  Array.from({ length: newest - oldest + 1 }, (_, n) => `Story ${newest - n}`)

/** A Link header (RFC 8288) as relation → address. */
const linksOf = (headers: Headers) =>
  Object.fromEntries(
    [...(headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, rel]) => [
      rel,
      url,
    ]),
  )

describe('pages', () => {
  test('come newest first, twenty at a time, with meta and links', async () => {
    const get = await reader()
    const first = await get('GET', '/content_blocks')
    expect(titles(first.json)).toEqual(storiesFrom(45, 26))
    expect(first.json.meta).toMatchObject({ page: 1, per_page: 20, total: 45, total_pages: 3 })
    expect(linksOf(first.headers)).toEqual({
      first: '/api/v1/content_blocks?page=1',
      next: '/api/v1/content_blocks?page=2',
      last: '/api/v1/content_blocks?page=3',
    })
    const last = await get('GET', '/content_blocks?page=3&status=draft&status=ready')
    expect(titles(last.json)).toEqual(storiesFrom(5, 1))
    expect(last.json.meta.next_cursor).toBeNull()
    expect(linksOf(last.headers)).toMatchObject({
      prev: '/api/v1/content_blocks?page=2&status=draft&status=ready',
    })
    const beyond = await get('GET', '/content_blocks?page=9')
    expect([beyond.status, beyond.json.content_blocks]).toEqual([200, []])
  })

  test('read on by cursor until the end, each block once', async () => {
    const get = await reader()
    const seen: string[] = []
    let path = '/content_blocks?per_page=10'
    while (path !== '') {
      const { json } = await get('GET', path)
      seen.push(...titles(json))
      const { next_cursor } = json.meta
      path = next_cursor ? `/content_blocks?per_page=10&after=${next_cursor}` : ''
    }
    expect(seen).toEqual(storiesFrom(45, 1))
  })

  test('take only what makes sense', async () => {
    const get = await reader()
    for (const query of [
      'page=0',
      'page=x',
      'per_page=0',
      'per_page=-1',
      'per_page=1e3',
      'page=1&page=2',
    ]) {
      const { json } = await get('GET', `/content_blocks?${query}`)
      expect([query, json.status, json.fields.length]).toEqual([query, 422, 1])
    }
    expect((await get('GET', '/content_blocks?per_page=1000000')).json.meta.per_page).toBe(100)
    const deep = await get('GET', '/content_blocks?page=101&per_page=100')
    expect(deep.json.detail).toContain('after')
  })

  test('refuse a cursor that was changed, made up or made for another team', async () => {
    const cursor = (await (await reader())('GET', '/content_blocks?per_page=5')).json.meta
      .next_cursor
    const stranger = await reader(await app.team())
    const own = await reader()
    const changed = cursor.replace(/.$/, (end: string) => (end === 'A' ? 'B' : 'A'))
    const asked = [
      await stranger('GET', `/content_blocks?after=${cursor}`),
      await own('GET', `/content_blocks?after=${changed}`),
      await own('GET', '/content_blocks?after='),
      await own('GET', `/content_blocks?after=${'A'.repeat(10_000)}`),
    ]
    for (const { status } of asked) expect(status).toBe(422)
  })
})

describe('filters', () => {
  test.each([
    ['status=ready', 22],
    ['status=draft&status=ready', 45],
    ['status=used', 0],
    ['block_type=new_starter', 15],
    ['block_type=new_starter&block_type=general&status=ready', 15],
    ['source=webhook', 45],
    ['source=manual', 0],
    ['event_slug=harvest-day', 5],
    ['q=harvest', 9],
    ['q=HARVEST%20about', 9],
    ['q=Story%2044', 1],
    ['q=%25_%5C', 0],
    ['unknown=parameter', 45],
    ["event_slug=' or 1=1--", 0],
    ['created_before=2020-01-01T00:00:00Z', 0],
    ['created_after=2020-01-01T00:00:00Z', 45],
  ])('%s finds %i', async (query, total) => {
    const { json } = await (await reader())('GET', `/content_blocks?${query}`)
    expect(json.meta.total).toBe(total)
  })

  test('part the list at a moment', async () => {
    const get = await reader()
    const middle = (await get('GET', '/content_blocks?q=Story%2020')).json.content_blocks[0]
      .created_at
    const after = (await get('GET', `/content_blocks?created_after=${middle}`)).json.meta.total
    const before = (await get('GET', `/content_blocks?created_before=${middle}`)).json.meta.total
    expect(after + before).toBe(45)
    expect(after).toBeGreaterThanOrEqual(26)
  })

  test('refuse a value that no block can have, and say which there are', async () => {
    const { json } = await (await reader())('GET', '/content_blocks?status=lost&created_after=soon')
    expect(json.fields.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '?status',
      '?created_after',
    ])
    expect(json.detail).toContain('draft, ready, used')
  })

  test('never reach into another team', async () => {
    const stranger = await reader(await app.team())
    const { json } = await stranger('GET', '/content_blocks?q=Story&source=webhook')
    expect(json).toMatchObject({ content_blocks: [], meta: { total: 0, total_pages: 0 } })
  })
})
