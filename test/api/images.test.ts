import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import * as v from 'valibot'
import { ImageResponse } from '../../src/api/v1/images.ts'
import type { Images } from '../../src/features/images/index.ts'
import { client, startApp, type TestApp } from '../support/app.ts'
import {
  animation,
  canary,
  cmyk,
  hostileFiles,
  largePhoto,
  notImages,
  photo,
  photoWithGps,
  polyglots,
} from '../support/hostile/hostile-images.ts'

let app: TestApp
let source: Bun.Server<undefined>
let files: Record<string, Buffer>
/** The paths that the service has fetched. */
const fetched: string[] = []

beforeAll(async () => {
  app = await startApp({ baseUrl: 'https://news.acme.test' })
  files = { '/photo.jpg': await photo() }
  source = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      fetched.push(pathname)
      const file = files[pathname]
      return file ? new Response(new Uint8Array(file)) : new Response('gone', { status: 404 })
    },
  })
})
afterAll(async () => {
  await source.stop(true)
  await app.close()
})

const countOf = (path: string) => fetched.filter((other) => other === path).length

const distantImage = { image: 'https://acme.test/roof.jpg' }

/** Runs `work` while `fetch` responds in place of a server, without the limit of time that a server has. */
async function whileFetching<T>(fetch: Images['fetch'], work: () => Promise<T>): Promise<T> {
  const before = app.images.fetch
  app.images.fetch = fetch
  try {
    return await work()
  } finally {
    app.images.fetch = before
  }
}

const dataUri = (file: Buffer) => `data:image/jpeg;base64,${file.toString('base64')}`

async function uploader() {
  const team = await app.team()
  const key = await app.key(team, ['write', 'read'])
  const call = client(app.base, key)
  return {
    team,
    key,
    call,
    upload: (file: Buffer, more = {}) => call('POST', '/images', { image: dataUri(file), ...more }),
  }
}

/** The image behind an address, as a browser gets it from this very app. */
const get = (url: string, init?: RequestInit) => fetch(app.base + new URL(url).pathname, init)

/** The decoded file, without checks of our own. */
async function decoded(url: string) {
  const bytes = await (await get(url)).bytes()
  return {
    bytes,
    metadata: await sharp(bytes).metadata(),
    text: Buffer.from(bytes).toString('latin1'),
  }
}

