import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { startApp, type TestApp } from '../../support/app.ts'
import { type Person, signedIn } from '../../support/console.ts'
import { blockOf, type Call, newsletterOf, unlimitedClient } from '../../support/newsletters.ts'

let app: TestApp
let call: Call
let ada: Person
let grace: Person
beforeAll(async () => {
  app = await startApp()
  const team = await app.team()
  call = await unlimitedClient(app, team)
  ada = await signedIn(app, team, 'editor')
  grace = await signedIn(app, team, 'editor')
})
afterAll(() => app.close())

const newsletter = async (path: string) => (await call('GET', path)).json.newsletter

/** The hidden and visible fields of the form of a page, as a browser would send them. */
async function fieldsOf(person: Person, path: string): Promise<Record<string, string>> {
  return fieldsIn((await person.get(path)).html)
}

function fieldsIn(html: string): Record<string, string> {
  const form = html
    .slice(html.indexOf('data-draft'))
    .replaceAll(/<input[^>]*type="checkbox"[^>]*>/g, '')
  const texts = [...form.matchAll(/<textarea id="(\w+)"[^>]*>\n?([^<]*)</g)]
  const inputs = [
    ...form.matchAll(/<input (?:type="hidden" name|id)="([\w[\]]+)"[^>]*? ?value="([^"]*)"/g),
  ]
  const choices = [
    ...form.matchAll(/<select id="(\w+)"(?:(?!<\/select>).)*?value="([^"]*)" selected/gs),
  ]
  const all = [...texts, ...inputs, ...choices].map(([, name = '', value = '']) => [name, value])
  return Object.fromEntries(all.filter(([name]) => name !== 'csrf'))
}

