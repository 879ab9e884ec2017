import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Team } from '../../../src/features/teams/index.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { signedIn } from '../../support/console.ts'
import { blockOf, newsletterOf, unlimitedClient } from '../../support/newsletters.ts'

let app: TestApp
let team: Team
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** An editor of a new team, and a client of the API for what is there already. */
async function signInEditor() {
  team = await app.team()
  const editor = await signedIn(app, team, 'editor')
  const call = await unlimitedClient(app, team)
  const read = async (id: string) => (await call('GET', `/content_blocks/${id}`)).json.content_block
  return { editor, call, read }
}

const fields = {
  title: 'A title',
  body: 'Some words.',
  block_type: 'general',
  event_slug: '',
  image_url: '',
  image_size: '',
  publish_after: '',
}

test('saving a block names the parts of its text that were removed, and not those that it had already lost', async () => {
  const { editor, read } = await signInEditor()
  const body = '<p>Fix: i<sum and crash></p><p>See <a href="wiki/fix">it</a></p>'
  const created = await editor.post('/library/new', { ...fields, body })
  const path = created.location ?? ''
  const page = await editor.get(path)
  expect(page.html).toContain('they look like HTML')
  expect(page.html).toContain('wiki/fix')
  const id = path.replace('/library/', '')
  const { version, body: stored } = await read(id)
  const again = { ...fields, title: 'Another title', body: stored, version: String(version) }
  await editor.post(`${path}/edit`, again)
  expect((await editor.get(path)).html).not.toContain('they look like HTML')
  const changed = { ...again, body: '<p>A<b and c></p>', version: String(version + 1) }
  await editor.post(`${path}/edit`, changed)
  expect((await editor.get(path)).html).toContain('they look like HTML')
})

test('emoji codes in the title and the text of a block become emoji when it is saved, except in code', async () => {
  const { editor, read } = await signInEditor()
  const created = await editor.post('/library/new', {
    ...fields,
    title: 'We won :tada:',
    body: '<p>Thanks &amp; <b>:heart:</b> at 10:30:45</p><pre>:tada:</pre>',
  })
  const id = created.location?.split('/').at(-1) ?? ''
  const block = await read(id)
  expect(block).toMatchObject({ title: 'We won 🎉' })
  expect(block.body).toBe('<p>Thanks &amp; <b>❤️</b> at 10:30:45</p><pre>:tada:</pre>')
  const change = { ...fields, version: '1', title: 'We won :rocket:', body: 'Plain :tada:' }
  expect((await editor.post(`/library/${id}/edit`, change)).status).toBe(303)
  expect(await read(id)).toMatchObject({ title: 'We won 🚀', body: 'Plain 🎉' })
})

test('a block whose body repeats its title is shown once', async () => {
  const { editor, call } = await signInEditor()
  const brief = await blockOf(call, { title: 'We won the cup', body: 'We won the cup!' })
  const story = await blockOf(call, { title: 'We won the cup', body: 'Against all odds.' })
  const heading = /<h3[^>]*>We won the cup<\/h3>/
  expect((await editor.get(`/library/${brief}/html`)).html).not.toMatch(heading)
  expect((await editor.get(`/library/${story}/html`)).html).toMatch(heading)
})

test('a block is shown as the email of the newest newsletter shows it, without header and footer', async () => {
  const { editor, call } = await signInEditor()
  const id = await blockOf(call, { title: 'The harbour party', body: 'On Friday at six.' })
  const path = await newsletterOf(call, [id], { title: 'November news', template_slug: 'bold' })
  const { html } = await editor.get(`/library/${id}/html`)
  const { preview } = (await call('GET', `${path}/preview`)).json
  const block = /<h3.*?On Friday at six\.<\/p>/s
  expect(block.exec(html)?.[0]).toBe(block.exec(preview.html)?.[0] ?? '')
  expect(html).not.toContain('November news')
  const stranger = await signInEditor()
  expect((await stranger.editor.get(`/library/${id}/html`)).status).toBe(404)
})

/** The words of the tabs of a page of the library. */
const tabsOf = (html: string) =>
  /<nav class="tabs"[\s\S]*?<\/nav>/
    .exec(html)?.[0]
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

