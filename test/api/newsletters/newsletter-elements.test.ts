import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Team } from '../../../src/features/teams/index.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import {
  blockOf,
  type Call,
  newsletterOf,
  readingOrder,
  send,
  unlimitedClient,
} from '../../support/newsletters.ts'

let app: TestApp
let team: Team
let call: Call
beforeAll(async () => {
  app = await startApp()
  team = await app.team()
  call = await unlimitedClient(app, team)
})
afterAll(() => app.close())

const newsletterWith = async (many: number) => {
  const blocks: string[] = []
  for (let n = 1; n <= many; n++) {
    blocks.push(await blockOf(call, { title: `Story ${n}`, body: `Text ${n}.` }))
  }
  return { path: await newsletterOf(call, blocks), blocks }
}
const add = async (path: string, element: Record<string, unknown>) => {
  const { status, json, text } = await call('POST', `${path}/elements`, element)
  if (status !== 201) throw new Error(text)
  return json.element
}
const section = (heading: string, before_position?: number) => ({
  type: 'section',
  heading,
  ...(before_position && { before_position }),
})
describe('elements of a newsletter', () => {
  test('an element stands before the block at its position, and at the end by default', async () => {
    const { path } = await newsletterWith(2)
    const created = await call('POST', `${path}/elements`, section('First', 1))
    expect(created.status).toBe(201)
    expect(created.json.element).toEqual({
      id: expect.stringMatching(/^ne_[0-9a-f]{32}$/),
      type: 'section',
      before_position: 1,
      heading: 'First',
      body: null,
      options: null,
    })
    const location = created.headers.get('location')?.replace('/api/v1', '') ?? ''
    expect((await call('GET', location)).json.element).toEqual(created.json.element)
    await add(path, { type: 'divider' })
    await add(path, section('Second', 2))
    await add(path, section('Far away', 99))
    expect(await readingOrder(call, path)).toEqual([
      ...['First', 'Story 1', 'Second', 'Story 2', 'divider', 'Far away'],
    ])
  })

  test('elements keep their place between the blocks when blocks come and go', async () => {
    const { path } = await newsletterWith(3)
    await add(path, section('One', 1))
    await add(path, section('Two', 2))
    await add(path, section('Three', 3))
    const content_block_id = await blockOf(call, { title: 'New' })
    await call('POST', `${path}/blocks`, { content_block_id, position: 2 })
    expect(await readingOrder(call, path)).toEqual([
      ...['One', 'Story 1', 'Two', 'New', 'Story 2', 'Three', 'Story 3'],
    ])
    const { blocks } = (await call('GET', path)).json.newsletter
    await call('DELETE', `${path}/blocks/${blocks[2].id}`)
    await call('DELETE', `${path}/blocks/${blocks[0].id}`)
    expect(await readingOrder(call, path)).toEqual(['One', 'Two', 'New', 'Three', 'Story 3'])
    const last = await blockOf(call, { title: 'Last' })
    await add(path, section('End'))
    await call('POST', `${path}/blocks`, { content_block_id: last })
    expect(await readingOrder(call, path)).toEqual([
      ...['One', 'Two', 'New', 'Three', 'Story 3', 'End', 'Last'],
    ])
  })

  test('one order of all blocks and elements can be set, and only of all', async () => {
    const { path } = await newsletterWith(2)
    const { id: one } = await add(path, section('One', 1))
    const { id: two } = await add(path, section('Two', 1))
    const { blocks, version } = (await call('GET', path)).json.newsletter
    const [a, b] = blocks.map((block: { id: string }) => block.id)
    const arranged = await call('PATCH', `${path}/arrangement`, { ids: [b, two, one, a] })
    expect(arranged.status).toBe(200)
    expect(arranged.json.newsletter.version).toBe(version + 1)
    expect(await readingOrder(call, path)).toEqual(['Story 2', 'Two', 'One', 'Story 1'])
    for (const ids of [[b, two, one], [b, two, one, a, a], [b, two, one, 'nb_x'], []]) {
      const { status, json } = await call('PATCH', `${path}/arrangement`, { ids })
      expect(status).toBe(422)
      expect(json.fields[0].pointer).toBe('/ids')
    }
  })

  test('an arrangement in the present order keeps the version', async () => {
    const { path } = await newsletterWith(2)
    const { id: one } = await add(path, section('One', 1))
    const { id: two } = await add(path, section('Two', 1))
    const before = await call('GET', path)
    const [a, b] = before.json.newsletter.blocks.map((block: { id: string }) => block.id)
    const same = await call('PATCH', `${path}/arrangement`, { ids: [one, two, a, b] })
    expect(same.json).toEqual(before.json)
    expect(same.headers.get('etag')).toBe(before.headers.get('etag'))
    const swapped = await call('PATCH', `${path}/arrangement`, { ids: [two, one, a, b] })
    expect(swapped.json.newsletter.version).toBe(before.json.newsletter.version + 1)
  })

  test('an element is changed in its text and its place, and its type stays', async () => {
    const { path } = await newsletterWith(1)
    const { id } = await add(path, { type: 'callout', body: '<p>Closed.</p>' })
    const change = {
      heading: 'Holidays',
      before_position: 1,
      body: '<p>Open<script>x</script></p>',
    }
    const { json } = await call('PATCH', `${path}/elements/${id}`, change)
    expect(json.element).toMatchObject({ heading: 'Holidays', before_position: 1 })
    expect(json.element.body).toBe('<p>Open</p>')
    const cleared = await call('PATCH', `${path}/elements/${id}`, { heading: null })
    expect(cleared.json.element.heading).toBe(null)
    const wrong = await call('PATCH', `${path}/elements/${id}`, { options: [] })
    expect(wrong.status).toBe(422)
    expect((await call('PATCH', `${path}/elements/${id}`, { type: 'poll' })).status).toBe(422)
  })

  test.each([
    [{}, '/type', 'required'],
    [{ type: 'banner' }, '/type', 'not_allowed'],
    [{ type: null }, '/type', 'not_allowed'],
    [{ type: 'section' }, '/heading', 'required'],
    [{ type: 'section', heading: ' ' }, '/heading'],
    [{ type: 'divider', heading: 'x' }, '/heading'],
    [{ type: 'callout' }, '/body'],
    [{ type: 'callout', body: '<script>x</script>' }, '/body', 'empty'],
    [{ type: 'poll', heading: 'x' }, '/options'],
    [{ type: 'poll', heading: 'x', options: [] }, '/options'],
    [
      { type: 'poll', heading: 'x', options: [{ label: 'y', url: 'javascript:1' }] },
      '/options/0/url',
    ],
    [{ type: 'section', heading: 'x', before_position: 0 }, '/before_position'],
  ])(
    'the wrong element %j is refused, and the field is named',
    async (element, pointer, ...code) => {
      const { path } = await newsletterWith(0)
      const { status, json } = await call('POST', `${path}/elements`, element)
      expect({ status, pointer: json.fields[0].pointer }).toEqual({ status: 422, pointer })
      expect(code).toEqual(code.map(() => json.fields[0].code))
    },
  )

  test('a version that is out of date, a sent newsletter and another team change nothing', async () => {
    const { path } = await newsletterWith(1)
    const { id } = await add(path, section('One', 1))
    const stale = await call('DELETE', `${path}/elements/${id}`, undefined, { 'if-match': '"v1"' })
    expect(stale.status).toBe(412)
    const stranger = await unlimitedClient(app, await app.team())
    for (const [method, where, body] of [
      ['POST', `${path}/elements`, section('x')],
      ['GET', `${path}/elements/${id}`, undefined],
      ['PATCH', `${path}/elements/${id}`, { heading: 'x' }],
      ['DELETE', `${path}/elements/${id}`, undefined],
      ['PATCH', `${path}/arrangement`, { ids: [] }],
    ] as const) {
      expect((await stranger(method, where, body)).status).toBe(404)
    }
    await send(call, path)
    expect((await call('POST', `${path}/elements`, section('x'))).status).toBe(409)
    expect((await call('DELETE', `${path}/elements/${id}`)).status).toBe(409)
    expect(await readingOrder(call, path)).toEqual(['One', 'Story 1'])
  })

  test('an element has the tag of its newsletter, and a PATCH that changes nothing keeps it', async () => {
    const { path } = await newsletterWith(1)
    const poll = { heading: 'Lunch?', options: [{ label: 'Yes', url: 'https://a.example' }] }
    const added = await call('POST', `${path}/elements`, { type: 'poll', ...poll })
    const element = `${path}/elements/${added.json.element.id}`
    const tags = [added, await call('GET', element), await call('PATCH', element, poll)]
    expect(tags.map(({ headers }) => headers.get('etag'))).toEqual(['"v3"', '"v3"', '"v3"'])
    expect((await call('GET', element, undefined, { 'if-none-match': '"v3"' })).status).toBe(304)
    const moved = await call('PATCH', element, { before_position: 1 }, { 'if-match': '"v3"' })
    expect(moved.headers.get('etag')).toBe('"v4"')
    expect((await call('GET', path)).json.newsletter.version).toBe(4)
  })

  test('an element is removed from a newsletter', async () => {
    const { path } = await newsletterWith(1)
    const { id } = await add(path, section('One', 1))
    expect((await call('DELETE', `${path}/elements/${id}`)).status).toBe(204)
    expect((await call('DELETE', `${path}/elements/${id}`)).status).toBe(404)
    expect(await readingOrder(call, path)).toEqual(['Story 1'])
  })
})