describe('one block, two people', () => {
  const block = async (path: string) =>
    (await call('GET', path.replace('/library', '/content_blocks'))).json.content_block
  const open = async (image = {}) => {
    const fields = { title: 'The lift', body: 'It works.', ...image }
    const path = `/library/${await blockOf(call, fields)}`
    const [first, second] = [
      await fieldsOf(ada, `${path}/edit`),
      await fieldsOf(grace, `${path}/edit`),
    ]
    const saveFirst = (changes: object) => ada.post(`${path}/edit`, { ...first, ...changes })
    const saveSecond = (changes: object) => grace.post(`${path}/edit`, { ...second, ...changes })
    return { path, saveFirst, saveSecond }
  }

  test('two people who edit one block at the same time see both texts when they have changed the same one, and keeping both loses no word', async () => {
    const { path, saveFirst, saveSecond } = await open()
    await saveFirst({ title: 'The lift works', body: 'It works, says Ada.' })
    const refused = await saveSecond({ body: 'It works, says Grace.' })
    expect(refused.status).toBe(409)
    expect(refused.html).toContain('It works, says Ada.')
    expect(refused.html).toContain('It works, says Grace.')
    expect(await block(path)).toMatchObject({ body: 'It works, says Ada.', version: 2 })
    const both = { ...fieldsIn(refused.html), 'conflict[]': 'body', keep: 'both' }
    expect((await grace.post(`${path}/edit`, both)).status).toBe(303)
    expect(await block(path)).toMatchObject({
      title: 'The lift works',
      body: 'It works, says Ada.\n\nIt works, says Grace.',
    })
  })

  test('two people who edit one block at the same time keep both changes when they have changed different fields, without a question', async () => {
    const { path, saveFirst, saveSecond } = await open()
    await saveFirst({ block_type: 'poll', publish_after: '2099-01-11T15:00' })
    expect((await saveSecond({ title: 'The lift is fine' })).status).toBe(303)
    expect(await block(path)).toMatchObject({
      title: 'The lift is fine',
      block_type: 'poll',
      publish_after: '2099-01-11T15:00:00.000Z',
    })
  })

  test('two people who edit one block at the same time keep an image that one of them has added', async () => {
    const { path, saveFirst, saveSecond } = await open()
    const image = { image_url: 'https://pictures.test/lift.png', image_alt: 'The lift' }
    await saveFirst(image)
    expect((await saveSecond({ body: 'It works again.' })).status).toBe(303)
    expect(await block(path)).toMatchObject({ ...image, body: 'It works again.' })
  })

  test('a form of a block that is refused for an error shows the text that another person has saved meanwhile', async () => {
    const { path, saveFirst, saveSecond } = await open()
    await saveFirst({ body: 'It works, says Ada.', author: 'Ada' })
    const refused = await saveSecond({ title: '' })
    expect(refused.status).toBe(422)
    const corrected = { ...fieldsIn(refused.html), title: 'The lift is fine' }
    expect((await grace.post(`${path}/edit`, corrected)).status).toBe(303)
    expect(await block(path)).toMatchObject({
      title: 'The lift is fine',
      body: 'It works, says Ada.',
      origin: { author: 'Ada' },
    })
  })

  test('a form of a block with an error still says that another person has changed its text, until it is decided', async () => {
    const { path, saveFirst, saveSecond } = await open()
    await saveFirst({ body: 'It works, says Ada.' })
    const mine = { body: 'It works, says Grace.', source_url: 'ftp://lift.example' }
    const refused = await saveSecond(mine)
    expect(refused.status).toBe(422)
    expect(refused.html).toContain('Someone else has changed this text')
    const both = { ...fieldsIn(refused.html), 'conflict[]': 'body', keep: 'both' }
    const again = await grace.post(`${path}/edit`, both)
    expect(again.status).toBe(422)
    expect(again.html).toContain('It works, says Ada.')
    const corrected = {
      ...fieldsIn(again.html),
      'conflict[]': 'body',
      keep: 'both',
      source_url: '',
    }
    expect((await grace.post(`${path}/edit`, corrected)).status).toBe(303)
    expect(await block(path)).toMatchObject({
      body: 'It works, says Ada.\n\nIt works, says Grace.',
    })
  })

  test('two people who edit one block at the same time see the value of the other when they have chosen different types, and the last decision counts', async () => {
    const { path, saveFirst, saveSecond } = await open()
    await saveFirst({ block_type: 'poll' })
    const refused = await saveSecond({ block_type: 'wins_milestones' })
    expect(refused.status).toBe(409)
    expect(refused.html).toContain('Type: Poll')
    // Of two types, only one can be kept.
    expect(refused.html).toContain('Someone else has changed this while you wrote')
    expect(refused.html).not.toContain('Keep both texts')
    const fields = { ...fieldsIn(refused.html), block_type: 'wins_milestones' }
    expect((await grace.post(`${path}/edit`, fields)).status).toBe(303)
    expect(await block(path)).toMatchObject({ block_type: 'wins_milestones' })
  })

  const lift = { image_url: 'https://pictures.test/lift.png', image_alt: 'The lft' }
  const stairs = { image_url: 'https://pictures.test/stairs.png', image_alt: 'The stairs' }
  const shown = { ...lift, image_focus: '0.5 0.5' }

  for (const { name, change, left } of [
    {
      name: 'corrects the text of the image',
      change: { image_alt: 'The lift' },
      left: { ...stairs, image_alt: 'The lift' },
    },
    {
      name: 'chooses another visible part',
      change: { image_focus: '0 0' },
      left: { ...stairs, image_focal_x: 0, image_focal_y: 0 },
    },
    {
      name: 'marks the image as decorative',
      change: { image_decorative: 'on' },
      left: { ...stairs, image_alt: '' },
    },
    {
      name: 'also replaces the image',
      change: { image_url: 'https://pictures.test/door.png', image_alt: 'The door' },
      left: { image_url: 'https://pictures.test/door.png', image_alt: 'The door' },
    },
  ]) {
    test(`a person who ${name} in a block sees that another person has replaced the image, and does not replace it unseen`, async () => {
      const { path, saveFirst, saveSecond } = await open(lift)
      await saveFirst({ ...shown, ...stairs })
      const refused = await saveSecond({ ...shown, ...change })
      expect(refused.status).toBe(409)
      expect(refused.html).toContain('Image: The stairs')
      expect(refused.html).toContain(stairs.image_url)
      expect(await block(path)).toMatchObject({ ...stairs, version: 2 })
      const again = { image_focus: '0.5 0.5', ...fieldsIn(refused.html), ...withoutText(change) }
      expect((await grace.post(`${path}/edit`, again)).status).toBe(303)
      expect(await block(path)).toMatchObject(left)
    })
  }

  /** The boxes and places that a person has chosen; the texts are in the fields that `fieldsIn` reads. */
  const withoutText = (change: Record<string, string | undefined>) => {
    const { image_focus, image_decorative } = change
    return { ...(image_focus && { image_focus }), ...(image_decorative && { image_decorative }) }
  }

  test('two people who change the text and the visible part of the same image of a block keep both changes, and two texts are both shown and kept', async () => {
    const { path, saveFirst, saveSecond } = await open(lift)
    await saveFirst({ ...shown, image_alt: 'The old lift' })
    expect((await saveSecond({ ...shown, image_focus: '1 1' })).status).toBe(303)
    const both = { image_alt: 'The old lift', image_focal_x: 1, image_focal_y: 1 }
    expect(await block(path)).toMatchObject({ image_url: lift.image_url, ...both })
    const refused = await saveSecond({ ...shown, image_alt: 'The lift' })
    expect(refused.status).toBe(409)
    expect(refused.html).toContain('Image: The old lift')
    const fields = { ...fieldsIn(refused.html), image_focus: '1 1' }
    await grace.post(`${path}/edit`, { ...fields, 'conflict[]': 'image', keep: 'both' })
    expect(await block(path)).toMatchObject({ ...both, image_alt: 'The old lift / The lift' })
  })

  test('a file for the image of a block, sent without JavaScript, does not silently replace an image that another person has chosen, and is kept', async () => {
    const { path, saveFirst, saveSecond } = await open(lift)
    await saveFirst({ ...shown, ...stairs })
    const pixel = { create: { width: 9, height: 9, channels: 3, background: '#fff' } } as const
    const bytes = new Uint8Array(await sharp(pixel).png().toBuffer())
    const image = new File([bytes], 'lift.png', { type: 'image/png' })
    const refused = await saveSecond({ ...shown, image })
    expect(refused.status).toBe(409)
    expect(refused.html).toContain('Image: The stairs')
    const again = { ...fieldsIn(refused.html), image_focus: '0.5 0.5' }
    expect((await grace.post(`${path}/edit`, again)).status).toBe(303)
    const { image_url } = await block(path)
    expect(new URL(image_url).pathname).toMatch(/^\/media\/[0-9a-f]{64}\.png$/)
    const { html } = await saveFirst({ ...shown, image_alt: 'The lift' })
    expect(html).toContain(`<img class="their-image" src="${new URL(image_url).pathname}" alt=""/>`)
    expect(html).not.toMatch(/id="image_(?:remove|decorative)"[^>]* checked/)
  })

  test('a person who corrects the text of an image of a block reads that another person has removed the image', async () => {
    const { path, saveFirst, saveSecond } = await open(lift)
    await saveFirst({ ...shown, image_remove: 'on' })
    const refused = await saveSecond({ ...shown, image_alt: 'The lift' })
    expect(refused.status).toBe(409)
    expect(refused.html).toContain('They have removed the image.')
    expect((await block(path)).image_url).toBeNull()
  })
})

