import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Team } from '../../../src/features/teams/index.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { person, signedIn } from '../../support/console.ts'
import { canary, notImages, polyglots } from '../../support/hostile/hostile-images.ts'

let app: TestApp
let team: Team
let editor: Awaited<ReturnType<typeof signedIn>>
beforeAll(async () => {
  app = await startApp()
  team = await app.team()
  editor = await signedIn(app, team, 'editor')
})
afterAll(() => app.close())

const fields = { title: 'Summer party', body: 'On the roof.', block_type: 'general' }

/** An image whose left half is red and whose right half is blue. */
async function halves(): Promise<File> {
  const squares = ['#ff0000', '#0000ff'].map((background) =>
    sharp({ create: { width: 60, height: 60, channels: 3, background } })
      .png()
      .toBuffer(),
  )
  const both = sharp(await Promise.all(squares), { join: { across: 2 } })
  return fileOf(await both.png().toBuffer())
}

const fileOf = (bytes: Buffer, name = 'party.png') =>
  new File([new Uint8Array(bytes)], name, { type: 'image/png' })

const newestBlock = async () => {
  const [block] =
    await app.sql`select * from content_blocks where team_id = ${team.id} order by id desc limit 1`
  return block ?? {}
}

describe('The image of a block in the console', () => {
  test('an image that is sent with a new block is stored with its text and its focal point', async () => {
    const image = await halves()
    const chosen = { image, image_alt: 'The roof', image_focus: '1 0.5' }
    const { status, location } = await editor.post('/library/new', { ...fields, ...chosen })
    expect(status).toBe(303)
    const block = await newestBlock()
    expect(block).toMatchObject({
      image_alt: 'The roof',
      image_focal_x: 1,
      image_focal_y: 0.5,
    })
    const { pathname } = new URL(block['image_url'])
    const page = (await editor.get(location ?? '')).html
    const [, frame = ''] = /<iframe[^>]* src="([^"]+)"/.exec(page) ?? []
    expect((await editor.get(frame)).html).toContain('alt="The roof"')
    const { html } = await editor.get(`${location}/edit`)
    expect(html).toContain(`<img src="${pathname}" alt=""`)
    expect(html).toMatch(/value="1 0.5" checked/)
  })

  test('an image without a text is refused with an error at the field, and the uploaded image is kept', async () => {
    const { status, html } = await editor.post('/library/new', {
      ...fields,
      image: await halves(),
    })
    expect(status).toBe(422)
    expect(html).toContain('Say what the image shows, or mark it as decorative.')
    const kept = /name="image_url" type="url" value="([^"]+)"/.exec(html)?.[1] ?? ''
    expect(new URL(kept).pathname).toMatch(/^\/media\/[0-9a-f]{64}\.png$/)
    const second = { ...fields, image_url: kept, image_decorative: 'on' }
    expect((await editor.post('/library/new', second)).status).toBe(303)
    expect(await newestBlock()).toMatchObject({ image_url: kept, image_alt: '' })
  })

  test('an image is removed with its text and its focal point', async () => {
    const chosen = { image: await halves(), image_alt: 'The roof', image_focus: '0 0' }
    const { location } = await editor.post('/library/new', { ...fields, ...chosen })
    const { image_url } = await newestBlock()
    const change = { ...fields, version: '1', image_url, image_alt: 'The roof', image_remove: 'on' }
    expect((await editor.post(`${location}/edit`, change)).status).toBe(303)
    const nothing = { image_url: null, image_alt: null, image_focal_x: null, image_focal_y: null }
    expect(await newestBlock()).toMatchObject(nothing)
  })

  test('a focal point that the API has set stays while nobody chooses another place', async () => {
    const call = client(app.base, await app.key(team, ['write']))
    const { json } = await call('POST', '/content_blocks', {
      title: 'By the API',
      body: 'Text.',
      image_url: 'https://acme.test/a.png',
      image_alt: 'A roof',
      image_focal_x: 0.4,
      image_focal_y: 0.9,
    })
    const path = `/library/${json.content_block.id}/edit`
    const { html } = await editor.get(path)
    const focus = /value="([\d. ]+)" checked/.exec(html)?.[1] ?? ''
    expect(focus).toBe('0.5 1')
    const change = { ...fields, version: '1', image_alt: 'A roof', image_focus: focus }
    await editor.post(path, { ...change, image_url: 'https://acme.test/a.png' })
    expect(await newestBlock()).toMatchObject({ image_focal_x: 0.4, image_focal_y: 0.9 })
  })
})

