import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { looksLikeHtml } from '../../../src/lib/html/looks-like-html.ts'
import { sanitizeHtml } from '../../../src/lib/html/sanitize-html.ts'
import { pageMeta } from '../../../src/lib/lists/pagination.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { growthOf, maxLinearGrowth } from '../../support/growth.ts'

let app: TestApp
let key: string
beforeAll(async () => {
  app = await startApp()
  key = await app.key(await app.team(), ['read', 'write'])
})
afterAll(() => app.close())

const ingest = (item: object, query = '') =>
  client(app.base, key)('POST', `/webhooks/ingest${query}`, { title: 'A title', ...item })

describe('the format of an ingested body', () => {
  test('the format of an ingested body is text when it only resembles HTML, and no word is lost', async () => {
    const body = 'Fix: i<p and p>3 crash'
    const { json } = await ingest({ body })
    expect(json.content_block).toMatchObject({ body, body_format: 'text' })
    expect(json.warnings).toEqual([])
  })

  test('the format of an ingested body is what body_format says', async () => {
    const asText = await ingest({ body: '<b>bold</b>', body_format: 'text' })
    expect(asText.json.content_block).toMatchObject({ body: '<b>bold</b>', body_format: 'text' })
    const asMarkdown = await ingest({ body: '# Hi\n\n**bold**', body_format: 'markdown' })
    expect(asMarkdown.json.content_block).toMatchObject({
      body: '<h3>Hi</h3>\n<p><strong>bold</strong></p>',
      body_format: 'html',
    })
    const other = await ingest({ body: 'x', body_format: 'rtf' })
    expect(other.json.fields).toMatchObject([{ pointer: '/body_format', code: 'not_allowed' }])
  })

  test('html gets a warning that names the words which sanitizing removes', async () => {
    const { status, json } = await ingest({ body: 'i<p and q>3 crash', body_format: 'html' })
    expect(status).toBe(201)
    expect(json.warnings).toEqual([
      expect.stringContaining('were removed: and, q; send body_format'),
    ])
  })

  test.each([
    '<img src="https://i.example/a.png" alt=""><p class="" style="">We won.</p>',
    '<p class=MsoNormal>We won.<o:p></o:p></p>',
    '<p>We <label for="x">won</label> <time datetime="2026-11-20">today</time>.</p>',
    '<picture><img src="https://i.example/a.png" alt="A dog"></picture><p data-id="">We won.</p>',
  ])('HTML of which no word is lost gets no warning: %s', async (body) => {
    const { json } = await ingest({ body })
    expect([json.content_block.body_format, json.warnings]).toEqual(['html', []])
  })

  test('the parts of a web page in an ingested body stay on lines of their own', async () => {
    const body =
      '<main><article>We won.</article><section>All of us.</section><footer>Ada</footer></main><menu><li>a</menu>'
    expect((await ingest({ body })).json.content_block.body).toBe(
      '<div><div>We won.</div><div>All of us.</div><div>Ada</div></div><ul><li>a</li></ul>',
    )
  })

  test('without the images that emails do not load gets a warning that names them', async () => {
    const warning = (name: string) =>
      `body contains images that emails do not show, so they were removed: ${name}; upload them with POST /images, and send HTML with their addresses`
    const markdown =
      'Our dog ![A dog](https://i.example/dog.png) <img src="https://i.example/b.png">'
    const rendered = await ingest({ body: markdown, body_format: 'markdown' })
    expect(rendered.json.content_block.body).toStartWith('<p>Our dog ')
    expect(rendered.json.warnings).toEqual([warning('A dog, without a text')])
    const pasted = '<p>Our dog <img src="data:image/png;base64,AAAA" alt="A dog"></p>'
    expect((await ingest({ body: pasted })).json.warnings).toEqual([warning('A dog')])
    const loaded = '<p>Our dog <img src="https://i.example/dog.png" alt="A dog"></p>'
    const { json } = await ingest({ body: loaded })
    expect([json.content_block.body, json.warnings]).toEqual([loaded, []])
    const alone = await ingest({
      body: '![A dog](https://i.example/dog.png)',
      body_format: 'markdown',
    })
    expect(alone.json.errors).toEqual([
      'body has nothing but images, which Markdown cannot contain here; send one as image or image_url',
    ])
  })

  test.each([
    ['an item', ''],
    ['a dry run', '?dry_run=true'],
  ])(
    'a table in Markdown that is too long as HTML gets a warning that says where %s cuts it',
    async (_, query) => {
      const rows = Array.from({ length: 1500 }, (_, at) => `| ${at} | R&D | yes |`)
      const body = ['| no | team | ok |', '|---|---|---|', ...rows, '', 'Closed on Friday.'].join(
        '\n',
      )
      const item = { body, body_format: 'markdown' }
      const { json } = await ingest(item, query)
      const kept = [...json.content_block.body.matchAll(/<td>(\d+)<\/td>/g)].length
      expect(kept).toBeGreaterThan(1000)
      expect(json.warnings).toEqual([
        expect.stringContaining(
          `body has more than 64 KiB as HTML and was cut before: | ${kept} | R&D | yes |`,
        ),
      ])
      const bulk = await client(app.base, key)('POST', `/webhooks/ingest/bulk${query}`, {
        items: [{ title: 'A title', ...item }],
      })
      expect(bulk.json.results[0].warnings).toEqual(json.warnings)
    },
  )

  test('an ingested body with a drawing gets no warning about the names of its shapes', async () => {
    const icon = '<svg viewBox="0 0 1 1"><g><path d="M0 0"></path></g></svg>'
    const { json } = await ingest({ body: `<p>Our logo ${icon} is <i>new</i>.</p>` })
    expect(json.content_block.body).toBe('<p>Our logo  is <i>new</i>.</p>')
    expect(json.warnings).toEqual([])
  })

  test.each([
    ['<p>one</p>', true],
    ['<img src=x onerror=alert(1)>', true],
    ['<details open><summary>s</summary></details>', true],
    ['<custom-card title="x">y</custom-card>', true],
    ['<table><tr><td>unclosed', true],
    ['a < b and c > d', false],
    ['Map<String, T>', false],
    ['<ada@example.com>', false],
    ['if x <y and z> 3', false],
  ])('the format of %s is HTML: %p', (text, isHtml) => {
    expect(looksLikeHtml(text)).toBe(isHtml)
  })

  test.each(['<p a=b ', '<p a="', '<a', 'a '])(
    'the format of an ingested body is detected at a cost that grows with the size of many %p',
    async (part) => {
      expect(await growthOf((size) => looksLikeHtml(`<${part.repeat(size)}`), 3_000)).toBeLessThan(
        maxLinearGrowth,
      )
      const lost = (size: number) => sanitizeHtml(`<${part.repeat(size)}`, () => {})
      expect(await growthOf(lost, 300)).toBeLessThan(maxLinearGrowth)
    },
  )
})

