import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Team } from '../../../src/features/teams/index.ts'
import { createSsrfFetch } from '../../../src/lib/outbound/ssrf-fetch.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { canary, notImages, polyglots, tinyImage } from '../../support/hostile/hostile-images.ts'

let app: TestApp
let source: Bun.Server<undefined>
let image: Buffer
let requests: string[]

beforeAll(async () => {
  app = await startApp({ baseUrl: 'https://news.acme.test' })
  image = await tinyImage('#0a84ff')
  requests = []
  source = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname } = new URL(request.url)
      requests.push(pathname)
      if (pathname === '/redirect') return Response.redirect('/image.png')
      if (pathname === '/huge') return new Response(Buffer.alloc(6 * 1024 * 1024))
      if (pathname === '/svg') return new Response('<svg xmlns="http://www.w3.org/2000/svg"/>')
      if (pathname === '/image.png') return new Response(new Uint8Array(image))
      return new Response('gone', { status: 404 })
    },
  })
})
afterAll(async () => {
  await source.stop(true)
  await app.close()
})

const dataUri = (file: Buffer) => `data:image/png;base64,${file.toString('base64')}`
const at = (path: string) => `http://127.0.0.1:${source.port}${path}`
const item = { title: 'Summer party', body: 'On the roof.' }

async function ingester() {
  const team = await app.team()
  const key = await app.key(team, ['read', 'write'])
  const call = client(app.base, key)
  return {
    team,
    key,
    call,
    ingest: (more: object, headers = {}) =>
      call('POST', '/webhooks/ingest', { ...item, ...more }, headers),
  }
}

/** How often an image was stored for a team, by its audit log. */
const uploadsOf = async ({ id }: Team) =>
  (await app.sql`select 1 from audit_log where team_id = ${id} and action = 'image_uploaded'`)
    .length

const ours = expect.stringMatching(/^https:\/\/news\.acme\.test\/media\/[0-9a-f]{64}\.(?:png|jpg)$/)