describe('The list of blocks', () => {
  test('the library opens on drafts and shows the number of blocks per status', async () => {
    const { editor, call } = await signInEditor()
    await blockOf(call, { title: 'For you to see', status: 'draft' })
    await blockOf(call, { title: 'Seen before' })
    const { html } = await editor.get('/library')
    expect(html).toContain('For you to see')
    expect(html).not.toContain('Seen before')
    expect(html.replaceAll(/<[^>]+>|\s+/g, ' ')).toMatch(/Drafts\s+1\s+Ready\s+1\s+Used\s+0/)
    const ready = (await editor.get('/library?status=ready')).html
    expect(ready).toContain('Seen before')
    expect(tabsOf(ready)).toBe('Drafts 1 Ready 1 Used 0 All')
    // The numbers are those of all blocks, not of those that a filter finds.
    for (const query of ['q=seen', 'type=poll&status=ready', 'source=manual', 'event=open-day']) {
      const filtered = (await editor.get(`/library?${query}`)).html
      expect(tabsOf(filtered)).toBe('Drafts Ready Used All')
      // The navigation still counts the drafts.
      expect(filtered).toContain('data-drafts="1"')
    }
  })

  test.each([
    ['words', 'q=harbour'],
    ['words and the beginning of one', 'q=come+harb'],
    ['the beginning of a word that is not of ASCII letters', 'q=Grö'],
    ['type', 'status=all&type=poll'],
    ['source', 'status=all&source=webhook'],
    ['event', 'event=open-day'],
  ])('the library is filtered by %s', async (_, query) => {
    const { editor, call } = await signInEditor()
    await blockOf(call, { title: 'Something else' })
    const wanted = { title: 'The harbour party', block_type: 'poll', event_slug: 'open-day' }
    await call('POST', '/webhooks/ingest', { ...wanted, body: 'Come along, it’s grösser.' })
    const { html } = await editor.get(`/library?${query}`)
    expect(html).toContain('The harbour party')
    expect(html).not.toContain('Something else')
  })

  test('a word that ends in a space, a single letter and the words before the last are searched as they are', async () => {
    const { editor, call } = await signInEditor()
    await blockOf(call, { title: 'The harbour party' })
    for (const query of ['harb+', 'h', 'harb+party', 'zzz+harb']) {
      const { html } = await editor.get(`/library?q=${query}`)
      expect([query, html.includes('The harbour party')]).toEqual([query, query === 'harb+'])
    }
  })

  test('the pages of the library contain every block exactly once', async () => {
    const { editor, call } = await signInEditor()
    await Promise.all(
      Array.from({ length: 35 }, (_, n) => blockOf(call, { title: `Block ${n}`, status: 'draft' })),
    )
    const seen: string[] = []
    let path: string | undefined = '/library'
    while (path) {
      const { html } = await editor.get(path)
      seen.push(...[...html.matchAll(/data-id="(cb_\w+)"/g)].map(([, id = '']) => id))
      path = /href="([^"]+after=cb_\w+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
    }
    expect(seen).toHaveLength(35)
    expect(new Set(seen).size).toBe(35)
  })

  test('the request for newer blocks returns each new block once', async () => {
    const { editor, call } = await signInEditor()
    const first = await blockOf(call, { title: 'There before', status: 'draft' })
    await blockOf(call, { title: 'Just in', status: 'draft' })
    const { html } = await editor.get(`/library/newer?status=draft&after=${first}`)
    expect(html).toContain('Just in')
    expect(html).not.toContain('There before')
  })

  test('the empty library and an empty search result explain what to do', async () => {
    const { editor } = await signInEditor()
    expect((await editor.get('/library')).html).toContain('No drafts')
    expect((await editor.get('/library?q=zebra')).html).toContain('No matching blocks')
  })
})