test('an empty text in an optional field of an item means absent', async () => {
  const { status, json } = await ingest({
    body: 'Text.',
    block_type: '',
    event_slug: '',
    external_id: '',
    source_url: ' ',
    author: '  ',
    image_url: '',
    publish_after: '',
    auto_ready: '',
  })
  expect(status).toBe(201)
  expect(json.content_block).toMatchObject({
    block_type: 'general',
    status: 'draft',
    event_slug: null,
    image_url: null,
    publish_after: null,
  })
  expect((await ingest({ body: '' })).json.errors).toEqual(['body is required'])
})

test('a dry run under an Idempotency-Key responds as the request would, and takes no key', async () => {
  const path = '/webhooks/ingest'
  const call = client(app.base, key)
  const send = (query: string, title: string) =>
    call('POST', path + query, { title, body: 'Text.' }, { 'idempotency-key': 'dry-run' })
  expect((await send('?dry_run=true', 'Other')).json.duplicate).toBe(false)
  const first = await send('', 'Dry run')
  expect(first.status).toBe(201)
  const again = await send('?dry_run=true', 'Dry run')
  expect([again.status, again.json.duplicate, again.json.content_block.id]).toEqual([
    200,
    true,
    first.json.content_block.id,
  ])
  const other = await send('?dry_run=true', 'Other')
  expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused'])
  expect((await send('?dry_run=true', '')).status).toBe(422)
  const items = [
    { title: 'Other', body: 'Text.', idempotency_key: 'dry-run' },
    { title: 'New', body: 'Text.', idempotency_key: 'free' },
    { title: '', body: 'Text.', idempotency_key: 'free' },
  ]
  const bulk = await call('POST', `${path}/bulk?dry_run=true`, { items })
  expect(bulk.json.results.map((one: { status: number }) => one.status)).toEqual([422, 200, 422])
  expect(await app.sql`select key from idempotency_keys`).toMatchObject([{ key: 'dry-run' }])
})