describe('one newsletter, two people', () => {
  test('the second one sees both introductions, and keeping both loses no word', async () => {
    const path = await newsletterOf(call, [], { intro: '<p>Hello.</p>' })
    const page = `${path}/frame?part=intro`
    const [first, second] = [await fieldsOf(ada, page), await fieldsOf(grace, page)]
    expect(second['original_intro']).toBe('Hello.')
    await ada.post(`${path}/frame`, { ...first, intro: 'Hello from Ada.' })
    const reply = await grace.post(`${path}/frame`, { ...second, intro: 'Hello from Grace.' })
    expect(reply.status).toBe(409)
    expect(reply.html).toContain('Hello from Ada.')
    expect(reply.html).toContain('Hello from Grace.')
    expect((await newsletter(path)).intro).toBe('<p>Hello from Ada.</p>')
    const both = { ...fieldsIn(reply.html), 'conflict[]': 'intro', keep: 'both' }
    expect((await grace.post(`${path}/frame`, both)).status).toBe(303)
    expect((await newsletter(path)).intro).toBe('<p>Hello from Ada.</p><p>Hello from Grace.</p>')
  })

  test('a form that is refused for an error shows the text that the first one has saved meanwhile', async () => {
    const path = await newsletterOf(call, [], { intro: '<p>Hello.</p>' })
    const page = `${path}/frame`
    const [first, second] = [await fieldsOf(ada, page), await fieldsOf(grace, page)]
    await ada.post(page, { ...first, intro: 'From Ada.' })
    const refused = await grace.post(page, { ...second, title: '' })
    expect(refused.status).toBe(422)
    const corrected = { ...fieldsIn(refused.html), title: 'News of May' }
    expect((await grace.post(page, corrected)).status).toBe(303)
    expect(await newsletter(path)).toMatchObject({
      title: 'News of May',
      intro: '<p>From Ada.</p>',
    })
  })

  test('who keeps both texts, and has to correct another field first, still keeps both', async () => {
    const path = await newsletterOf(call, [], { intro: '<p>Hello.</p>' })
    const page = `${path}/frame`
    const [first, second] = [await fieldsOf(ada, page), await fieldsOf(grace, page)]
    await ada.post(page, { ...first, intro: 'From Ada.' })
    const mine = { ...second, intro: 'From Grace.', title: '' }
    const seen = await grace.post(page, mine)
    expect(seen.status).toBe(409)
    const keep = { 'conflict[]': 'intro', keep: 'both' }
    const refused = await grace.post(page, { ...fieldsIn(seen.html), ...keep })
    expect(refused.status).toBe(422)
    expect(refused.html).toContain('From Ada.')
    await grace.post(page, { ...fieldsIn(refused.html), ...keep, title: 'News of May' })
    expect(await newsletter(path)).toMatchObject({
      title: 'News of May',
      intro: '<p>From Ada.</p><p>From Grace.</p>',
    })
  })

  test('the second one can replace the text of the first after seeing it', async () => {
    const path = await newsletterOf(call, [], { intro: '<p>Hello.</p>' })
    const page = `${path}/frame?part=intro`
    const [first, second] = [await fieldsOf(ada, page), await fieldsOf(grace, page)]
    await ada.post(`${path}/frame`, { ...first, intro: 'From Ada.' })
    const { html } = await grace.post(`${path}/frame`, { ...second, intro: 'From Grace.' })
    const { status } = await grace.post(`${path}/frame`, fieldsIn(html))
    expect(status).toBe(303)
    expect((await newsletter(path)).intro).toBe('<p>From Grace.</p>')
  })

  test('a text that only the first one has changed is still theirs after a conflict about another text', async () => {
    const path = await newsletterOf(call, [], { intro: '<p>Hello.</p>', closing: '<p>Bye.</p>' })
    const page = `${path}/frame`
    const [first, second] = [await fieldsOf(ada, page), await fieldsOf(grace, page)]
    await ada.post(page, { ...first, intro: 'From Ada.', closing: 'Bye from Ada.' })
    const { status, html } = await grace.post(page, { ...second, intro: 'From Grace.' })
    expect(status).toBe(409)
    await grace.post(page, fieldsIn(html))
    expect(await newsletter(path)).toMatchObject({
      intro: '<p>From Grace.</p>',
      closing: '<p>Bye from Ada.</p>',
    })
  })

  test('two people change different texts of a newsletter at the same time, and both changes are kept', async () => {
    const path = await newsletterOf(call, [], { intro: '<p>Hello.</p>', closing: '<p>Bye.</p>' })
    const page = `${path}/frame`
    const [first, second] = [await fieldsOf(ada, page), await fieldsOf(grace, page)]
    await ada.post(page, { ...first, intro: 'Hello from Ada.' })
    const { status } = await grace.post(page, { ...second, closing: 'Bye from Grace.' })
    expect(status).toBe(303)
    expect(await newsletter(path)).toMatchObject({
      intro: '<p>Hello from Ada.</p>',
      closing: '<p>Bye from Grace.</p>',
    })
  })

  test('a callout that two people change at once shows both texts, and keeps both', async () => {
    const path = await newsletterOf(call, [await blockOf(call)])
    const callout = { type: 'callout', body: '<p>Closed.</p>' }
    const { json } = await call('POST', `${path}/elements`, callout)
    const page = `${path}/elements/${json.element.id}`
    const [first, second] = [await fieldsOf(ada, page), await fieldsOf(grace, page)]
    await ada.post(page, { ...first, body: 'Closed on Friday.' })
    const reply = await grace.post(page, { ...second, body: 'Closed on Monday.' })
    expect(reply.status).toBe(409)
    const both = { ...fieldsIn(reply.html), 'conflict[]': 'body', keep: 'both' }
    expect((await grace.post(page, both)).status).toBe(303)
    const { elements } = await newsletter(path)
    expect(elements.at(-1).body).toBe('<p>Closed on Friday.</p><p>Closed on Monday.</p>')
  })

  test('a form of an element that is refused for an error shows the text that the first one has saved meanwhile', async () => {
    const path = await newsletterOf(call, [await blockOf(call)])
    const poll = {
      type: 'poll',
      heading: 'Which day?',
      options: ['Friday', 'Monday'].map((label) => ({ label, url: `https://acme.test/${label}` })),
    }
    const { json } = await call('POST', `${path}/elements`, poll)
    const page = `${path}/elements/${json.element.id}`
    const [first, second] = [await fieldsOf(ada, page), await fieldsOf(grace, page)]
    await ada.post(page, { ...first, heading: 'Which day suits you?' })
    const refused = await grace.post(page, { ...second, options: 'Friday' })
    expect(refused.status).toBe(422)
    const options = 'Friday https://acme.test/Friday\nTuesday https://acme.test/Tuesday'
    const corrected = { ...fieldsIn(refused.html), options }
    expect((await grace.post(page, corrected)).status).toBe(303)
    expect((await newsletter(path)).elements.at(-1)).toMatchObject({
      heading: 'Which day suits you?',
      options: [{ label: 'Friday' }, { label: 'Tuesday' }],
    })
  })

  test('of introductions that are saved at the same moment, all but one are refused, and none is lost silently', async () => {
    const path = await newsletterOf(call, [], { intro: '<p>Hello.</p>' })
    const fields = await fieldsOf(ada, `${path}/frame?part=intro`)
    const replies = await Promise.all(
      ['one', 'two', 'three', 'four'].map(async (word) => {
        const { status } = await ada.post(`${path}/frame`, { ...fields, intro: `Hello ${word}.` })
        return { word, status }
      }),
    )
    const saved = replies.filter(({ status }) => status === 303)
    expect(saved.length).toBe(1)
    expect(replies.filter(({ status }) => status === 409).length).toBe(3)
    expect((await newsletter(path)).intro).toBe(`<p>Hello ${saved[0]?.word}.</p>`)
  })
})

