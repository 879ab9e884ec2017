import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Team } from '../../../src/features/teams/index.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'

let app: TestApp
let team: Team
let call: ReturnType<typeof client>
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
// A key each, so that no test meets another's rate limit.
beforeEach(async () => {
  team = await app.team()
  call = client(app.base, await app.key(team, ['read', 'write']))
})

const ingest = (body: unknown, headers = {}) => call('POST', '/webhooks/ingest', body, headers)
const stored = async () => (await call('GET', '/content_blocks')).json.meta.total
const faults = (json: { fields: { pointer: string }[] }) =>
  json.fields.map(({ pointer }) => pointer)

describe('An ingested block', () => {
  test('an ingested block needs a title and a body and has defaults for all other fields', async () => {
    const reply = await ingest({ title: '  Release 2  ', body: 'Out now.', made_by: 'some tool' })
    expect(reply.status).toBe(201)
    expect(reply.json).toMatchObject({
      duplicate: false,
      warnings: [],
      content_block: {
        title: 'Release 2',
        body: 'Out now.',
        body_format: 'text',
        block_type: 'general',
        status: 'draft',
        source: 'webhook',
        event_slug: null,
        origin: null,
        api_key_name: 'test key',
        version: 1,
      },
    })
    const shown = await fetch(app.base + reply.headers.get('location'), {
      headers: { authorization: `Bearer ${await app.key(team, ['read'])}` },
    })
    expect(await shown.json()).toEqual({ content_block: reply.json.content_block })
  })

  test('an ingested block accepts every field, and null for fields that a tool has not mapped', async () => {
    const { json } = await ingest({
      title: 'Ada joins',
      body: '<p>Welcome</p>',
      block_type: 'new_starter',
      event_slug: 'spring-party',
      auto_ready: true,
      external_id: 'hr:7',
      source_url: 'https://hr.example/7',
      author: 'Grace',
      image_url: 'https://img.example/ada.png',
      publish_after: '2027-01-31T09:00:00+02:00',
    })
    expect(json.content_block).toMatchObject({
      block_type: 'new_starter',
      status: 'ready',
      body_format: 'html',
      event_slug: 'spring-party',
      image_url: 'https://img.example/ada.png',
      publish_after: '2027-01-31T07:00:00.000Z',
      origin: {
        provider: null,
        external_id: 'hr:7',
        url: 'https://hr.example/7',
        author: 'Grace',
      },
    })
    expect(json.warnings[0]).toContain('spring-party')
    const sparse = await ingest({
      title: 't',
      body: 'b',
      block_type: null,
      event_slug: null,
      auto_ready: null,
    })
    expect(sparse.json.content_block).toMatchObject({ block_type: 'general', status: 'draft' })
  })

  test('an ingested block cannot choose its id, team, source, version and times', async () => {
    const { json } = await ingest({
      title: 't',
      body: 'b',
      id: 'cb_mine',
      team_id: 'team_other',
      source: 'manual',
      status: 'used',
      version: 9,
      created_at: '2000-01-01T00:00:00Z',
      __proto__: { auto_ready: true },
    })
    expect(json.content_block).toMatchObject({ source: 'webhook', status: 'draft', version: 1 })
    expect(json.content_block.id).not.toBe('cb_mine')
    expect(json.content_block.created_at).toStartWith('20')
    expect(json.content_block.created_at).not.toStartWith('2000')
  })

  test('an ingested block of another team is neither shown nor listed', async () => {
    const { json } = await ingest({ title: 'Only ours', body: 'b' })
    const stranger = client(app.base, await app.key(await app.team(), ['read']))
    const foreign = await stranger('GET', `/content_blocks/${json.content_block.id}`)
    const missing = await stranger('GET', '/content_blocks/cb_00000000000000000000000000000000')
    expect(foreign.status).toBe(404)
    expect({ ...foreign.json, request_id: '' }).toEqual({ ...missing.json, request_id: '' })
    expect((await stranger('GET', '/content_blocks?q=ours')).json.content_blocks).toEqual([])
  })
})