describe('POST /images', () => {
  test('POST /images stores a photo at most 1200 pixels wide and returns its address on BASE_URL', async () => {
    const { upload } = await uploader()
    const { status, json, headers } = await upload(await largePhoto(), {
      alt: 'Our new office',
    })
    expect(status).toBe(201)
    expect(json.image).toMatchObject({ type: 'image/jpeg', width: 1200, height: 750 })
    expect(json.image).toMatchObject({ alt: 'Our new office', focal_x: 0.5, focal_y: 0.5 })
    expect(json.image.url).toMatch(/^https:\/\/news\.acme\.test\/media\/[0-9a-f]{64}\.jpg$/)
    expect(headers.get('location')).toBe(json.image.url)
    const { metadata, bytes } = await decoded(json.image.url)
    expect([metadata.width, metadata.height, bytes.length]).toEqual([1200, 750, json.image.bytes])
  })

  test('POST /images accepts an image as JSON, as a form, as a raw body and from an address', async () => {
    const { key, call } = await uploader()
    const file = await photo()
    files['/same.jpg'] = file
    const form = new FormData()
    form.set('image', new File([new Uint8Array(file)], 'office.svg', { type: 'image/svg+xml' }))
    form.set('alt', 'From a form')
    form.set('focal_x', '0.25')
    const send = async (path: string, body: FormData | Uint8Array<ArrayBuffer>, headers = {}) => {
      const authorization = `Bearer ${key}`
      const init = { method: 'POST', headers: { authorization, ...headers }, body }
      const response = await fetch(`${app.base}/api/v1/images${path}`, init)
      return v.parse(ImageResponse, await response.json())
    }
    const fromForm = await send('', form)
    const fromBytes = await send('?alt=A%20raw%20body', new Uint8Array(file), {
      'content-type': 'image/jpeg',
    })
    const fromJson = (await call('POST', '/images', { image: dataUri(file) })).json
    const address = `http://127.0.0.1:${source.port}/same.jpg`
    const fetched = (await call('POST', '/images', { image: address })).json
    const ids = [fromForm, fromBytes, fromJson, fetched].map(({ image }) => image.id)
    expect(new Set(ids).size).toBe(1)
    expect(fromForm.image).toMatchObject({ alt: 'From a form', focal_x: 0.25 })
    expect(fetched.image).toMatchObject({ alt: 'From a form', focal_x: 0.25 })
    expect(fromBytes.warnings).toEqual([expect.stringContaining('keeps its alt')])
    expect(fetched).not.toHaveProperty('warnings')
  })

  test('POST /images names the types of an upload when the body has another one', async () => {
    const { call } = await uploader()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'video/mp4']) {
      const { status, json } = await call('POST', '/images', 'x', { 'content-type': type })
      expect([status, json.code]).toEqual([415, 'unsupported_media_type'])
      for (const name of ['multipart/form-data', 'image/*', 'JSON']) {
        expect(json.detail).toContain(name)
      }
    }
  })

  test('POST /images names the fields that are wrong', async () => {
    const { call } = await uploader()
    const wrong = { image: 'ftp://acme.test/x.png', alt: 'two\nlines', focal_x: 2, name: 'x' }
    const { status, json } = await call('POST', '/images', wrong)
    expect(status).toBe(422)
    const pointers = json.fields.map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers.toSorted()).toEqual(['/alt', '/focal_x', '/image', '/name'])
    expect((await call('POST', '/images', {})).json.fields[0].pointer).toBe('/image')
  })

  test('POST /images takes an empty text and spaces in its fields for the defaults', async () => {
    const { upload, key } = await uploader()
    const defaults = { alt: null, focal_x: 0.5, focal_y: 0.5 }
    const { json } = await upload(await photo(), { alt: ' ', focal_x: '', focal_y: ' ' })
    expect(json.image).toMatchObject(defaults)
    const query = '?alt=%20&focal_x=%20&focal_y='
    const raw = await fetch(`${app.base}/api/v1/images${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'image/png' },
      body: new Uint8Array(await animation()),
    })
    expect(v.parse(ImageResponse, await raw.json()).image).toMatchObject(defaults)
  })

  test('POST /images refuses files over 10 MiB and bodies that could not contain one', async () => {
    const { call, key } = await uploader()
    const large = Buffer.alloc(10 * 1024 * 1024 + 1)
    expect((await call('POST', '/images', { image: dataUri(large) })).status).toBe(422)
    const response = await fetch(`${app.base}/api/v1/images`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'image/png' },
      body: new Uint8Array(15 * 1024 * 1024),
    })
    expect(response.status).toBe(413)
  })

  test('POST /images says which host did not respond with an image, and never connects to the private network', async () => {
    const { call } = await uploader()
    const gone = await call('POST', '/images', { image: `http://127.0.0.1:${source.port}/none` })
    expect(gone.status).toBe(422)
    expect(gone.json.detail).toContain('127.0.0.1 responded with 404')
    const internal = await call('POST', '/images', { image: 'https://169.254.169.254/latest' })
    expect(internal.json.detail).toContain('its address is not public')
  })

  test('POST /images responds to one Idempotency-Key with one image', async () => {
    const { call } = await uploader()
    const body = { image: dataUri(await photo()) }
    const first = await call('POST', '/images', body, { 'idempotency-key': 'one' })
    const second = await call('POST', '/images', body, { 'idempotency-key': 'one' })
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.json).toEqual(first.json)
  })

  test('POST /images fetches an address once for one Idempotency-Key, also when nothing is there any more', async () => {
    const { call } = await uploader()
    files['/short-lived.jpg'] = await photo()
    const body = { image: `http://127.0.0.1:${source.port}/short-lived.jpg` }
    const key = { 'idempotency-key': 'short-lived' }
    const first = await call('POST', '/images', body, key)
    expect(first.status).toBe(201)
    delete files['/short-lived.jpg']
    const second = await call('POST', '/images', body, key)
    expect([second.status, second.json]).toEqual([201, first.json])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect(countOf('/short-lived.jpg')).toBe(1)
    const other = await call('POST', '/images', { ...body, alt: 'Another' }, key)
    expect(other.json.code).toBe('idempotency_key_reused')
  })

  test('POST /images fetches an address once for two simultaneous requests with one Idempotency-Key, of which the second one gets request_in_progress', async () => {
    const { call } = await uploader()
    const file = await photo()
    const [released, fetchedOnce, fetchedTwice] = [1, 2, 3].map(() => Promise.withResolvers<void>())
    let fetches = 0
    const send = () => call('POST', '/images', distantImage, { 'idempotency-key': 'slow' })
    await whileFetching(
      async () => {
        fetches++
        ;(fetches === 1 ? fetchedOnce : fetchedTwice)?.resolve()
        await released?.promise
        return new Response(new Uint8Array(file))
      },
      async () => {
        const first = send()
        await fetchedOnce?.promise
        const settled = await Promise.race([send(), fetchedTwice?.promise])
        released?.resolve()
        expect(settled).toMatchObject({ status: 409, json: { code: 'request_in_progress' } })
        const { status, json } = await first
        expect([status, fetches]).toEqual([201, 1])
        const third = await send()
        expect(third.headers.get('idempotent-replayed')).toBe('true')
        expect(third.json).toEqual(json)
      },
    )
  })

  test('POST /images stores one image for two requests with one Idempotency-Key, of which the first one takes longer than its lock', async () => {
    const { call, team } = await uploader()
    const [released, fetchedTwice] = [1, 2].map(() => Promise.withResolvers<void>())
    const files = [await photo(), await photo()]
    const sent: ReturnType<typeof call>[] = []
    const send = () => {
      sent.push(call('POST', '/images', distantImage, { 'idempotency-key': 'expired' }))
    }
    await whileFetching(
      async () => {
        const file = files.shift()
        if (files.length > 0) {
          await app.sql`
            update idempotency_locks set locked_until = clock_timestamp() - interval '1 second'
            where key = 'expired'`
          send()
          await fetchedTwice?.promise
        } else {
          fetchedTwice?.resolve()
          await released?.promise
        }
        return new Response(file && new Uint8Array(file))
      },
      async () => {
        send()
        expect(await sent[0]).toMatchObject({ status: 409, json: { code: 'request_in_progress' } })
        released?.resolve()
        const second = await sent[1]
        expect(second?.status).toBe(201)
        send()
        expect((await sent[2])?.json).toEqual(second?.json)
        expect(await app.sql`select 1 from images where team_id = ${team.id}`).toHaveLength(1)
      },
    )
  })

  test('POST /images fetches an address again for the Idempotency-Key of a request during which the database failed', async () => {
    const { call } = await uploader()
    const file = await photo()
    const send = () => call('POST', '/images', distantImage, { 'idempotency-key': 'again' })
    const respond = async () => new Response(new Uint8Array(file))
    try {
      const failed = async () => {
        await app.sql`alter table images rename to other_images`
        return await respond()
      }
      expect((await whileFetching(failed, send)).status).toBe(500)
    } finally {
      await app.sql`alter table if exists other_images rename to images`
    }
    expect((await whileFetching(respond, send)).status).toBe(201)
  })

  test('POST /images responds to one Idempotency-Key with one image as a form, whose boundary is another one in each request', async () => {
    const { key } = await uploader()
    const file = await photo()
    const send = async (alt: string, image: Buffer, idempotencyKey = 'form') => {
      const form = new FormData()
      form.set('alt', alt)
      form.set('image', new File([new Uint8Array(image)], 'office.jpg', { type: 'image/jpeg' }))
      const headers = { authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey }
      const response = await fetch(`${app.base}/api/v1/images`, {
        method: 'POST',
        headers,
        body: form,
      })
      const replayed = response.headers.get('idempotent-replayed')
      return { status: response.status, json: await response.json(), replayed }
    }
    const first = await send('Our office', file)
    expect(first).toMatchObject({ status: 201, replayed: null })
    expect(await send('Our office', file)).toEqual({ ...first, replayed: 'true' })
    for (const other of [await send('Our roof', file), await send('Our office', await photo())]) {
      expect(other).toMatchObject({ status: 422, json: { code: 'idempotency_key_reused' } })
    }
  })

  test('POST /images takes the fields in the query for a part of the body of a file with an Idempotency-Key', async () => {
    const { key } = await uploader()
    const body = new Uint8Array(await photo())
    const send = async (query: string) => {
      const headers = { 'content-type': 'image/jpeg', 'idempotency-key': 'file' }
      const response = await fetch(`${app.base}/api/v1/images?api_key=${key}${query}`, {
        method: 'POST',
        headers,
        body,
      })
      return { status: response.status, json: await response.json() }
    }
    const first = await send('&alt=Our%20office&focal_x=0.25')
    expect(first.status).toBe(201)
    expect(await send('&focal_x=0.25&alt=Our%20office')).toEqual(first)
    for (const query of ['&alt=Our%20roof&focal_x=0.25', '']) {
      expect((await send(query)).json).toMatchObject({ code: 'idempotency_key_reused' })
    }
  })

  test('POST /images gives each team its own row of the same image', async () => {
    const [one, other] = [await uploader(), await uploader()]
    const file = await photo()
    const first = (await one.upload(file, { alt: 'Of one team' })).json.image
    const second = (await other.upload(file)).json.image
    expect(second.url).toBe(first.url)
    expect(second.alt).toBeNull()
    expect(second.id).not.toBe(first.id)
  })
})