describe('Review', () => {
  test('approving a block can be undone, and both return to the same list', async () => {
    const { editor, call, read } = await signInEditor()
    const id = await blockOf(call, { status: 'draft' })
    const back = '/library?status=draft&q=story'
    await editor.get('/library')
    const { location } = await editor.post(`/library/${id}/status`, { to: 'ready', back })
    expect(location).toBe(`${back}&reviewed=${id}`)
    expect(await read(id)).toMatchObject({ status: 'ready' })
    await editor.post(`/library/${id}/status`, { to: 'draft' })
    expect(await read(id)).toMatchObject({ status: 'draft' })
  })

  test('the list that approved a block stays, without its notice, once the block is deleted', async () => {
    const { editor, call } = await signInEditor()
    const id = await blockOf(call, { title: 'Approved and deleted', status: 'draft' })
    await blockOf(call, { title: 'Still there', status: 'draft' })
    const back = '/library?status=draft'
    const { location } = await editor.post(`/library/${id}/status`, { to: 'ready', back })
    const approved = await editor.get(location ?? '')
    expect(approved.html).toContain('Approved and deleted')
    await editor.post(`/library/${id}/delete`, {})
    for (const path of [location ?? '', `${back}&reviewed=no-id`]) {
      const { status, html } = await editor.get(path)
      expect(status).toBe(200)
      expect(html).toContain('Still there')
      expect(html).not.toContain('Approved and deleted')
    }
  })

  test('a block whose text was changed since its page was opened is not approved', async () => {
    const { editor, call, read } = await signInEditor()
    const id = await blockOf(call, { status: 'draft' })
    const version = /name="version" value="(\d+)"/.exec(
      (await editor.get(`/library/${id}`)).html,
    )?.[1]
    await call('PATCH', `/content_blocks/${id}`, { body: 'Another text.' })
    const form = { to: 'ready', back: `/library/${id}`, version: version ?? '' }
    const { location } = await editor.post(`/library/${id}/status`, form)
    expect(location).toBe(`/library/${id}`)
    expect((await editor.get(`/library/${id}`)).html).toContain('was changed in the meantime')
    expect(await read(id)).toMatchObject({ status: 'draft' })
  })

  test('a block that was changed since the list was opened is not approved with the button of its row', async () => {
    const { editor, call, read } = await signInEditor()
    const id = await blockOf(call, { status: 'draft' })
    const { html } = await editor.get('/library')
    const path = new RegExp(`/library/${id}/status\\?version=\\d+`).exec(html)?.[0] ?? ''
    await call('PATCH', `/content_blocks/${id}`, { title: 'Another title' })
    const inPlace = { 'hx-request': 'true', 'hx-target': 'block-list' }
    const refused = await editor.post(path, { to: 'ready' }, inPlace)
    expect(refused.status).toBe(409)
    expect(refused.html).toContain('The block was changed in the meantime.')
    expect((await editor.post(path, { to: 'ready' })).location).toBe('/library')
    expect(await read(id)).toMatchObject({ status: 'draft' })
    const again = await editor.get('/library')
    expect(again.html).toContain('The block was changed in the meantime.')
    const newPath = new RegExp(`/library/${id}/status\\?version=\\d+`).exec(again.html)?.[0] ?? ''
    await editor.post(newPath, { to: 'ready' })
    expect(await read(id)).toMatchObject({ status: 'ready' })
  })

  test('a review never redirects outside the library', async () => {
    const { editor, call } = await signInEditor()
    const id = await blockOf(call, { status: 'draft' })
    await editor.get('/library')
    for (const back of ['https://evil.example', '//evil.example', '/library/../settings']) {
      const { status } = await editor.post(`/library/${id}/status`, { to: 'ready', back })
      expect(status).toBe(422)
    }
  })

  test('a bulk review approves the selected blocks and reports those that were used or deleted in the meantime', async () => {
    const { editor, call, read } = await signInEditor()
    const ids = await Promise.all([1, 2, 3].map(() => blockOf(call, { status: 'draft' })))
    const [first = '', second = '', gone = ''] = ids
    await call('DELETE', `/content_blocks/${gone}`)
    await editor.get('/library')
    const selected = ids.map((id) => `${id}.1`)
    const { location } = await editor.post('/library/bulk', { to: 'ready', 'selected[]': selected })
    expect((await editor.get(location ?? '')).html).toContain(
      '2 blocks approved. 1 of 3 had been used or deleted in the meantime.',
    )
    for (const id of [first, second]) expect(await read(id)).toMatchObject({ status: 'ready' })
    await editor.post('/library/bulk', { to: 'ready' })
    expect((await editor.get('/library')).html).toContain('Select at least one block first.')
  })

  test('selected blocks are declined together, except for those that were changed or that a newsletter contains', async () => {
    const { editor, call } = await signInEditor()
    const ids: string[] = []
    for (const title of ['Unwanted', 'Rewritten', 'In use', 'Ready']) {
      ids.push(await blockOf(call, { title, status: title === 'Ready' ? 'ready' : 'draft' }))
    }
    const [unwanted = '', rewritten = '', used = ''] = ids
    await editor.get('/library')
    await call('PATCH', `/content_blocks/${rewritten}`, { body: 'Other words.' })
    await newsletterOf(call, [used])
    const selected = ids.map((id) => `${id}.1`)
    const form = { to: 'decline', 'selected[]': selected }
    const { location } = await editor.post('/library/bulk', form)
    expect((await editor.get(location ?? '')).html).toContain(
      '1 block declined. “Rewritten” was changed in the meantime. Read it again before you decide. 2 of 4 had been used or deleted in the meantime.',
    )
    const left = await Promise.all(
      ids.map(async (id) => (await call('GET', `/content_blocks/${id}`)).status),
    )
    expect(left).toEqual([404, 200, 200, 200])
    await editor.post('/library/bulk', { to: 'restore', 'selected[]': [`${unwanted}.0`] })
    expect((await call('GET', `/content_blocks/${unwanted}`)).status).toBe(200)
  })

  test('a bulk review leaves blocks alone that were changed since the list was opened, and names them', async () => {
    const { editor, call, read } = await signInEditor()
    const ids: string[] = []
    for (const title of ['Read', 'Rewritten', 'Approved']) {
      ids.push(await blockOf(call, { title, status: 'draft' }))
    }
    const [, rewritten, approved] = ids
    const { html } = await editor.get('/library')
    const selected = [...html.matchAll(/name="selected\[\]" value="([^"]+)"/g)].map(
      ([, seen = '']) => seen,
    )
    expect(selected).toHaveLength(3)
    await call('PATCH', `/content_blocks/${rewritten}`, { body: 'Other words.' })
    await call('PATCH', `/content_blocks/${approved}`, { status: 'ready' })
    const { location } = await editor.post('/library/bulk', { to: 'ready', 'selected[]': selected })
    expect((await editor.get(location ?? '')).html).toContain(
      '2 blocks approved. “Rewritten” was changed in the meantime. Read it again before you decide.',
    )
    const statuses = await Promise.all(ids.map(async (id) => (await read(id)).status))
    expect(statuses).toEqual(['ready', 'draft', 'ready'])
    expect(await read(rewritten ?? '')).toMatchObject({ body: 'Other words.', version: 2 })
  })
})