describe('the frame of a newsletter', () => {
  test('cover, intro, closing and elements are in the preview in the order of the team', async () => {
    const { path } = await newsletterWith(2)
    const frame = {
      cover_color: '#0F766E',
      intro: '<p>Good <b>morning</b>.</p><script>x</script>',
      closing: '<p>See you soon.</p>',
      table_of_contents: true,
    }
    const { json } = await call('PATCH', path, frame)
    expect(json.newsletter).toMatchObject({
      cover_color: '#0f766e',
      intro: '<p>Good <b>morning</b>.</p>',
      closing: '<p>See you soon.</p>',
      table_of_contents: true,
    })
    await add(path, section('Our own heading', 2))
    const { html, text } = (await call('GET', `${path}/preview`)).json.preview
    expect(html).toContain('#0f766e')
    expect(html).not.toContain('<script')
    const parts = ['Good morning', 'Story 1', 'OUR OWN HEADING', 'Story 2', 'See you soon']
    expect(parts.toSorted((a, b) => text.lastIndexOf(a) - text.lastIndexOf(b))).toEqual(parts)
    expect(text).not.toContain('NEWS\n====')
  })

  test('a newsletter without elements has the sections of its template', async () => {
    const { path } = await newsletterWith(1)
    const { text } = (await call('GET', `${path}/preview`)).json.preview
    expect(text).toContain('NEWS\n====')
  })

  test.each([
    [{ cover_color: 'red' }, '/cover_color'],
    [{ cover_image_url: 'ftp://x' }, '/cover_image_url'],
    [{ intro: '<script>x</script>' }, '/intro'],
    [{ closing: 'x'.repeat(17_000) }, '/closing'],
    [{ table_of_contents: 'yes' }, '/table_of_contents'],
  ])('the wrong frame %j is refused, and the field is named', async (change, pointer) => {
    const { path } = await newsletterWith(0)
    const { status, json } = await call('PATCH', path, change)
    expect({ status, pointer: json.fields[0].pointer }).toEqual({ status: 422, pointer })
  })

  test('the same frame again keeps the version', async () => {
    const { path } = await newsletterWith(0)
    const frame = { intro: '<p>x</p>', cover_color: '#112233', table_of_contents: false }
    const { version } = (await call('PATCH', path, frame)).json.newsletter
    expect((await call('PATCH', path, frame)).json.newsletter.version).toBe(version)
  })
})

