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
})