describe('written blocks', () => {
  test('a block that a person writes shows its author and its link in the library, on its page, in emails and in plain text', async () => {
    const { editor, call } = await signInEditor()
    const form = { title: 'New office', body: 'We move in May.', block_type: 'general' }
    const credit = { author: 'Ines Andrade', source_url: 'https://acme.example/office' }
    const { location } = await editor.post('/library/new', { ...form, ...credit })
    const id = location?.split('/').at(-1) ?? ''
    expect((await editor.get('/library')).html).toContain('Ines Andrade')
    const page = (await editor.get(`/library/${id}`)).html
    for (const text of Object.values(credit)) expect(page).toContain(text)
    await call('PATCH', `/content_blocks/${id}`, { status: 'ready' })
    const newsletter = await newsletterOf(call, [id], { title: 'May' })
    const { html, text } = (await call('GET', `${newsletter}/preview`)).json.preview
    expect(html).toMatch(/Ines Andrade.*href="https:\/\/acme\.example\/office"[^>]*>Read more/s)
    expect(text).toContain('By Ines Andrade\nRead more: https://acme.example/office')
  })

  test('a block that a person writes is not saved with a link that is not a web address, and the form keeps what was typed', async () => {
    const { editor } = await signInEditor()
    const form = { title: 'New office', body: 'We move.', block_type: 'general', author: 'Ines' }
    const { status, html } = await editor.post('/library/new', {
      ...form,
      source_url: 'ftp://acme',
    })
    expect(status).toBe(422)
    expect(html).toContain('must be an http or https address')
    expect(html).toContain('value="ftp://acme"')
  })

  test('a block that a person writes keeps its author and link when a form that does not have these fields is saved', async () => {
    const { editor, call, read } = await signInEditor()
    const credit = { author: 'Ines Andrade', source_url: 'https://acme.example/office' }
    const block = { title: 'New office', body: 'We move.' }
    const { json } = await call('POST', '/content_blocks', { ...block, ...credit })
    const { id } = json.content_block
    const form = { ...block, title: 'Newer office', block_type: 'general', version: '1' }
    await editor.post(`/library/${id}/edit`, form)
    const origin = { author: credit.author, url: credit.source_url }
    expect(await read(id)).toMatchObject({ title: 'Newer office', origin })
  })
})