describe('Ingest without duplicates', () => {
  test('two items with one external_id create one block', async () => {
    const first = await ingest({ title: 'One', body: 'b', external_id: 'x:1' })
    const again = await ingest({ title: 'One, again', body: 'b', external_id: 'x:1' })
    expect(again.status).toBe(200)
    expect(again.json).toMatchObject({ duplicate: true, content_block: first.json.content_block })
    const other = client(app.base, await app.key(team, ['write']))
    expect(
      (await other('POST', '/webhooks/ingest', { title: 'One', body: 'b', external_id: 'x:1' }))
        .status,
    ).toBe(201)
  })

  test('one Idempotency-Key gets the first response again, and 422 with another body', async () => {
    const key = { 'idempotency-key': 'delivery-1' }
    const first = await ingest({ title: 'Once', body: 'b' }, key)
    const again = await ingest({ title: 'Once', body: 'b' }, { 'x-idempotency-key': 'delivery-1' })
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(again.json).toEqual({ ...first.json, duplicate: true })
    const changed = await ingest({ title: 'Twice', body: 'b' }, key)
    expect(changed.json).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
    expect(
      (await ingest({ title: 't', body: 'b' }, { 'idempotency-key': 'two words' })).status,
    ).toBe(422)
    expect(await stored()).toBe(1)
  })

  test('twenty concurrent requests with one item over two processes create one block', async () => {
    const second = await startApp({ on: app })
    const key = await app.key(team, ['write'])
    const send = (base: string, headers: Record<string, string>, external_id?: string) =>
      client(base, key)(
        'POST',
        '/webhooks/ingest',
        { title: 'Race', body: 'b', external_id },
        headers,
      )
    const bases = Array.from({ length: 20 }, (_, at) => (at % 2 ? app.base : second.base))
    const byKey = await Promise.all(bases.map((base) => send(base, { 'idempotency-key': 'race' })))
    const byId = await Promise.all(bases.map((base) => send(base, {}, 'race')))
    for (const replies of [byKey, byId]) {
      expect(replies.filter(({ status }) => status === 201).length).toBe(1)
      expect(replies.filter(({ status }) => status === 200).length).toBe(19)
      expect(new Set(replies.map(({ json }) => json.content_block.id)).size).toBe(1)
    }
    expect(await stored()).toBe(2)
    await second.close()
  })

  test('concurrent requests that share a batch each get their own response', async () => {
    const key = client(app.base, await app.key(team, ['write']))
    const titles = Array.from({ length: 50 }, (_, n) => `Item ${n}`)
    const replies = await Promise.all(
      titles.map((title) => key('POST', '/webhooks/ingest', { title, body: 'b' })),
    )
    expect(replies.map(({ json }) => json.content_block.title)).toEqual(titles)
    expect(await stored()).toBe(50)
  })

  test('a dry run shows the block and stores nothing', async () => {
    const dry = await call('POST', '/webhooks/ingest?dry_run=true', {
      title: 'Would be',
      body: '<p onclick=x>b</p>',
    })
    expect(dry.status).toBe(200)
    expect(dry.json).toMatchObject({ duplicate: false, content_block: { body: '<p>b</p>' } })
    expect(await stored()).toBe(0)
  })
})

describe('Ingest of invalid requests', () => {
  test('an invalid item gets one response with all faults and the unknown names that were sent', async () => {
    const nothing = await ingest({ subject: 'x', content: 'y' })
    expect(nothing.json).toMatchObject({
      status: 422,
      code: 'validation_failed',
      errors: ['title is required', 'body is required'],
      fields: [
        { pointer: '/title', code: 'required', message: 'title is required' },
        { pointer: '/body', code: 'required', message: 'body is required' },
      ],
    })
    expect(nothing.json.error).toBe(nothing.json.detail)
    expect(nothing.json.detail).toContain('subject, content')
    const many = await ingest({
      title: 'one\ntwo',
      body: '  ',
      block_type: 'news',
      event_slug: 'Not A Slug',
      auto_ready: 'true',
      source_url: 'javascript:alert(1)',
      publish_after: 'tomorrow',
    })
    expect(faults(many.json)).toEqual([
      '/title',
      '/body',
      '/block_type',
      '/event_slug',
      '/auto_ready',
      '/source_url',
      '/publish_after',
    ])
    expect(many.json.detail).toContain('general, ceo_update')
    expect(await stored()).toBe(0)
  })

  test('a title has at most 255 characters and a body at most 64 KiB', async () => {
    expect((await ingest({ title: '🎉'.repeat(255), body: 'é'.repeat(32 * 1024) })).status).toBe(
      201,
    )
    const over = await ingest({ title: '🎉'.repeat(256), body: `é${'é'.repeat(32 * 1024)}` })
    expect(faults(over.json)).toEqual(['/title', '/body'])
  })

  test.each([
    ['NUL in the title', '{"title":"a\\u0000b","body":"b"}', 422],
    ['NUL in the body', '{"title":"a","body":"b\\u0000"}', 422],
    ['a lone surrogate', '{"title":"\\ud800","body":"b"}', 422],
    ['a CRLF in the title', '{"title":"Hi\\r\\nBcc: v@evil.example","body":"b"}', 422],
    ['a line separator in the title', '{"title":"Hi\\u2028there","body":"b"}', 422],
    ['no JSON', '{"title":', 400],
    ['an array', '[]', 422],
    ['a string', '"title"', 422],
    ['10,000 levels', '['.repeat(10_000), 400],
    ['33 levels', `{"title":"t","body":"b","x":${'['.repeat(32)}${']'.repeat(32)}}`, 400],
    ['1 MiB', `{"title":"t","body":"${'x'.repeat(1024 * 1024)}"}`, 413],
    ['an object as title', '{"title":{"a":1},"body":"b"}', 422],
    ['an empty body', '', 422],
  ])('ingest of %s gets an error with the right status', async (_, body, status) => {
    const reply = await ingest(body)
    expect(reply.status).toBe(status)
    expect(reply.json.request_id).toBe(reply.headers.get('x-request-id'))
    expect(await stored()).toBe(0)
  })

  test('ingest refuses bytes that are not UTF-8, other content types and compressed bodies', async () => {
    const url = `${app.base}/api/v1/webhooks/ingest`
    const authorization = `Bearer ${await app.key(team, ['write'])}`
    const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
      fetch(url, { method: 'POST', body, headers: { authorization, ...headers } })
    const json = { 'content-type': 'application/json' }
    const good = JSON.stringify({ title: 't', body: 'b' })
    const badBytes = Buffer.from('{"title":"\xff","body":"b"}', 'latin1')
    expect((await send(badBytes, json)).status).toBe(400)
    expect((await send(good, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await send(good, { 'content-type': 'application/jsonx' })).status).toBe(415)
    expect((await send(good, { 'content-type': 'application/json; charset=utf-16' })).status).toBe(
      415,
    )
    expect((await send(Bun.gzipSync(good), { ...json, 'content-encoding': 'gzip' })).status).toBe(
      415,
    )
    expect((await send(good, { 'content-type': 'Application/JSON; charset=UTF-8' })).status).toBe(
      201,
    )
  })

  test('a body that is too large is refused before it is read', async () => {
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
    })
    const before = process.memoryUsage.rss()
    const reply = await fetch(`${app.base}/api/v1/webhooks/ingest`, {
      method: 'POST',
      body: endless,
      headers: {
        authorization: `Bearer ${await app.key(team, ['write'])}`,
        'content-type': 'application/json',
      },
    })
    expect(reply.status).toBe(413)
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024)
  })

  test('ingest keeps the last of two values with one name and treats __proto__ as an unknown field', async () => {
    const twice = await ingest('{"title":"first","title":"second","body":"b"}')
    expect(twice.json.content_block.title).toBe('second')
    const polluted = await ingest(
      '{"title":"t","body":"b","__proto__":{"auto_ready":true},"constructor":{"prototype":{"x":1}}}',
    )
    expect(polluted.json.content_block.status).toBe('draft')
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  test('no line of the log contains a line that a client wrote', async () => {
    await ingest({ title: 'x\n{"level":"error","msg":"forged"}', body: 'canary-in-the-body' })
    for (const line of app.logLines) {
      expect(line).not.toContain('canary-in-the-body')
      expect(line).not.toContain('forged')
      expect(line.trim()).not.toContain('\n')
      JSON.parse(line)
    }
  })
})