describe('The cover and the logo in the console', () => {
  test('a cover is uploaded with its text and its focal point, and cropped around it', async () => {
    const call = client(app.base, await app.key(team, ['read', 'write']))
    const { id } = (await call('POST', '/newsletters', { title: 'News' })).json.newsletter
    const path = `/newsletters/${id}/frame`
    const refused = await editor.post(path, { image: await halves(), intro: 'Good morning.' })
    expect(refused.status).toBe(422)
    expect(refused.html).toContain('Say what the image shows, or mark it as decorative.')
    const chosen = { image_alt: 'Two halves', image_focus: '0 1', intro: 'Good morning.' }
    const { status } = await editor.post(path, { ...chosen, image: await halves() })
    expect(status).toBe(303)
    const { newsletter } = (await call('GET', `/newsletters/${id}`)).json
    const cover = { cover_image_alt: 'Two halves', cover_focal_x: 0, cover_focal_y: 1 }
    expect(newsletter).toMatchObject(cover)
    const { html } = (await call('GET', `/newsletters/${id}/preview`)).json.preview
    expect(html).toContain(newsletter.cover_image_url.replace('.png', '.wide-04.png'))
    await call('PATCH', `/newsletters/${id}`, { cover_image_alt: null })
    const { warnings } = (await call('GET', `/newsletters/${id}/preview`)).json.preview
    expect(warnings.join(' ')).toContain('The cover image has no alternative text')
  })

  test('a logo is uploaded by admins only, and its text is optional', async () => {
    const admin = await signedIn(app, team, 'admin')
    const details = { name: team.name, brand_color: '#112233', newsletter_cadence: 'weekly' }
    const form = { ...details, language: 'en', image: await halves() }
    expect((await editor.post('/settings/team', form)).status).toBe(403)
    expect((await admin.post('/settings/team', form)).status).toBe(303)
    const call = client(app.base, await app.key(team, ['read']))
    const logo = (await call('GET', '/team')).json.team
    expect([new URL(logo.logo_url).pathname, logo.logo_alt]).toEqual([
      expect.stringMatching(/^\/media\/[0-9a-f]{64}\.png$/),
      null,
    ])
    const { html } = await admin.get('/settings/team')
    expect(html).toContain(`<img src="${new URL(logo.logo_url).pathname}"`)
    expect(html).not.toContain('image_decorative')
    const removed = { ...details, language: 'en', image_url: logo.logo_url, image_remove: 'on' }
    await admin.post('/settings/team', removed)
    expect((await call('GET', '/team')).json.team.logo_url).toBeNull()
  })
})

describe('POST /images', () => {
  test('an image that a script uploads is stored, and the response has its address', async () => {
    const { status, html } = await editor.post('/images', { image: await halves() })
    expect(status).toBe(200)
    const { url, path } = JSON.parse(html)
    expect(url).toBe(app.images.baseUrl + path)
    expect((await fetch(app.base + path)).headers.get('content-type')).toBe('image/png')
  })

  test('viewers, strangers and forms without a CSRF token store no image', async () => {
    const image = await halves()
    const viewer = await signedIn(app, team, 'viewer')
    const count = async () => (await app.sql`select from images where team_id = ${team.id}`).length
    const before = await count()
    expect((await viewer.post('/images', { image })).status).toBe(403)
    expect((await person(app.base).post('/images', { image })).status).toBe(303)
    expect((await editor.post('/images', { image, csrf: 'x' })).status).toBe(403)
    const elsewhere = { origin: 'https://evil.example' }
    expect((await editor.post('/images', { image }, elsewhere)).status).toBe(403)
    expect(await count()).toBe(before)
  })

  test('a file over the limit is refused while it is read', async () => {
    const image = fileOf(Buffer.alloc(11 * 1024 * 1024))
    const { status } = await editor.post('/images', { image })
    expect(status).toBe(413)
  })

  test('hostile files become images or are refused with a sentence', async () => {
    for (const [name, file] of await notImages()) {
      const { status, html } = await editor.post('/images', { image: fileOf(file, `${name}.png`) })
      expect([name, status]).toEqual([name, 422])
      expect(JSON.parse(html).error).toMatch(
        /^(?:Image must (?:be a complete|have at most)|Choose an image)/,
      )
    }
    for (const [name, file] of await polyglots()) {
      const { html } = await editor.post('/images', { image: fileOf(file) })
      const served = await fetch(app.base + JSON.parse(html).path)
      const text = Buffer.from(await served.bytes()).toString('latin1')
      expect([name, text.includes(canary)]).toEqual([name, false])
    }
  })
})

describe('The crops of an image', () => {
  test('a newsletter shows the chosen part of a small image as a square', async () => {
    const call = client(app.base, await app.key(team, ['read', 'write']))
    const { html } = await editor.post('/images', { image: await halves() })
    const { url } = JSON.parse(html)
    const { json } = await call('POST', '/content_blocks', {
      title: 'A party',
      body: 'Text.',
      status: 'ready',
      image_size: 'small',
      image_url: url,
      image_alt: '',
      image_focal_x: 1,
      image_focal_y: 0.5,
    })
    const { id } = (await call('POST', '/newsletters', { title: 'News' })).json.newsletter
    const block = { content_block_id: json.content_block.id }
    await call('POST', `/newsletters/${id}/blocks`, block)
    const { preview } = (await call('GET', `/newsletters/${id}/preview`)).json
    const address = `${url.replace('.png', '.square-42.png')}`
    expect(preview.html).toContain(`src="${address}"`)
    expect(preview.warnings.join(' ')).not.toContain('alternative text')
    const image = sharp(await (await fetch(app.base + new URL(address).pathname)).bytes())
    const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height, data[0], data[2]]).toEqual([60, 60, 0, 255])
  })

  test('only the crops that newsletters use exist', async () => {
    const { html } = await editor.post('/images', { image: await halves() })
    const { path } = JSON.parse(html)
    const statusOf = async (crop: string) =>
      (await fetch(app.base + path.replace('.png', `${crop}.png`))).status
    expect(await Promise.all(['.square-00', '.wide-44'].map(statusOf))).toEqual([200, 200])
    const others = [
      '.square-50',
      '.square-0',
      '.square-000',
      '.tall-00',
      '.wide--1',
      '.square-00.x',
    ]
    for (const crop of others) expect([crop, await statusOf(crop)]).toEqual([crop, 404])
  })
})