describe('The page of a block', () => {
  test('the page of a block shows its origin and the newsletters that contain it', async () => {
    const { editor, call } = await signInEditor()
    const item = {
      title: 'Rye 2.0',
      body: '<p>New <b>bread</b></p>',
      external_id: 'rye:2',
      source_url: 'https://rye.test/2',
      author: 'Mira Okonkwo',
    }
    const { json } = await call('POST', '/webhooks/ingest', item)
    const { id } = json.content_block
    await newsletterOf(call, [id], { title: 'November news' })
    const { html } = await editor.get(`/library/${id}`)
    expect((await editor.get(`/library/${id}/html`)).html).toContain('<b>bread</b>')
    for (const words of ['rye:2', 'https://rye.test/2', 'Mira Okonkwo', 'test key'])
      expect(html).toContain(words)
    expect(html).toContain('November news')
  })

  test('a deleted block can be restored unchanged', async () => {
    const { editor, call, read } = await signInEditor()
    const item = { title: 'Oops', body: 'Not this one.', external_id: 'oops' }
    const { json } = await call('POST', '/webhooks/ingest', item)
    const { id } = json.content_block
    await editor.get('/library')
    const { location } = await editor.post(`/library/${id}/delete`)
    expect((await call('GET', `/content_blocks/${id}`)).status).toBe(404)
    expect((await editor.get(location ?? '')).html).toContain('“Oops” is declined.')
    await editor.post(`/library/${id}/restore`)
    expect(await read(id)).toMatchObject({
      ...json.content_block,
      version: 2,
      updated_at: expect.anything(),
    })
    expect((await call('GET', '/content_blocks?q=oops')).json.content_blocks).toHaveLength(1)
    expect((await editor.get(location ?? '')).html).not.toContain('“Oops” is declined.')
  })

  test('the blocks that were declined in the last day are listed with who declined them, and are restored from there', async () => {
    const { editor, call, read } = await signInEditor()
    const draft = await call('POST', '/content_blocks', {
      title: 'Slip <1>',
      body: 'x',
      status: 'draft',
    })
    const ready = await call('POST', '/content_blocks', {
      title: 'Removed',
      body: 'x',
      status: 'ready',
    })
    const { id } = draft.json.content_block
    expect((await editor.get('/library/declined')).html).toContain('No block was declined')
    await editor.get('/library')
    const { location } = await editor.post(`/library/${id}/delete`)
    expect((await editor.get(location ?? '')).html).toContain('“Slip &lt;1&gt;” is declined.')
    await editor.post(`/library/${ready.json.content_block.id}/delete`)
    const { html } = await editor.get('/library')
    expect(html).toContain('href="/library/declined"')
    const list = await editor.get('/library/declined')
    expect(list.html).toContain('Slip &lt;1&gt;')
    expect(list.html).toContain('@')
    expect(list.html).not.toContain('Removed')
    const { editor: stranger } = await signInEditor()
    expect((await stranger.get('/library/declined')).html).not.toContain('Slip')
    await editor.post(`/library/${id}/restore`)
    expect(await read(id)).toMatchObject({ title: 'Slip <1>', status: 'draft' })
    // The first page says that the block is restored.
    await editor.get('/library')
    expect((await editor.get('/library/declined')).html).toContain('No block was declined')
  })

  test('a deleted block is not restored after its provider has sent it again, or for another team', async () => {
    const { editor, call } = await signInEditor()
    const item = { title: 'Twice', body: 'The same.', external_id: 'twice' }
    const { json } = await call('POST', '/webhooks/ingest', item)
    const { id } = json.content_block
    await editor.get('/library')
    await editor.post(`/library/${id}/delete`)
    const stranger = await signedIn(app, await app.team(), 'admin')
    expect((await stranger.post(`/library/${id}/restore`)).status).toBe(404)
    await call('POST', '/webhooks/ingest', item)
    expect((await editor.post(`/library/${id}/restore`)).status).toBe(404)
    expect((await call('GET', '/content_blocks?q=twice')).json.content_blocks).toHaveLength(1)
  })

  test('a block in a newsletter cannot be deleted, and the page says why', async () => {
    const { editor, call, read } = await signInEditor()
    const id = await blockOf(call)
    await newsletterOf(call, [id], { title: 'Held here' })
    await editor.get('/library')
    const { status, html } = await editor.post(`/library/${id}/delete`)
    expect(status).toBe(409)
    expect(html).toContain('Held here')
    expect(await read(id)).toMatchObject({ id })
  })
})