test('two people who change the image, the color and the title of a cover at once keep all changes', async () => {
  const path = await newsletterOf(call)
  const page = `${path}/frame?part=cover`
  const [ofAda, ofGrace] = [await fieldsOf(ada, page), await fieldsOf(grace, page)]
  const image = { image_url: 'https://example.com/cover.jpg', image_alt: 'The harbor at night' }
  await ada.post(`${path}/frame`, { ...ofAda, ...image })
  await grace.post(`${path}/frame`, { ...ofGrace, title: 'A better title' })
  const color = { has_cover_color: 'on', cover_color: '#0f766e' }
  await ada.post(`${path}/frame`, { ...ofAda, ...color })
  expect(await newsletter(path)).toMatchObject({
    title: 'A better title',
    cover_image_url: image.image_url,
    cover_image_alt: image.image_alt,
    cover_color: '#0f766e',
  })
})

test('a person who corrects the text of a cover image sees that another person has replaced the image', async () => {
  const night = { cover_image_url: 'https://example.com/night.jpg', cover_image_alt: 'The harbr' }
  const path = await newsletterOf(call, [], night)
  const page = `${path}/frame?part=cover`
  const [ofAda, ofGrace] = [await fieldsOf(ada, page), await fieldsOf(grace, page)]
  const day = { image_url: 'https://example.com/day.jpg', image_alt: 'The harbor at noon' }
  const focus = { image_focus: '0.5 0.5' }
  await ada.post(`${path}/frame`, { ...ofAda, ...focus, ...day })
  const change = { image_alt: 'The harbor', title: 'A better title' }
  const refused = await grace.post(`${path}/frame`, { ...ofGrace, ...focus, ...change })
  expect(refused.status).toBe(409)
  expect(refused.html).toContain('Someone else has changed')
  expect(refused.html).toContain('Image: The harbor at noon')
  const stored = { cover_image_url: day.image_url, cover_image_alt: day.image_alt }
  expect(await newsletter(path)).toMatchObject(stored)
  await grace.post(`${path}/frame`, { ...fieldsIn(refused.html), ...focus })
  expect(await newsletter(path)).toMatchObject({
    title: 'A better title',
    cover_image_url: day.image_url,
    cover_image_alt: 'The harbor',
  })
})