describe('hostile elements of a newsletter', () => {
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    '//evil.test/x',
    'https://user:secret@evil.test/',
    'mailto:a@b.test',
  ])('an answer of a poll cannot lead to %s', async (url) => {
    const { path } = await newsletterWith(1)
    const poll = { type: 'poll', heading: 'Where?', options: [{ label: 'Here', url }] }
    const { status, json } = await call('POST', `${path}/elements`, poll)
    expect(status).toBe(422)
    expect(json.errors).toEqual([expect.stringContaining('options')])
    expect((await call('GET', path)).json.newsletter.elements).toEqual([])
  })

  test('markup in headings, questions and answers is shown as text, and callouts and texts lose what runs', async () => {
    const { path } = await newsletterWith(1)
    const markup = '<img src=x onerror=alert(1)>'
    const rich = `<p onclick="alert(2)">kept ${markup}</p><script>alert(3)</script>`
    await add(path, section(markup))
    await add(path, { type: 'callout', heading: markup, body: rich })
    await add(path, {
      type: 'poll',
      heading: markup,
      options: [{ label: markup, url: 'https://a.test/?a="><b>' }],
    })
    const { status } = await call('PATCH', path, { intro: rich, closing: rich })
    expect(status).toBe(200)
    const { html } = (await call('GET', `${path}/preview`)).json.preview
    expect(html.match(/&lt;img src=x onerror=alert\(1\)&gt;/g)?.length).toBe(4)
    expect(html.match(/>kept/g)?.length).toBe(3)
    expect(html).not.toMatch(/<script|<img src=x|<img src="x"|onclick=|\?a="><b>/)
  })

  test('the description of an image of another team is not shown with its address', async () => {
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const image = { image: `data:image/png;base64,${pixel}`, alt: 'The secret plan of the others' }
    const other = await unlimitedClient(app, await app.team())
    const { url } = (await other('POST', '/images', image)).json.image
    const { path } = await newsletterWith(1)
    await call('PATCH', path, { cover_image_url: url })
    const { preview } = (await call('GET', `${path}/preview`)).json
    expect(preview.html + preview.text).not.toContain('The secret plan of the others')
  })
})
