import { afterAll, beforeAll, expect, test } from 'bun:test'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { type Person, signedIn } from '../../support/console.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(async () => await app.close())

type Call = ReturnType<typeof client>

/** A newsletter with three blocks, and a heading before the third. */
async function createOriginal(): Promise<{
  editor: Person
  call: Call
  id: string
  blockIds: string[]
}> {
  const team = await app.team()
  const editor = await signedIn(app, team, 'editor')
  const call = client(app.base, await app.key(team, ['read', 'write']))
  const input = { title: 'Harbour notes', subject_line: 'Notes', intro: '<p>Good morning</p>' }
  const id = (await call('POST', '/newsletters', { ...input, scheduled_date: '2026-11-20' })).json
    .newsletter.id
  const blockIds: string[] = []
  for (const title of ['One', 'Two', 'Three']) {
    const { json } = await call('POST', '/content_blocks', { title, body: 'x', status: 'ready' })
    blockIds.push(json.content_block.id)
    await call('POST', `/newsletters/${id}/blocks`, { content_block_id: json.content_block.id })
  }
  const section = { type: 'section', heading: 'At the end', before_position: 3 }
  await call('POST', `/newsletters/${id}/elements`, section)
  return { editor, call, id, blockIds }
}

async function duplicate(editor: Person, call: Call, id: string) {
  const { location, status } = await editor.post(`/newsletters/${id}/duplicate`)
  expect(status).toBe(303)
  return (await call('GET', location ?? '')).json.newsletter
}

const titles = (newsletter: { blocks: { content_block: { title: string } }[] }) =>
  newsletter.blocks.map(({ content_block }) => content_block.title)

test('a duplicate has the texts, blocks and elements of the newsletter, and no date', async () => {
  const { editor, call, id } = await createOriginal()
  const copy = await duplicate(editor, call, id)
  expect(copy).toMatchObject({
    title: 'Harbour notes (copy)',
    subject_line: 'Notes',
    intro: '<p>Good morning</p>',
    scheduled_date: null,
    status: 'in_progress',
    elements: [{ type: 'section', heading: 'At the end', before_position: 3 }],
  })
  expect(titles(copy)).toEqual(['One', 'Two', 'Three'])
  expect((await call('GET', `/newsletters/${id}`)).json.newsletter.title).toBe('Harbour notes')
})

/** What the newsletter of the team says around its blocks. */
const around = {
  preheader_text: 'What is new',
  cover_image_url: 'https://a.example/harbour.png',
  cover_image_alt: 'The harbour',
  cover_focal_x: 0.25,
  cover_color: '#0f766e',
  intro: '<p>Good morning</p>',
  closing: '<p>See you</p>',
  table_of_contents: true,
  template_slug: 'digest',
}

/** The form of a duplicate without blocks, from the link of the page of the newsletter. */
async function openWithoutBlocks(editor: Person, id: string) {
  const { html } = await editor.get(`/newsletters/${id}`)
  const link = /href="([^"]+)">\s*Duplicate without its blocks/.exec(html)?.[1] ?? ''
  const form = await editor.get(link)
  return { form, action: /<form[^>]* action="([^"]*)" class="narrow"/.exec(form.html)?.[1] ?? '' }
}

const elementsOf = ({ elements }: { elements: Record<string, unknown>[] }) =>
  elements.map((one) => [one['type'], one['heading'], one['before_position']])

test('a duplicate without its blocks has all the rest: what was typed, cover, texts and elements in their order', async () => {
  const { editor, call, id } = await createOriginal()
  await call('PATCH', `/newsletters/${id}`, around)
  const callout = { type: 'callout', heading: 'Join us', body: '<p>On Friday</p>' }
  await call('POST', `/newsletters/${id}/elements`, callout)
  await call('POST', `/newsletters/${id}/elements`, { type: 'section', heading: 'First' })
  const { blocks, elements } = (await call('GET', `/newsletters/${id}`)).json.newsletter
  const [end, join, first] = elements
  const ids = [first, blocks[0], blocks[1], end, blocks[2], join].map((one) => one.id)
  await call('PATCH', `/newsletters/${id}/arrangement`, { ids })
  const { form, action } = await openWithoutBlocks(editor, id)
  expect(form.html).toContain('cover, texts, headings and callouts of “Harbour notes”')
  const typed = { title: 'December', subject_line: '', template_slug: 'digest' }
  // A form with an error is still that of a duplicate.
  const wrong = await editor.post(action, { ...typed, scheduled_date: '2026-02-31' })
  expect(wrong.status).toBe(422)
  expect(wrong.html).toContain(`action="${action}"`)
  const { location } = await editor.post(action, { ...typed, scheduled_date: '2026-12-18' })
  const copy = (await call('GET', (location ?? '').split('?')[0] ?? '')).json.newsletter
  expect(copy).toMatchObject({
    ...around,
    ...typed,
    subject_line: null,
    scheduled_date: '2026-12-18',
    status: 'draft',
    blocks: [],
  })
  expect(elementsOf(copy)).toEqual([
    ['section', 'First', 1],
    ['section', 'At the end', 1],
    ['callout', 'Join us', 1],
  ])
  expect(copy.elements[2].body).toBe('<p>On Friday</p>')
  expect((await editor.get(`/newsletters/${copy.id}?panel=outline`)).html).toContain('First')
})

test('a duplicate without its blocks can have all ready blocks, below its elements', async () => {
  const { editor, call, id } = await createOriginal()
  const news = { title: 'Four', body: 'x', status: 'ready' }
  await call('POST', '/content_blocks', news)
  const { action } = await openWithoutBlocks(editor, id)
  const typed = { title: 'December', template_slug: 'clean', fill: 'on' }
  const { location } = await editor.post(action, typed)
  const copy = (await call('GET', location ?? '')).json.newsletter
  expect(titles(copy)).toEqual(['Four'])
  expect(elementsOf(copy)).toEqual([['section', 'At the end', 1]])
})

test('a newsletter that was sent is duplicated without the blocks that were deleted since, and its elements keep their place', async () => {
  const { editor, call, id, blockIds } = await createOriginal()
  for (const status of ['ready', 'sent']) await call('PATCH', `/newsletters/${id}`, { status })
  expect((await call('DELETE', `/content_blocks/${blockIds[0]}`)).status).toBe(204)
  const copy = await duplicate(editor, call, id)
  expect(titles(copy)).toEqual(['Two', 'Three'])
  expect(copy.elements).toMatchObject([{ heading: 'At the end', before_position: 2 }])
  expect((await editor.get(`/newsletters/${copy.id}`)).html).toContain('without one block')
})

test('viewers cannot duplicate a newsletter, and nobody duplicates one of another team', async () => {
  const { id } = await createOriginal()
  const other = await app.team()
  const [viewer, editor] = [
    await signedIn(app, other, 'viewer'),
    await signedIn(app, other, 'editor'),
  ]
  expect((await viewer.post(`/newsletters/${id}/duplicate`)).status).toBe(403)
  expect((await editor.post(`/newsletters/${id}/duplicate`)).status).toBe(404)
  const typed = { title: 'Ours', template_slug: 'clean' }
  expect((await editor.post(`/newsletters?from=${id}`, typed)).status).toBe(404)
})