describe('HTML in ingested items', () => {
  test.each([
    ['<p>Hi<script>alert(1)</script></p>', '<p>Hi</p>'],
    ['<img src=x onerror=alert(1)><b>b</b>', '<b>b</b>'],
    ['<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="JaVa\tScRiPt:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="data:text/html,x">a</a>', '<a>a</a>'],
    ['<iframe src=https://evil.example></iframe><p>p</p>', '<p>p</p>'],
    ['<style>*{display:none}</style><p style="position:fixed">p</p>', '<p>p</p>'],
    ['<form action=/x><input name=a><p>p</p></form>', '<p>p</p>'],
    ['<svg><script>alert(1)</script></svg><p>p</p>', '<p>p</p>'],
    ['<xss onmouseover=alert(1)>p</xss>', 'p'],
    ['<p>unclosed <b>bold', '<p>unclosed <b>bold</b></p>'],
    ['<base href=//evil.example><meta http-equiv=refresh content=0><p>p</p>', '<p>p</p>'],
  ])('the ingested HTML %s is sanitized before it is stored', async (body, cleaned) => {
    const { json } = await ingest({ title: 't', body })
    expect(json.content_block).toMatchObject({ body: cleaned, body_format: 'html' })
  })

  test('ingested HTML of which sanitizing leaves nothing gets 422', async () => {
    const { json } = await ingest({ title: 't', body: '<script>alert(1)</script>' })
    expect(json.fields).toEqual([
      { pointer: '/body', code: 'empty', message: expect.stringContaining('no content left') },
    ])
  })

  test.each([
    'Map<String, T> is generic',
    'mail <ada@example.com>',
    'a < b && c > d',
    '{{1337*1337}} <%= y %>',
  ])('the ingested text %s is not HTML and is stored unchanged', async (body) => {
    const { json } = await ingest({ title: 't', body })
    expect(json.content_block).toMatchObject({ body, body_format: 'text' })
  })

  test('HTML in the title of an ingested item is text', async () => {
    const { json } = await ingest({ title: '<script>alert(1)</script>', body: 'b' })
    expect(json.content_block.title).toBe('<script>alert(1)</script>')
  })

  test('HTML that is deeply nested or endless is stored or refused', async () => {
    const hostile = [
      '<div>'.repeat(13_000),
      `<a${'/'.repeat(65_000)}`,
      '<'.repeat(65_000),
      `<${'a '.repeat(32_000)}`,
    ]
    for (const body of hostile)
      expect((await ingest({ title: 't', body })).status).toBeOneOf([201, 422])
  })
})