test('a dry run of a known item says that it is a duplicate, and shows the known block', async () => {
  const first = await ingest({ body: 'One.', external_id: 'item-1' })
  const again = await ingest({ body: 'Two.', external_id: 'item-1' }, '?dry_run=true')
  expect(again.json).toMatchObject({
    duplicate: true,
    content_block: { id: first.json.content_block.id, body: 'One.' },
  })
})

test('a misspelled parameter is ignored and reported with the nearest known name', async () => {
  const { json } = await ingest({ body: 'Text.' }, '?dryrun=true')
  expect(json.warnings).toEqual([
    'the parameter dryrun is unknown and was ignored; did you mean dry_run?',
  ])
  const list = await client(app.base, key)('GET', '/content_blocks?stauts=draft&x=1')
  expect(list.json.meta.warnings).toEqual([
    'the parameter stauts is unknown and was ignored; did you mean status?',
    'the parameter x is unknown and was ignored',
  ])
  const clean = await client(app.base, key)('GET', '/content_blocks?status=draft')
  expect(clean.json.meta).not.toHaveProperty('warnings')
})

test('a filter with brackets means the same as without them', async () => {
  await ingest({ body: 'Ready.', auto_ready: true })
  const call = client(app.base, key)
  const plain = await call('GET', '/content_blocks?status=ready')
  const bracketed = await call('GET', '/content_blocks?status[]=ready')
  expect(bracketed.json.meta.total).toBe(plain.json.meta.total)
  expect(bracketed.json.meta).not.toHaveProperty('warnings')
  expect((await call('GET', '/content_blocks?status[]=done')).status).toBe(422)
})

test('another version of the API is an error for programs, not a page', async () => {
  const response = await fetch(`${app.base}/api/v2/newsletters`)
  expect(response.status).toBe(404)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
})

test('a block for an unknown event gets a warning, also through REST', async () => {
  const call = client(app.base, key)
  const block = { title: 'Party', body: 'On the roof.', event_slug: 'no-such-event' }
  const { json } = await call('POST', '/content_blocks', block)
  expect(json.warnings).toEqual([expect.stringContaining('"no-such-event" does not match')])
  const path = `/content_blocks/${json.content_block.id}`
  expect((await call('PATCH', path, { event_slug: null })).json).not.toHaveProperty('warnings')
})

test('the Location of a block that was added to a newsletter shows that block', async () => {
  const call = client(app.base, key)
  const { json: block } = await ingest({ body: 'Text.' })
  const { json: made } = await call('POST', '/newsletters', { title: 'News' })
  const added = await call('POST', `/newsletters/${made.newsletter.id}/blocks`, {
    content_block_id: block.content_block.id,
  })
  const location = (added.headers.get('location') ?? '').replace('/api/v1', '')
  expect((await call('GET', location)).json).toEqual(added.json)
})

test('the last page that a list names exists, whatever the size of a page', () => {
  for (const perPage of [1, 3, 7, 30, 99, 100]) {
    const page = { items: [], counted: 10_001, hasMore: false }
    const { total_pages } = pageMeta(page, { page: 1, perPage }, () => '')
    expect(total_pages * perPage).toBeLessThanOrEqual(10_000)
  }
})