describe('A stored image', () => {
  test('a stored image has no metadata, no place and no camera, and is upright', async () => {
    const { upload } = await uploader()
    const file = await photoWithGps()
    expect(file.toString('latin1')).toContain('CanaryCamera')
    const { image } = (await upload(file)).json
    const { metadata, text } = await decoded(image.url)
    expect(metadata.width).toBe(100)
    expect([metadata.exif, metadata.icc, metadata.xmp, metadata.iptc]).toEqual(
      Array(4).fill(undefined),
    )
    expect(text).not.toContain('Canary')
  })

  test('a stored animation is its first frame as PNG', async () => {
    const { upload } = await uploader()
    const { image } = (await upload(await animation())).json
    expect(image).toMatchObject({ type: 'image/png', width: 40, height: 30 })
    const { data } = await sharp((await decoded(image.url)).bytes)
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([data[0], data[2]]).toEqual([255, 0])
  })

  test('a stored image is in sRGB when it was in CMYK', async () => {
    const { upload } = await uploader()
    const { image } = (await upload(await cmyk())).json
    expect((await decoded(image.url)).metadata).toMatchObject({ space: 'srgb', channels: 3 })
  })

  test('a stored image keeps transparency as PNG, and is never WebP or AVIF', async () => {
    const { upload } = await uploader()
    const background = { r: 200, g: 0, b: 0, alpha: 0.5 }
    const transparent = sharp({ create: { width: 90, height: 60, channels: 4, background } })
    for (const file of [
      transparent.clone().webp(),
      transparent.clone().png(),
      transparent.clone().avif(),
    ]) {
      const { image } = (await upload(await file.toBuffer())).json
      expect(image.type).toBe('image/png')
      expect((await decoded(image.url)).metadata).toMatchObject({ format: 'png', hasAlpha: true })
    }
  })

  test('a stored image contains nothing of the other file that a polyglot also is', async () => {
    const { upload } = await uploader()
    for (const [name, file] of await polyglots()) {
      const { status, json } = await upload(file)
      expect([name, status]).toEqual([name, 201])
      const { text, metadata } = await decoded(json.image.url)
      expect([name, ['jpeg', 'png'].includes(metadata.format)]).toEqual([name, true])
      expect(text).not.toContain(canary)
    }
  })
})

