import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Team } from '../../../src/features/teams/index.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { type Person, signedIn } from '../../support/console.ts'
import {
  blockOf,
  type Call,
  newsletterOf,
  readingOrder,
  unlimitedClient,
} from '../../support/newsletters.ts'

let app: TestApp
let team: Team
let call: Call
let editor: Person
let viewer: Person

beforeAll(async () => {
  app = await startApp()
  team = await app.team()
  call = await unlimitedClient(app, team)
  editor = await signedIn(app, team, 'editor')
  viewer = await signedIn(app, team, 'viewer')
})
afterAll(async () => await app.close())

const newsletterWith = async (...types: string[]) => {
  const blocks: string[] = []
  for (const block_type of types) {
    blocks.push(await blockOf(call, { title: `About ${block_type}`, block_type }))
  }
  return await newsletterOf(call, blocks)
}
const load = async (path: string) => (await call('GET', path)).json.newsletter

/** Adds an element through the API; gives its id. */
const elementOf = async (path: string, element: Record<string, unknown>): Promise<string> =>
  (await call('POST', `${path}/elements`, element)).json.element.id

describe('Composing a newsletter in the console', () => {
  test('the first section of its own keeps the headings and the order of the template', async () => {
    const path = await newsletterWith('new_starter', 'general')
    const before = (await call('GET', `${path}/preview`)).json.preview.text
    const { blocks } = await load(path)
    const people = blocks.find(
      (one: { content_block: { title: string } }) =>
        one.content_block.title === 'About new_starter',
    ).id
    const form = { type: 'section', heading: 'New faces', before: people }
    const { status, location } = await editor.post(`${path}/elements/new`, form)
    expect({ status, location }).toEqual({ status: 303, location: `${path}?panel=outline#blocks` })
    const { elements } = await load(path)
    expect(elements.map(({ heading }: { heading: string }) => heading)).toEqual([
      ...['News', 'People', 'New faces'],
    ])
    const { text } = (await call('GET', `${path}/preview`)).json.preview
    expect(before.indexOf('About general')).toBeLessThan(before.indexOf('About new_starter'))
    expect(text.indexOf('NEW FACES')).toBeLessThan(text.indexOf('About new_starter'))
    expect(text.indexOf('About general')).toBeLessThan(text.indexOf('NEW FACES'))
  })

  test('a heading is changed where it stands now, and never another heading in its place', async () => {
    const path = await newsletterWith('new_starter', 'general')
    const page = `${path}/sections/1`
    expect((await editor.get(page)).html).toContain('name="original_heading" value="People"')
    // A colleague removes the only block of the first section: the second is the first now.
    const [news] = (await load(path)).blocks.filter(
      ({ content_block }: { content_block: { title: string } }) =>
        content_block.title === 'About general',
    )
    await call('DELETE', `${path}/blocks/${news.id}`)
    await editor.post(page, { heading: 'New faces', original_heading: 'People' })
    const headings = async () =>
      (await load(path)).elements.map(({ heading }: { heading: string }) => heading)
    expect(await headings()).toEqual(['New faces'])
    const { status, html } = await editor.post(`${path}/sections/0`, {
      heading: 'Hello',
      original_heading: 'People',
    })
    expect(status).toBe(409)
    expect(html).toContain('Someone else has changed this text')
    expect(html).toMatch(/their-text">New faces.*value="Hello"/s)
    expect(await headings()).toEqual(['New faces'])
  })

  test('the outline and the form of a heading show it in the language of the team, as readers see it', async () => {
    const german = await app.team()
    const germanCall = await unlimitedClient(app, german)
    await germanCall('PATCH', '/team', { language: 'de' })
    const colleague = await signedIn(app, german, 'editor')
    const path = await newsletterOf(germanCall, [
      await blockOf(germanCall, { block_type: 'new_starter' }),
    ])
    const text: string = (await germanCall('GET', `${path}/preview`)).json.preview.text
    const { html } = await colleague.get(`${path}/sections/0`)
    const heading = /name="original_heading" value="([^"]+)"/.exec(html)?.[1] ?? 'none'
    expect(heading).not.toBe('People')
    expect(text).toContain(heading.toUpperCase())
    expect((await colleague.get(`${path}?panel=outline`)).html).toContain(heading)
  })

  test('blocks and elements move and are removed in one list', async () => {
    const path = await newsletterWith('general')
    await editor.post(`${path}/elements/new`, { type: 'divider', before: '' })
    const [, divider] = (await load(path)).elements
    const page = await editor.get(path)
    expect(page.html).toContain('Section: News')
    expect(page.html).toContain(`href="${path}/elements/${divider.id}"`)
    await editor.post(`${path}/order`, { up: divider.id })
    expect((await load(path)).elements[1].before_position).toBe(1)
    await editor.post(`${path}/order`, { remove: divider.id })
    expect((await load(path)).elements).toHaveLength(1)
  })

  test('a block of the library that is dropped before an element is before it, and after the elements above it', async () => {
    const ids = await Promise.all(['One', 'Two', 'Three'].map((title) => blockOf(call, { title })))
    const path = await newsletterOf(call, ids)
    await elementOf(path, { type: 'section', heading: 'A', before_position: 1 })
    const heading = await elementOf(path, { type: 'section', heading: 'B', before_position: 3 })
    const divider = await elementOf(path, { type: 'divider', before_position: 3 })
    const callout = { type: 'callout', heading: 'Thanks', body: '<p>Bye</p>' }
    const last = await elementOf(path, callout)
    const drop = async (title: string, before: string) =>
      await editor.post(`${path}/blocks`, { add: await blockOf(call, { title }), before })
    await drop('End of A', heading)
    expect(await readingOrder(call, path)).toEqual([
      ...['A', 'One', 'Two', 'End of A', 'B', 'divider', 'Three', 'Thanks'],
    ])
    await drop('Between', divider)
    await drop('Before the last', last)
    await drop('Last', '')
    expect(await readingOrder(call, path)).toEqual([
      ...['A', 'One', 'Two', 'End of A', 'B', 'Between', 'divider', 'Three'],
      ...['Before the last', 'Thanks', 'Last'],
    ])
    const { blocks } = await load(path)
    await drop('Before Three', blocks.at(-3).id)
    expect((await readingOrder(call, path)).slice(5, 9)).toEqual([
      ...['Between', 'divider', 'Before Three', 'Three'],
    ])
  })

  test('blocks that are added to a newsletter with headings are after the last block of their section of the template, or at the end', async () => {
    const own = await app.team()
    const ownCall = await unlimitedClient(app, own)
    const colleague = await signedIn(app, own, 'editor')
    const block = async (title: string, block_type: string) =>
      await blockOf(ownCall, { title, block_type })
    const path = await newsletterOf(ownCall, [
      await block('Old news', 'general'),
      await block('Ada starts', 'new_starter'),
    ])
    await colleague.post(`${path}/elements/new`, { type: 'divider', before: '' })
    expect(await readingOrder(ownCall, path)).toEqual([
      ...['News', 'Old news', 'People', 'Ada starts', 'divider'],
    ])
    await block('Policy', 'policy_change')
    await block('Bob starts', 'new_starter')
    await block('Training', 'learning_development')
    await block('Cy shines', 'team_spotlight')
    const seen = (await ownCall('GET', path)).json.newsletter.version
    await colleague.post(`${path}/compose`)
    const composed = ['News', 'Old news', 'Policy', 'People', 'Ada starts', 'Bob starts']
    expect(await readingOrder(ownCall, path)).toEqual([
      ...composed,
      ...['Cy shines', 'divider', 'Training'],
    ])
    expect((await ownCall('GET', path)).json.newsletter.version).toBe(seen + 1)
    await colleague.post(`${path}/blocks`, { add: await block('More news', 'general') })
    await colleague.post(`${path}/blocks`, {
      add: await block('At the end', 'general'),
      before: '',
    })
    expect(await readingOrder(ownCall, path)).toEqual([
      ...['News', 'Old news', 'Policy', 'More news', 'People', 'Ada starts', 'Bob starts'],
      ...['Cy shines', 'divider', 'Training', 'At the end'],
    ])
  })

  /** Blocks One, Two and Three, with a heading and a callout before Two, and the form of the heading. */
  async function openHeading() {
    const titles = ['One', 'Two', 'Three']
    const path = await newsletterOf(
      call,
      await Promise.all(titles.map((title) => blockOf(call, { title }))),
    )
    const place = { before_position: 2 }
    const id = await elementOf(path, { type: 'section', heading: 'New facs', ...place })
    await elementOf(path, { type: 'callout', heading: 'Closed', body: '<p>All day</p>', ...place })
    const page = `${path}/elements/${id}`
    const [one = '', two = '', three = ''] = (await load(path)).blocks.map(
      (block: { id: string }) => block.id,
    )
    return { path, id, page, one, two, three, form: fieldsOf((await editor.get(page)).html) }
  }

  /** What the form of an element sends when nothing is changed. */
  const fieldsOf = (html: string): Record<string, string> => ({
    type: 'section',
    ...Object.fromEntries(
      [...html.matchAll(/name="(original_\w+|heading)"[^>]* value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    ),
    before: /<option value="([^"]*)" selected/.exec(html)?.[1] ?? 'none',
  })

  type Opened = Awaited<ReturnType<typeof openHeading>>
  test.each([
    [
      'moves the element',
      ({ id, three }: Opened) => ({ move: id, before: three }),
      ['One', 'Closed', 'Two', 'New faces', 'Three'],
    ],
    [
      'removes the block below it',
      ({ two }: Opened) => ({ remove: two }),
      ['One', 'New faces', 'Closed', 'Three'],
    ],
    [
      'moves the block below it',
      ({ two }: Opened) => ({ move: two, before: '' }),
      ['One', 'New faces', 'Closed', 'Three', 'Two'],
    ],
  ] as const)(
    'while somebody corrects the words of an element, a colleague %s: the words are saved, and the position stays',
    async (_, change, order) => {
      const opened = await openHeading()
      const { path, page, form } = opened
      const colleague = await signedIn(app, team, 'editor')
      await colleague.post(`${path}/order`, change(opened))
      const { before, ...withoutPlace } = form
      expect(before).toBe(opened.two)
      // A browser that restores the form sends no place when the block of the place was removed.
      for (const fields of [form, withoutPlace]) {
        const { status } = await editor.post(page, { ...fields, heading: 'New faces' })
        expect(status).toBe(303)
        expect(await readingOrder(call, path)).toEqual([...order])
      }
    },
  )

  test('a form that is shown again has the place at which the element is now, and a place that somebody chose is saved', async () => {
    const { path, id, page, one, three, form } = await openHeading()
    await editor.post(`${path}/order`, { move: id, before: three })
    const place = { before: three, original_before: three }
    const wrong = await editor.post(page, { ...form, heading: '' })
    expect(wrong.status).toBe(422)
    expect(fieldsOf(wrong.html)).toMatchObject(place)
    await call('PATCH', page, { heading: 'New people' })
    const conflict = await editor.post(page, { ...form, heading: 'New faces' })
    expect(conflict.status).toBe(409)
    expect(fieldsOf(conflict.html)).toMatchObject(place)
    const chosen = { ...form, heading: 'New people', before: one }
    expect((await editor.post(page, chosen)).status).toBe(303)
    expect((await readingOrder(call, path)).slice(0, 2)).toEqual(['New people', 'One'])
  })

  test('an element that is moved to a block which was removed meanwhile stays where it is, and its form says why', async () => {
    const { path, page, two, three, form } = await openHeading()
    await editor.post(`${path}/order`, { remove: three })
    const order = await readingOrder(call, path)
    const changed = { ...form, heading: 'New faces', before: three }
    for (const address of [page, `${path}/elements/new`]) {
      const { status, html } = await editor.post(address, changed)
      expect(status).toBe(422)
      expect(html).toContain('This block was removed from the newsletter. Choose another place.')
      expect(html).toContain('value="New faces"')
      expect(html).toMatch(/<select[^>]* aria-invalid="true"/)
      expect(fieldsOf(html)['before']).toBe(address === page ? two : '')
    }
    expect(await readingOrder(call, path)).toEqual(order)
  })

  test('after a move, the position of a block counts the blocks below the same heading, not the headings', async () => {
    const path = await newsletterWith('general', 'general', 'new_starter')
    const { blocks } = await load(path)
    const people = blocks.at(-1).id
    await editor.post(`${path}/elements/new`, {
      type: 'section',
      heading: 'New faces',
      before: people,
    })
    const [first] = (await load(path)).blocks
    const after = async (form: Record<string, string>) =>
      (await editor.get((await editor.post(`${path}/order`, form)).location ?? '')).html
    expect(await after({ down: first.id })).toContain('“About general” is number 2 of 2 in News.')
    const [, heading] = (await load(path)).elements
    expect(await after({ up: heading.id })).toMatch(/“Section: [^”]*” is number \d of 3 in/)
  })

  test('a poll and a callout are added and changed by forms', async () => {
    const path = await newsletterWith('general')
    await editor.post(`${path}/elements/new`, {
      type: 'poll',
      heading: 'Which day?',
      options: 'On Monday https://a.example/1\nTuesday https://a.example/2',
    })
    const poll = (await load(path)).elements.find((one: { type: string }) => one.type === 'poll')
    expect(poll.options).toEqual([
      { label: 'On Monday', url: 'https://a.example/1' },
      { label: 'Tuesday', url: 'https://a.example/2' },
    ])
    const page = await editor.get(`${path}/elements/${poll.id}`)
    expect(page.html).toContain('On Monday https://a.example/1')
    await editor.post(`${path}/elements/${poll.id}`, {
      type: 'poll',
      heading: 'Which week?',
      options: 'Now https://a.example/3',
      before: '',
    })
    const changed = (await load(path)).elements.find((one: { id: string }) => one.id === poll.id)
    expect(changed).toMatchObject({ heading: 'Which week?', options: [{ label: 'Now' }] })
    const wrong = await editor.post(`${path}/elements/new`, {
      type: 'callout',
      heading: 'Typed heading',
      body: ' ',
    })
    expect(wrong.status).toBe(422)
    expect(wrong.html).toContain('Typed heading')
  })

  test('the form of a poll says that each answer needs a web address, and which one has none', async () => {
    const path = await newsletterWith('general')
    const { html } = await editor.get(`${path}/elements/new?type=poll`)
    expect(html).toContain('Each needs a web address')
    const wrong = await editor.post(`${path}/elements/new`, {
      type: 'poll',
      heading: 'Where?',
      options: 'River\n\nOn the roof\nHere https://a.example/3\nhttps://a.example/4',
    })
    expect(wrong.status).toBe(422)
    expect(wrong.html).toContain(
      'Answer 1 needs a web address. Answer 2 needs a web address. Answer 4 needs at most 100 characters of text before its web address.',
    )
    expect(wrong.html).not.toContain('ptions.')
    expect(wrong.html).toMatch(/<textarea[^>]* aria-invalid="true"/)
  })

  test('an element at the end stays there when its text is changed, and new ones start at the end', async () => {
    const path = await newsletterWith('general', 'general')
    await call('POST', `${path}/elements`, { type: 'section', heading: 'Thanks' })
    const [element] = (await load(path)).elements
    for (const form of [`elements/${element.id}`, 'elements/new?type=callout']) {
      const { html } = await editor.get(`${path}/${form}`)
      expect(html).toContain('<option value="" selected>At the end</option>')
    }
  })

  test('cover, introduction and closing text are saved, and wrong fields keep what was typed', async () => {
    const path = await newsletterWith('general')
    const color = { has_cover_color: 'on', cover_color: '#0f766e' }
    const frame = { ...color, title: 'June', intro: 'Good morning.\nAll of you.\n\nRead on & on.' }
    await editor.post(`${path}/frame`, { ...frame, table_of_contents: 'true' })
    expect(await load(path)).toMatchObject({
      title: 'June',
      cover_color: '#0f766e',
      intro: '<p>Good morning.<br>All of you.</p><p>Read on &amp; on.</p>',
      closing: null,
      table_of_contents: true,
    })
    expect((await editor.get(`${path}/frame`)).html).toContain('#0f766e')
    // Without the check mark, the color that the browser sends is not used.
    await editor.post(`${path}/frame`, { part: 'cover', cover_color: '#0f766e' })
    expect(await load(path)).toMatchObject({ title: 'June', cover_color: null })
    const red = { has_cover_color: 'on', cover_color: 'red', intro: 'Still here' }
    const wrong = await editor.post(`${path}/frame`, red)
    expect(wrong.status).toBe(422)
    expect(wrong.html).toContain('Still here')
  })

  test('a viewer changes nothing, and another team sees nothing', async () => {
    const path = await newsletterWith('general')
    for (const page of [`${path}/frame`, `${path}/elements/new`]) {
      expect((await viewer.get(page)).status).toBe(403)
    }
    const stranger = await signedIn(app, await app.team(), 'editor')
    expect((await stranger.get(`${path}/frame`)).status).toBe(404)
    expect((await stranger.post(`${path}/elements/new`, { type: 'divider' })).status).toBe(404)
  })

  test('the team settings keep logo, contact and where news are shared', async () => {
    const admin = await signedIn(app, team, 'admin')
    const form = {
      name: 'Lantern',
      brand_color: '#0f766e',
      newsletter_cadence: 'weekly',
      image_url: 'https://a.example/logo.png',
      image_alt: '',
      contact: 'news@a.example',
      share_url: 'share@a.example',
    }
    expect((await admin.post('/settings/team', form)).status).toBe(303)
    expect((await call('GET', '/team')).json.team).toMatchObject({
      logo_url: 'https://a.example/logo.png',
      contact: 'news@a.example',
      share_url: 'mailto:share@a.example',
    })
    const { html } = (await call('GET', `${await newsletterWith('general')}/preview`)).json.preview
    expect(html).toContain('src="https://a.example/logo.png"')
    expect(html).toContain('href="mailto:share@a.example"')
    const wrong = await admin.post('/settings/team', { ...form, share_url: 'javascript:alert(1)' })
    expect(wrong.status).toBe(422)
  })
})
