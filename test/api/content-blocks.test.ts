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

test.each(['2027-02-30T00:00:00Z', '2027-01-01T24:00:00Z', '2026-02-29T12:00:00+01:00'])(
  'the time %s, which does not exist, gets 422 instead of another time',
  async (publish_after) => {
    const call = client(app.base, await app.key(await app.team(), ['write', 'read']))
    const block = { title: 'An embargo', body: 'Text', publish_after }
    expect((await call('POST', '/content_blocks', block)).status).toBe(422)
    const query = new URLSearchParams({ created_after: publish_after })
    expect((await call('GET', `/content_blocks?${query}`)).status).toBe(422)
  },
)

describe('GET /content_blocks by page', () => {
  test('GET /content_blocks lists the newest blocks first, twenty on a page, with meta and links', async () => {
    const get = await reader()
    const first = await get('GET', '/content_blocks')
    expect(titles(first.json)).toEqual(storiesFrom(45, 26))
    expect(first.json.meta).toMatchObject({ page: 1, per_page: 20, total: 45, total_pages: 3 })
    expect(linksOf(first.headers)).toEqual({
      first: 'http://tidings.test/api/v1/content_blocks?page=1',
      next: 'http://tidings.test/api/v1/content_blocks?page=2',
      last: 'http://tidings.test/api/v1/content_blocks?page=3',
    })
    const last = await get('GET', '/content_blocks?page=3&status=draft&status=ready')
    expect(titles(last.json)).toEqual(storiesFrom(5, 1))
    expect(last.json.meta.next_cursor).toBeNull()
    expect(linksOf(last.headers)).toMatchObject({
      prev: 'http://tidings.test/api/v1/content_blocks?page=2&status=draft&status=ready',
    })
    const beyond = await get('GET', '/content_blocks?page=9')
    expect([beyond.status, beyond.json.content_blocks]).toEqual([200, []])
  })

  test('GET /content_blocks links to pages that respond with 200 also when its parameters were sent as lists', async () => {
    const get = await reader()
    const first = await get('GET', '/content_blocks?page[]=2&per_page[]=10&status[]=draft')
    const { next_cursor } = first.json.meta
    const deep = await get(
      'GET',
      `/content_blocks?after[]=${next_cursor}&per_page=2&status[]=draft`,
    )
    const links = [
      ...Object.values(linksOf(first.headers)),
      ...Object.values(linksOf(deep.headers)),
    ]
    expect(links).toHaveLength(6)
    const statuses: number[] = []
    for (const link of links) {
      const { pathname, search } = new URL(String(link))
      statuses.push((await get('GET', pathname.replace('/api/v1', '') + search)).status)
    }
    expect(statuses).toEqual(links.map(() => 200))
  })

  test('GET /content_blocks with many filters has a Link header that fits the buffers of proxies, with the next page if that fits', async () => {
    const get = await reader()
    const linked = async (filters: number) => {
      const others = Array.from({ length: filters }, (_, n) => `&event_slug=an-event-${100 + n}`)
      const query = `per_page=2&event_slug=harvest-day${others.join('')}`
      const { status, headers, json } = await get('GET', `/content_blocks?${query}`)
      const bytes = [...headers].flat().reduce((sum, part) => sum + part.length + 2, 0)
      expect([status, bytes < 4096]).toEqual([200, true])
      return { names: Object.keys(linksOf(headers)), meta: json.meta }
    }
    expect((await linked(10)).names).toEqual(['first', 'next', 'last'])
    expect((await linked(122)).names).toEqual(['next'])
    expect((await linked(200)).names).toEqual([])
    expect((await linked(200)).meta.next_cursor).toBeString()
  })

  test('GET /content_blocks lists each block once when a client follows the cursors to the end', async () => {
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

  test('GET /content_blocks refuses page numbers and sizes that are not whole numbers of at least 1', async () => {
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
    for (const many of ['1000000', '99999999999', '9'.repeat(400)]) {
      expect((await get('GET', `/content_blocks?per_page=${many}`)).json.meta.per_page).toBe(100)
    }
    for (const page of ['101', '9'.repeat(20)]) {
      const deep = await get('GET', `/content_blocks?page=${page}&per_page=100`)
      expect(deep.json.detail).toContain('after')
    }
  })

  test('GET /content_blocks responds with 422 or 404 to bytes that no text can contain', async () => {
    const get = await reader()
    const asked = ['?q=%00', '?event_slug=a%00b', '?after=%00', '?q=%E0%A4%A', '?q=%ED%A0%80']
    const replies = await Promise.all(asked.map((query) => get('GET', `/content_blocks${query}`)))
    expect(replies.map(({ status }) => status)).toEqual([422, 422, 422, 200, 200])
    for (const id of ['%00', 'cb_%00', '%E0%A4%A', '%ED%A0%80', '..%2f..']) {
      expect((await get('GET', `/content_blocks/${id}`)).status).toBe(404)
    }
  })

  test('GET /content_blocks refuses a cursor that was changed, invented or made for another team', async () => {
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

describe('GET /content_blocks with filters', () => {
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
  ])('GET /content_blocks?%s finds %i blocks', async (query, total) => {
    const { json } = await (await reader())('GET', `/content_blocks?${query}`)
    expect(json.meta.total).toBe(total)
  })

  test('created_after and created_before divide the blocks at a time, which belongs to created_after', async () => {
    const get = await reader()
    const middle = (await get('GET', '/content_blocks?q=Story%2020')).json.content_blocks[0]
      .created_at
    const after = (await get('GET', `/content_blocks?created_after=${middle}`)).json.meta.total
    const before = (await get('GET', `/content_blocks?created_before=${middle}`)).json.meta.total
    expect(after + before).toBe(45)
    expect(after).toBeGreaterThanOrEqual(26)
  })

  test('a filter value that no block can have gets 422 with the allowed values', async () => {
    const { json } = await (await reader())('GET', '/content_blocks?status=lost&created_after=soon')
    expect(json.fields.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '?status',
      '?created_after',
    ])
    expect(json.detail).toContain('draft, ready, used')
  })

  test('a filter finds no block of another team', async () => {
    const stranger = await reader(await app.team())
    const { json } = await stranger('GET', '/content_blocks?q=Story&source=webhook')
    expect(json).toMatchObject({ content_blocks: [], meta: { total: 0, total_pages: 0 } })
  })
})

describe('Changes of content blocks', () => {
  const editor = async () => client(app.base, await app.key(team, ['read', 'write']))

  test('a block is created, changed and deleted, and a change of nothing keeps its version', async () => {
    const call = await editor()
    const made = await call('POST', '/content_blocks', { title: 'Written', body: '<p>x</p>' })
    expect([made.status, made.headers.get('etag')]).toEqual([201, '"v1"'])
    expect(made.json.content_block).toMatchObject({
      source: 'agent',
      status: 'draft',
      origin: null,
    })
    const path = `/content_blocks/${made.json.content_block.id}`
    expect(made.headers.get('location')).toBe(`/api/v1${path}`)

    const changed = await call('PATCH', path, { status: 'ready', image_url: 'https://i.example/a' })
    expect(changed.json.content_block).toMatchObject({ status: 'ready', version: 2 })
    const same = await call('PATCH', path, { status: 'ready' })
    expect(same.json).toEqual(changed.json)
    const emptied = await call('PATCH', path, { image_url: null })
    expect(emptied.json.content_block).toMatchObject({ image_url: null, version: 3 })

    const deleted = await call('DELETE', path, undefined, { 'content-type': 'application/json' })
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect((await call('GET', path)).status).toBe(404)
    expect((await call('DELETE', path)).status).toBe(404)
  })

  test('a change to the focal point that a block has keeps its version, also with more digits than are stored', async () => {
    const call = await editor()
    const focus = { image_focal_x: 1 / 3, image_focal_y: 0.123456789 }
    const made = await call('POST', '/content_blocks', { title: 'A photo', body: 'x', ...focus })
    const path = `/content_blocks/${made.json.content_block.id}`
    const { image_focal_x, image_focal_y } = made.json.content_block
    for (const same of [focus, { image_focal_x, image_focal_y }]) {
      expect((await call('PATCH', path, same)).json).toEqual(made.json)
    }
    const moved = await call('PATCH', path, { image_focal_x: 0.334 })
    expect(moved.json.content_block).toMatchObject({ image_focal_x: 0.334, version: 2 })
  })

  test('a text that is longer than 64 KiB once it is sanitized can be sent back, and be changed to one that is not longer', async () => {
    const call = await editor()
    const sent = `<p>${'R&D '.repeat(14_000)}</p>`
    const made = await call('POST', '/content_blocks', { title: 'Long', body: sent })
    const { id, body } = made.json.content_block
    expect(Buffer.byteLength(body)).toBeGreaterThan(64 * 1024)
    const path = `/content_blocks/${id}`
    const same = await call('PATCH', path, { title: 'Better', body })
    expect([same.status, same.json.content_block]).toMatchObject([200, { title: 'Better', body }])
    const shorter = body.replace('R&amp;D', 'Them')
    const changed = await call('PATCH', path, { body: shorter })
    expect([changed.status, changed.json.content_block.body]).toEqual([200, shorter])
    const tooLong = 'body must be at most 64 KiB'
    const stale = { 'if-match': '"v1"' }
    expect((await call('PATCH', path, { body }, stale)).json.errors).toEqual([tooLong])
    const both = await call('PATCH', path, { title: '', body })
    expect(both.json.errors).toEqual(['title must not be empty', tooLong])
  })

  test('an unknown field is named in the error as it was sent, unless it may be content', async () => {
    const call = await editor()
    const errorsOf = async (name: string) =>
      (await call('POST', '/content_blocks', { title: 't', body: 'b', [name]: 1 })).json.fields
    expect(await errorsOf('First name')).toEqual([
      { pointer: '/First name', code: 'unknown_field', message: 'First name is not a field here' },
    ])
    expect(await errorsOf('größe')).toMatchObject([{ pointer: '/größe' }])
    expect(await errorsOf('<p>What happened</p>')).toMatchObject([
      { pointer: '', message: expect.stringContaining('a name with other characters') },
    ])
  })

  test('a change of a block gets 422 for read-only and unknown fields and 409 for a forbidden transition', async () => {
    const call = await editor()
    const { json } = await call('POST', '/content_blocks', { title: 't', body: 'b' })
    const path = `/content_blocks/${json.content_block.id}`
    const wrong = await call('PATCH', path, { source: 'manual', titel: 'x', status: 'used' })
    expect(wrong.json.fields.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      '/source',
      '/status',
      '/titel',
    ])
    await app.sql`update content_blocks set status = 'used' where id = ${json.content_block.id}`
    const back = await call('PATCH', path, { status: 'draft' })
    expect(back.json).toMatchObject({
      status: 409,
      code: 'invalid_transition',
      from: 'used',
      to: 'draft',
      allowed: ['ready'],
    })
    expect((await call('PATCH', path, { status: 'ready' })).status).toBe(200)
    expect((await call('PATCH', '/content_blocks/cb_none', { status: 'x' })).status).toBe(404)
  })

  test.each([
    ['https://acme.example/My file.pdf', 'https://acme.example/My%20file.pdf'],
    ['https://acme.example/{id}?a[]=b|c#d"', 'https://acme.example/%7Bid%7D?a%5B%5D=b%7Cc#d%22'],
    ['https:acme.example/100%', 'https://acme.example/100%25'],
    ['https://acme.example\\docs', 'https://acme.example/docs'],
    ['https://müller.example/Übersicht', 'https://xn--mller-kva.example/%C3%9Cbersicht'],
    ['HTTPS://Acme.example?q=a%20b', 'HTTPS://Acme.example?q=a%20b'],
  ])(
    'the address %s is stored as the URI %s, and stays when it is sent again',
    async (typed, uri) => {
      const call = await editor()
      const addresses = { image_url: typed, source_url: typed }
      const block = { title: 'Party', body: 'At six.', ...addresses, image_alt: 'A roof' }
      const stored = { image_url: uri, image_alt: 'A roof', origin: { url: uri } }
      const ingested = await call('POST', '/webhooks/ingest', block)
      expect(ingested.json.content_block).toMatchObject(stored)
      const { json } = await call('POST', '/content_blocks', block)
      expect(json.content_block).toMatchObject(stored)
      const path = `/content_blocks/${json.content_block.id}`
      for (const again of [addresses, { image_url: uri, source_url: uri }]) {
        const same = await call('PATCH', path, again)
        expect(same.json.content_block).toMatchObject({ ...stored, version: 1 })
      }
      const cover = { title: 'News', cover_image_url: typed, cover_image_alt: '' }
      expect((await call('POST', '/newsletters', cover)).json.newsletter.cover_image_url).toBe(uri)
      const details = await call('PATCH', '/team', { logo_url: typed, share_url: typed })
      expect(details.json.team).toMatchObject({ logo_url: uri, share_url: uri })
    },
  )

  test('the image of a block keeps its description when its address was stored as it was typed', async () => {
    const call = await editor()
    const typed = 'https://acme.example/My roof.jpg'
    const block = { title: 'Party', body: 'At six.', image_url: typed, image_alt: 'A roof' }
    const { id } = (await call('POST', '/content_blocks', block)).json.content_block
    await app.sql`update content_blocks set image_url = ${typed} where id = ${id}`
    const same = await call('PATCH', `/content_blocks/${id}`, { image_url: typed })
    expect(same.json.content_block).toMatchObject({ image_url: typed, image_alt: 'A roof' })
  })

  test('a change that states the addresses of a block, of a cover and of a poll as they were typed and stored is no change', async () => {
    const call = await editor()
    const typed = 'https://acme.example/My roof.jpg'
    const addresses = { image_url: typed, source_url: typed }
    const { id } = (await call('POST', '/content_blocks', { title: 'Party', body: 'At six.' })).json
      .content_block
    await app.sql`update content_blocks set image_url = ${typed}, source_url = ${typed} where id = ${id}`
    const block = (await call('PATCH', `/content_blocks/${id}`, addresses)).json.content_block
    expect(block).toMatchObject({ version: 1, image_url: typed, origin: { url: typed } })
    const { newsletter } = (await call('POST', '/newsletters', { title: 'News' })).json
    const path = `/newsletters/${newsletter.id}`
    const options = ['Yes', 'No'].map((label) => ({ label, url: typed }))
    const poll = { type: 'poll', heading: 'Shall we?', options }
    const { element } = (await call('POST', `${path}/elements`, poll)).json
    await app.sql`update newsletters set cover_image_url = ${typed} where id = ${newsletter.id}`
    await app.sql`
      update newsletter_elements set options = ${JSON.stringify(options)}::text::jsonb where id = ${element.id}`
    const { version } = (await call('GET', path)).json.newsletter
    const same = (await call('PATCH', path, { cover_image_url: typed })).json.newsletter
    expect(same).toMatchObject({ version, cover_image_url: typed })
    const again = await call('PATCH', `${path}/elements/${element.id}`, { options })
    expect(again.json.element).toEqual({ ...element, options })
    expect((await call('GET', path)).json.newsletter.version).toBe(version)
    // Another address is stored as a URI.
    const other = { image_url: `${typed}?1` }
    expect((await call('PATCH', `/content_blocks/${id}`, other)).json.content_block).toMatchObject({
      version: 2,
      image_url: 'https://acme.example/My%20roof.jpg?1',
    })
  })

  test('a block that a key writes has an author and a link, under the rules of ingest, and null removes them', async () => {
    const call = await editor()
    const credit = { author: ' Ada Lovelace ', source_url: 'https://acme.example/party' }
    const made = await call('POST', '/content_blocks', {
      title: 'Party',
      body: 'At six.',
      ...credit,
    })
    const origin = { provider: null, external_id: null, url: credit.source_url }
    expect(made.json.content_block.origin).toEqual({ ...origin, author: 'Ada Lovelace' })
    const path = `/content_blocks/${made.json.content_block.id}`
    const renamed = await call('PATCH', path, { author: 'Ada L.' })
    expect(renamed.json.content_block).toMatchObject({
      origin: { ...origin, author: 'Ada L.' },
      version: 2,
    })
    const same = await call('PATCH', path, { author: 'Ada L.', source_url: credit.source_url })
    expect(same.json.content_block.version).toBe(2)
    const wrong = { author: 'Ada\nLovelace', source_url: 'javascript:alert(1)' }
    for (const method of ['PATCH', 'POST'] as const) {
      const to = method === 'POST' ? '/content_blocks' : path
      const { status, json } = await call(method, to, { title: 't', body: 'b', ...wrong })
      const pointers = json.fields.map(({ pointer }: { pointer: string }) => pointer)
      expect([status, pointers.sort()]).toEqual([422, ['/author', '/source_url']])
    }
    const emptied = await call('PATCH', path, { author: null, source_url: '' })
    expect(emptied.json.content_block).toMatchObject({ origin: null, version: 3 })
  })

  test('the author and the link of an ingested block are corrected, and the rest of its origin stays', async () => {
    const call = await editor()
    const item = { title: 'Rye 2', body: 'Out.', external_id: 'rye-2', author: 'mira.o' }
    const { json } = await call('POST', '/webhooks/ingest', item)
    const path = `/content_blocks/${json.content_block.id}`
    const change = { author: 'Mira Okonkwo', source_url: 'https://rye.test/2' }
    const { origin, source } = (await call('PATCH', path, change)).json.content_block
    const corrected = { external_id: 'rye-2', author: change.author, url: change.source_url }
    expect([origin, source]).toEqual([{ provider: null, ...corrected }, 'webhook'])
    const again = await call('POST', '/webhooks/ingest', item)
    expect(again.json).toMatchObject({ duplicate: true, content_block: { origin: corrected } })
  })

  test('If-Match lets one of several concurrent changes of a block succeed', async () => {
    const call = await editor()
    const { json } = await call('POST', '/content_blocks', { title: 't', body: 'b' })
    const path = `/content_blocks/${json.content_block.id}`
    const seen = await call('GET', path)
    expect((await call('GET', path, undefined, { 'if-none-match': '"v1"' })).status).toBe(304)
    const writes = Array.from({ length: 20 }, (_, n) =>
      call('PATCH', path, { title: `by ${n}` }, { 'if-match': seen.headers.get('etag') ?? '' }),
    )
    const replies = await Promise.all(writes)
    expect(replies.filter(({ status }) => status === 200).length).toBe(1)
    const late = replies.find(({ status }) => status !== 200)
    expect(late?.json).toMatchObject({ status: 412, code: 'version_mismatch', version: 2 })
    // RFC 9110, section 13.1.1: a weak tag never matches.
    const weak = await call('PATCH', path, { title: 'x' }, { 'if-match': 'W/"v2"' })
    expect(weak.json).toMatchObject({ status: 412, version: 2 })
    expect(weak.json.detail).not.toContain('changed')
    expect((await call('DELETE', path, undefined, { 'if-match': '"v1"' })).status).toBe(412)
    expect((await call('DELETE', path, undefined, { 'if-match': '"v2"' })).status).toBe(204)
  })

  test('POST /content_blocks with one Idempotency-Key creates one block', async () => {
    const call = await editor()
    const key = { 'idempotency-key': 'create-1' }
    const title = `Once ${crypto.randomUUID()}`
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', '/content_blocks', { title, body: 'b' }, key)),
    )
    const ids = replies
      .filter(({ status }) => status === 201)
      .map(({ json }) => json.content_block.id)
    expect(new Set(ids).size).toBe(1)
    for (const { status } of replies) expect([201, 409]).toContain(status)
    const replay = await call('POST', '/content_blocks', { title, body: 'b' }, key)
    expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect(replay.json.content_block.id).toBe(ids[0])
    expect((await call('POST', '/content_blocks', { title, body: 'c' }, key)).json.code).toBe(
      'idempotency_key_reused',
    )
    const [counted] =
      await app.sql`select count(*)::integer as n from content_blocks where title = ${title}`
    expect(counted?.['n']).toBe(1)
  })

  test('a block of another team can be neither changed nor deleted', async () => {
    const stranger = client(app.base, await app.key(await app.team(), ['read', 'write']))
    const call = await editor()
    const { json } = await call('POST', '/content_blocks', { title: 'ours', body: 'b' })
    const path = `/content_blocks/${json.content_block.id}`
    expect((await stranger('PATCH', path, { title: 'theirs' })).status).toBe(404)
    expect((await stranger('DELETE', path)).status).toBe(404)
    expect((await call('GET', path)).json).toEqual(json)
  })

  test('one of many concurrent deletions of a block succeeds and the others get 404', async () => {
    const keys = await Promise.all([1, 2].map(() => editor()))
    const { json } = await (await editor())('POST', '/content_blocks', { title: 't', body: 'b' })
    const path = `/content_blocks/${json.content_block.id}`
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, n) => {
        const call = keys[n % 2]
        if (!call) throw new Error('no client')
        return n < 50 ? call('DELETE', path) : call('PATCH', path, { title: `t${n}` })
      }),
    )
    expect(replies.filter(({ status }) => status === 204).length).toBe(1)
    for (const { status } of replies) expect([200, 204, 404]).toContain(status)
  })
})