test('files that are not images, are incomplete or are too large once decoded are refused and not stored', async () => {
  const { upload, team } = await uploader()
  for (const [name, file] of await notImages()) {
    const { status, json } = await upload(file)
    expect([name, status, json.fields[0].pointer]).toEqual([name, 422, '/image'])
    expect(json.detail).not.toMatch(/vips|buffer|\/work|node_modules/i)
  }
  expect(await app.sql`select 1 from images where team_id = ${team.id}`).toHaveLength(0)
})

test('of two hundred hostile files none is served as anything but an image', async () => {
  const files = await hostileFiles()
  expect(files.length).toBeGreaterThanOrEqual(200)
  let upload = (await uploader()).upload
  const unexpected: unknown[] = []
  for (const [index, [name, file]] of files.entries()) {
    // A key has 60 requests a minute.
    if (index % 50 === 49) upload = (await uploader()).upload
    const { status, json } = await upload(file)
    if (status === 422) continue
    const response = await get(json.image.url)
    const bytes = await response.bytes()
    const { format, exif } = await sharp(bytes).metadata()
    const type = response.headers.get('content-type')
    const isHarmless = type === `image/${format}` && !exif && !Buffer.from(bytes).includes(canary)
    if (status !== 201 || !isHarmless) unexpected.push({ name, status, type, format })
  }
  expect(unexpected).toEqual([])
})