describe('images of ingested items', () => {
  test('an image is stored from a data URI and from an address, with its text', async () => {
    const { ingest } = await ingester()
    for (const from of [dataUri(image), at('/image.png')]) {
      const { status, json } = await ingest({ image: from, image_alt: 'A blue square' })
      expect([status, json.warnings]).toEqual([201, []])
      const { image_url, image_alt } = json.content_block
      expect([image_url, image_alt]).toEqual([ours, 'A blue square'])
      const { pathname } = new URL(image_url)
      expect((await fetch(app.base + pathname)).headers.get('content-type')).toBe('image/png')
    }
  })

  test('an uploaded image is used by its address without a request, and only by its team', async () => {
    const { ingest, call } = await ingester()
    const { json: uploaded } = await call('POST', '/images', { image: dataUri(image) })
    const { url } = uploaded.image
    const { json } = await ingest({ image: url })
    expect([json.warnings, json.content_block.image_url]).toEqual([[], url])
    const other = await (await ingester()).ingest({ image: url })
    expect(other.json.content_block.image_url).toBe(null)
  })

  test.each([
    ['/none', 'image was left out. 127.0.0.1 responded with 404.'],
    ['/redirect', 'redirect'],
    ['/huge', 'too large'],
    ['/svg', 'must be a complete JPEG'],
  ])('a block is stored without the image of %s, and the response says why', async (path, why) => {
    const { ingest, call } = await ingester()
    const { status, json } = await ingest({ image: at(path) })
    expect([status, json.content_block.image_url]).toEqual([201, null])
    expect(json.warnings.join(' ')).toContain(why)
    expect((await call('GET', '/content_blocks')).json.meta.total).toBe(1)
  })

  test('a private address is never called, and the block is stored', async () => {
    const { ingest } = await ingester()
    for (const host of ['169.254.169.254', '10.0.0.1', '[::1]', 'localhost']) {
      const { status, json } = await ingest({ image: `https://${host}/image.png` })
      expect(status).toBe(201)
      expect(json.warnings[0]).toStartWith('image was left out. ')
      expect(json.warnings[0]).not.toContain('image.png')
    }
  })

  test('a name that resolves to a private address after the check is not called there', async () => {
    const replies = [['93.184.215.14'], ['127.0.0.1']]
    const reached: string[] = []
    const guarded = createSsrfFetch({
      allowPrivate: [],
      resolve: async () => replies.shift() ?? [],
      fetch: Object.assign(
        async (url: unknown) => {
          reached.push(new URL(String(url)).hostname)
          return new Response(new Uint8Array(image))
        },
        { preconnect: () => undefined },
      ),
    })
    const before = app.images.fetch
    app.images.fetch = guarded
    const { ingest } = await ingester()
    const { json } = await ingest({ image: 'https://rebinding.example/image.png' })
    app.images.fetch = before
    expect(json.content_block.image_url).toEqual(ours)
    expect(reached).toEqual(['93.184.215.14'])
  })

  test('a server that does not respond in time costs the image, not the block', async () => {
    const before = app.images.fetch
    app.images.fetch = async () => {
      throw new DOMException('The operation timed out.', 'TimeoutError')
    }
    const { ingest } = await ingester()
    const { status, json } = await ingest({ image: 'https://slow.example/image.png' })
    app.images.fetch = before
    expect([status, json.content_block.image_url]).toEqual([201, null])
    expect(json.warnings[0]).toContain('timed out')
  })

  test('a storage that fails costs the image, not the block', async () => {
    const { write } = app.images.storage
    app.images.storage.write = async () => {
      throw new Error('ENOSPC')
    }
    const { ingest } = await ingester()
    const { status, json } = await ingest({ image: dataUri(image) })
    app.images.storage.write = write
    expect(status).toBe(201)
    expect(json.warnings).toEqual(['image was left out. The image could not be stored.'])
  })

  test('the same item again is not fetched again and keeps its first image and warnings', async () => {
    const { ingest } = await ingester()
    const once = { image: at('/image.png'), external_id: 'party' }
    const first = await ingest(once)
    const before = requests.length
    const second = await ingest(once)
    expect(requests.length).toBe(before)
    expect([second.status, second.json.content_block]).toEqual([200, first.json.content_block])
    const failing = { image: at('/none') }
    const replies = [
      await ingest(failing, { 'idempotency-key': 'k' }),
      await ingest(failing, { 'idempotency-key': 'k' }),
    ]
    expect(replies.map(({ json }) => json.warnings.length)).toEqual([1, 1])
  })

  test('a repetition with the Idempotency-Key neither fetches nor stores the image again, also with another body', async () => {
    const { ingest, team } = await ingester()
    const key = { 'idempotency-key': 'party' }
    const first = await ingest({ image: at('/image.png') }, key)
    const before = requests.length
    const second = await ingest({ image: at('/image.png') }, key)
    expect([second.status, second.json]).toEqual([200, { ...first.json, duplicate: true }])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    const other = await ingest({ image: dataUri(await tinyImage('#34c759')) }, key)
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused'])
    expect(requests.length).toBe(before)
    expect(await uploadsOf(team)).toBe(1)
  })

  test('an image is not stored when its key is revoked while it is fetched', async () => {
    const { ingest, team, key } = await ingester()
    const before = app.images.fetch
    app.images.fetch = async () => {
      await app.sql`update api_keys set revoked_at = now() where prefix = ${key.slice(0, 14)}`
      return new Response(new Uint8Array(image))
    }
    const { status, json } = await ingest({ image: 'https://slow.example/image.png' })
    app.images.fetch = before
    expect([status, json.code]).toEqual([401, 'revoked_key'])
    expect(await uploadsOf(team)).toBe(0)
    expect(await app.sql`select 1 from images where team_id = ${team.id}`).toHaveLength(0)
  })

  test('a dry run fetches and stores no image', async () => {
    const { call } = await ingester()
    const before = requests.length
    const body = { ...item, image: at('/image.png') }
    const { status, json } = await call('POST', '/webhooks/ingest?dry_run=true', body)
    expect([status, json.content_block.image_url]).toEqual([200, null])
    expect(requests.length).toBe(before)
  })

  test('an image that is not an image source is left out with a warning, also in a dry run', async () => {
    const { ingest, call } = await ingester()
    const wrong = [
      'ftp://acme.test/x',
      'data:image/png,x',
      'javascript:alert(1)',
      7,
      [],
      'photo.png',
    ]
    for (const image of wrong) {
      const { status, json } = await ingest({ image })
      expect([status, json.content_block.image_url]).toEqual([201, null])
      expect(json.warnings).toEqual([
        'image was left out. It must be an https address, or a data URI in base64.',
      ])
      const dry = await call('POST', '/webhooks/ingest?dry_run=true', { ...item, image })
      expect(dry.json.warnings).toEqual(json.warnings)
    }
    expect((await call('GET', '/content_blocks')).json.meta.total).toBe(wrong.length)
  })

  test('hostile files as data URIs become images or are left out', async () => {
    const { ingest } = await ingester()
    for (const [name, file] of await polyglots()) {
      const { json } = await ingest({ image: dataUri(file) })
      const { pathname } = new URL(json.content_block.image_url)
      const text = Buffer.from(await (await fetch(app.base + pathname)).bytes()).toString('latin1')
      expect([name, text.includes(canary)]).toEqual([name, false])
    }
    for (const [name, file] of await notImages()) {
      const { status, json } = await ingest({ image: dataUri(file) })
      expect([name, status, json.warnings.length]).toEqual([name, 201, 1])
    }
  })
})