describe('The block form', () => {
  test('a block that is written by hand is a draft', async () => {
    const { editor, read } = await signInEditor()
    await editor.get('/library/new')
    const written = { ...fields, title: 'By hand', publish_after: '2099-01-02T03:04' }
    const { location } = await editor.post('/library/new', written)
    const id = location?.split('/').at(-1) ?? ''
    expect(await read(id)).toMatchObject({
      title: 'By hand',
      body: 'Some words.',
      body_format: 'text',
      status: 'draft',
      source: 'manual',
      publish_after: '2099-01-02T03:04:00.000Z',
      event_slug: null,
    })
  })

  test('an invalid block form shows errors at its fields and keeps the typed values', async () => {
    const { editor } = await signInEditor()
    await editor.get('/library/new')
    const wrong = { ...fields, title: '', event_slug: 'No Slug', image_url: 'javascript:alert(1)' }
    const { status, html } = await editor.post('/library/new', wrong)
    expect(status).toBe(422)
    for (const name of ['title', 'event_slug', 'image_url'])
      expect(html).toContain(`id="${name}-error"`)
    expect(html).toContain('Some words.')
    const { html: empty } = await editor.post('/library/new', { ...fields, body: '' })
    // The label of the field, not its name in the API.
    expect(empty).toContain('Text is required.')
  })

  test('editing a block changes its fields and clears emptied ones', async () => {
    const { editor, call, read } = await signInEditor()
    const id = await blockOf(call, { event_slug: 'open-day', body: 'a < b\nc' })
    const { html } = await editor.get(`/library/${id}/edit`)
    expect(html).toContain('value="open-day"')
    const body = 'a < b\nc'
    const { location } = await editor.post(`/library/${id}/edit`, { ...fields, body, version: '1' })
    expect(location).toBe(`/library/${id}`)
    expect(await read(id)).toMatchObject({
      title: 'A title',
      event_slug: null,
      body,
      body_format: 'text',
      version: 2,
    })
  })

  test('an edit conflict loses no text', async () => {
    const { editor, call, read } = await signInEditor()
    const id = await blockOf(call)
    await editor.get(`/library/${id}/edit`)
    await call('PATCH', `/content_blocks/${id}`, { title: 'Theirs' })
    const mine = { ...fields, title: 'Mine', version: '1' }
    const { status, html } = await editor.post(`/library/${id}/edit`, mine)
    expect(status).toBe(409)
    expect(html).toContain('value="Mine"')
    expect(html).toContain('Theirs')
    expect(await read(id)).toMatchObject({ title: 'Theirs' })
    await editor.post(`/library/${id}/edit`, { ...mine, version: '2' })
    expect(await read(id)).toMatchObject({ title: 'Mine', version: 3 })
  })
})

test('the title of a block whose text is longer than 64 KiB once it is sanitized can be corrected, and its text be made shorter', async () => {
  const { editor, read } = await signInEditor()
  const sent = `<p>${'R&D '.repeat(14_000)}</p>`
  const { location: path = '' } = await editor.post('/library/new', { ...fields, body: sent })
  const id = path?.replace('/library/', '') ?? ''
  const { body } = await read(id)
  expect(Buffer.byteLength(body)).toBeGreaterThan(64 * 1024)
  const edit = { ...fields, title: 'Better', original_title: 'A title', body, version: '1' }
  expect((await editor.post(`${path}/edit`, edit)).status).toBe(303)
  expect(await read(id)).toMatchObject({ title: 'Better', body })
  const shorter = { ...edit, body: body.replace('R&amp;D', 'Them'), version: '2' }
  expect((await editor.post(`${path}/edit`, shorter)).status).toBe(303)
  const longer = await editor.post(`${path}/edit`, { ...edit, version: '3' })
  expect([longer.status, longer.html]).toEqual([422, expect.stringContaining('at most 64 KiB')])
})