// The types that hostile files claim to have.
const claims = ['image/png', 'image/svg+xml', 'image/jpeg']

/** How a file reaches the API. */
const doors = {
  form: (file: Buffer, type: string) => {
    const form = new FormData()
    form.set('image', new File([new Uint8Array(file)], 'photo.png', { type }))
    return { body: form, headers: {} }
  },
  raw: (file: Buffer, type: string) => ({
    body: new Uint8Array(file),
    headers: { 'content-type': type },
  }),
  address: (file: Buffer) => {
    files['/hostile.png'] = file
    const image = `http://127.0.0.1:${source.port}/hostile.png`
    return {
      body: JSON.stringify({ image }),
      headers: { 'content-type': 'application/json' },
    }
  },
}

test('hostile files become images or are refused as a form, as a raw body and from an address, whatever type they claim', async () => {
  const { team } = await uploader()
  const mayBecome = new Map(await polyglots())
  const unexpected: unknown[] = []
  for (const [door, request] of Object.entries(doors)) {
    const key = await app.key(team, ['write'])
    for (const [index, [name, file]] of [...mayBecome, ...(await notImages())].entries()) {
      const { body, headers } = request(file, claims[index % claims.length] ?? '')
      const init = { method: 'POST', body, headers: { ...headers, authorization: `Bearer ${key}` } }
      const { status } = await fetch(`${app.base}/api/v1/images`, init)
      if (status !== 422 && !(status === 201 && mayBecome.has(name)))
        unexpected.push({ door, name, status })
    }
  }
  expect(unexpected).toEqual([])
  const stored = await app.sql`select type, hash from images where team_id = ${team.id}`
  expect(stored.length).toBeGreaterThan(0)
  for (const { type, hash } of stored) {
    const name = `${hash}.${type === 'png' ? 'png' : 'jpg'}`
    const response = await get(`https://news.acme.test/media/${name}`)
    expect(response.headers.get('content-type')).toBe(`image/${type}`)
    expect(Buffer.from(await response.bytes()).includes(canary)).toBe(false)
  }
})

describe('GET /media', () => {
  test('GET /media serves an image to everybody with its stored content type, cacheable, without cookies and sandboxed', async () => {
    const { upload } = await uploader()
    const { url } = (await upload(await photo())).json.image
    const response = await get(url)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(response.headers.getSetCookie()).toEqual([])
    const etag = response.headers.get('etag') ?? ''
    const again = await get(url, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const head = await get(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  })

  test('GET /media responds with 404 to every other name', async () => {
    const { upload } = await uploader()
    const { url } = (await upload(await photo())).json.image
    const hash = /[0-9a-f]{64}/.exec(url)?.[0] ?? ''
    const names = [
      `${hash}.png`,
      `${hash}.html`,
      `${hash}.jpg.html`,
      hash,
      'x',
      `${'0'.repeat(64)}.jpg`,
    ]
    const paths = [...names, `..%2f${hash}.jpg`, `%2e%2e%2fsecret`, `${hash.toUpperCase()}.jpg`]
    for (const name of paths) {
      const response = await fetch(`${app.base}/media/${name}`)
      expect([name, response.status]).toEqual([name, 404])
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })
})