describe('The size of an item with an image', () => {
  test('an image of several MiB is accepted as data URI', async () => {
    const { ingest } = await ingester()
    const padded = Buffer.concat([image, Buffer.alloc(3 * 1024 * 1024)])
    const { status, json } = await ingest({ image: dataUri(padded) })
    expect([status, json.content_block.image_url]).toEqual([201, ours])
  })

  test('a body over 256 KiB beside its image, or over the limit of images, gets 413', async () => {
    const { ingest } = await ingester()
    const large = 'x'.repeat(300 * 1024)
    expect((await ingest({ body: large, image: dataUri(image) })).status).toBe(413)
    expect((await ingest({ image: dataUri(image), body: large })).status).toBe(413)
    const tooLarge = Buffer.alloc(11 * 1024 * 1024)
    expect((await ingest({ image: dataUri(tooLarge) })).status).toBe(413)
  })
})

test('bulk items take images as data URIs, and an address is left out with a warning', async () => {
  const { call } = await ingester()
  const before = requests.length
  const { json } = await call('POST', '/webhooks/ingest/bulk', {
    items: [
      { ...item, image: dataUri(image), image_alt: 'A blue square' },
      { ...item, image: at('/image.png') },
      { ...item, image: 'ftp://acme.test/x' },
    ],
  })
  const [stored, address, wrong] = json.results
  expect(stored.content_block).toMatchObject({ image_url: ours, image_alt: 'A blue square' })
  expect([address.status, address.content_block.image_url]).toEqual([201, null])
  expect(address.warnings[0]).toContain('data URIs only')
  expect([wrong.status, wrong.content_block.image_url]).toEqual([201, null])
  expect(wrong.warnings[0]).toContain('must be an https address')
  expect(requests.length).toBe(before)
})

test('bulk items that are sent again under their keys store no image again', async () => {
  const { call, team } = await ingester()
  const [blue, green] = [dataUri(image), dataUri(await tinyImage('#34c759'))]
  const send = async (first: string, second: string) => {
    const items = [
      { ...item, image: first, idempotency_key: 'one' },
      { ...item, image: second, idempotency_key: 'two' },
    ]
    const { json } = await call('POST', '/webhooks/ingest/bulk', { items })
    return json.results.map(({ status }: { status: number }) => status)
  }
  expect(await send(blue, blue)).toEqual([201, 201])
  expect(await uploadsOf(team)).toBe(2)
  expect(await send(blue, green)).toEqual([200, 422])
  expect(await uploadsOf(team)).toBe(2)
})

test('of bulk items with one idempotency_key or one external_id, only the image of the one that becomes the block is stored', async () => {
  const { call, team } = await ingester()
  const [blue, green] = [dataUri(image), dataUri(await tinyImage('#34c759'))]
  const items = [
    { ...item, image: blue, idempotency_key: 'one' },
    { ...item, image: green, idempotency_key: 'one' },
    { ...item, image: blue, idempotency_key: 'one' },
    { ...item, image: green, external_id: 'party' },
    { ...item, image: blue, external_id: 'party' },
    { ...item, image: blue, external_id: 'party', idempotency_key: 'two' },
  ]
  const { json } = await call('POST', '/webhooks/ingest/bulk', { items })
  const statuses = json.results.map(({ status }: { status: number }) => status)
  expect(statuses).toEqual([201, 422, 200, 201, 200, 200])
  expect(json.results[1].problem.code).toBe('idempotency_key_reused')
  const [first, , again, party, ...others] = json.results.map(
    (one: { content_block?: object }) => one.content_block,
  )
  expect(first.image_url).toEqual(ours)
  expect(again).toEqual(first)
  expect(party.image_url).toEqual(ours)
  expect(party.image_url).not.toBe(first.image_url)
  expect(others).toEqual([party, party])
  expect(await uploadsOf(team)).toBe(2)
})

test('a bulk item keeps its image when an earlier one with its external_id is refused', async () => {
  const { team } = await ingester()
  const limited = client(app.base, await app.key(team, ['write'], { allow_auto_ready: false }))
  const items = [
    { ...item, auto_ready: true, external_id: 'party' },
    { ...item, image: dataUri(image), external_id: 'party' },
  ]
  const { json } = await limited('POST', '/webhooks/ingest/bulk', { items })
  const [refused, stored] = json.results
  expect([refused.status, stored.status]).toEqual([403, 201])
  expect(stored.content_block.image_url).toEqual(ours)
})
