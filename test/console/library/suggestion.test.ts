import { afterAll, beforeAll, expect, test } from 'bun:test'
import { client } from '../../support/app.ts'
import { follow, openBrowser } from '../../support/browser/browser.ts'
import { signedIn } from '../../support/console.ts'
import {
  type AppWithAi,
  completion,
  startAppWithAi,
  streamedCompletion,
} from '../../support/providers/ai-provider.ts'

let app: AppWithAi['app']
let provider: AppWithAi['provider']
let close: AppWithAi['close']
beforeAll(async () => {
  ;({ app, provider, close } = await startAppWithAi(20))
})
afterAll(() => close())

const better = { title: 'Search is fast', body: '<p>Search answers in half the time.</p>' }

/** An editor, and a block that a tool has sent. */
async function itemFor(body = 'Search is twice as fast.') {
  const team = await app.team()
  const editor = await signedIn(app, team, 'editor')
  const call = client(app.base, await app.key(team, ['read', 'write']))
  const { json } = await call('POST', '/webhooks/ingest', {
    title: 'Version 2 is out',
    body,
    block_type: 'wins_milestones',
  })
  const { id } = json.content_block
  const read = async () => (await call('GET', `/content_blocks/${id}`)).json.content_block
  return { team, editor, call, id, path: `/library/${id}`, read }
}

const fieldsIn = (html: string) => {
  const fieldOf = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1]?.replaceAll('&lt;', '<') ?? ''
  return {
    title: fieldOf('title'),
    version: fieldOf('version'),
    body: fieldOf('body').replaceAll('&gt;', '>'),
  }
}

test('the differences of a suggestion show the characters that people typed', async () => {
  const { editor, path } = await itemFor('<p>R&amp;D is fast.</p>')
  provider.answer = () => completion({ title: 'R&D', body: '<p>R&amp;D is very fast.</p>' })
  const { html } = await editor.post(`${path}/suggestion`)
  expect(html).toMatch(/R&amp;D is ?(?:<\/span>)?\s*<ins>/)
  expect(html.replace(/value="[^"]*"/g, '')).not.toContain('&amp;amp;')
})

test('the differences of a suggestion show paragraphs and points as lines', async () => {
  const { editor, path } = await itemFor('Search works offline.')
  provider.answer = () =>
    completion({
      title: 'Search',
      body: '<p>Search works offline.</p><ul><li>Faster</li><li>On trains</li></ul>',
    })
  const { html } = await editor.post(`${path}/suggestion`)
  const [, differences = ''] =
    /<p class="text-diff">(.*?)<\/p>\s*<p class="muted">/s.exec(html) ?? []
  const text = differences.replaceAll(/<[^>]*>/g, '')
  expect(text).toContain('Search works offline.\nFaster\nOn trains')
})

test('an editor gets a suggestion with its differences, accepts it, and can restore the original', async () => {
  const { editor, path, read } = await itemFor()
  expect((await editor.get(path)).html).toContain(`href="${path}/suggestion"`)
  provider.answer = () => completion(better)
  const { html, status } = await editor.post(`${path}/suggestion`)
  expect(status).toBe(200)
  expect(html).toContain('<del>is twice as fast</del>')
  expect(html).toContain('<ins>')
  expect((await read()).title).toBe('Version 2 is out')
  const accepted = await editor.post(`${path}/suggestion/accept`, fieldsIn(html))
  expect(accepted.location).toBe(path)
  expect(await read()).toMatchObject({ ...better, version: 2, status: 'draft' })
  const page = (await editor.get(path)).html
  expect(page).toContain('Original text')
  expect(page).toContain('Search is twice as fast.')
  expect(page).not.toContain(`${path}/suggestion"`)
  expect((await editor.post(`${path}/original`, { version: '2' })).location).toBe(path)
  expect(await read()).toMatchObject({
    title: 'Version 2 is out',
    body: 'Search is twice as fast.',
    version: 3,
  })
})

test('a suggestion is streamed, and nothing is stored before an editor accepts it', async () => {
  const { editor, path, read } = await itemFor()
  const text = JSON.stringify(better)
  provider.answer = () => streamedCompletion([text.slice(0, 40), text.slice(40)])
  const { html } = await editor.post(`${path}/suggestion`, {}, { accept: 'application/x-ndjson' })
  const events = html
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.map(({ type }) => type)).toEqual(['text', 'text', 'html'])
  expect(events[2].html).toContain('Accept the suggestion')
  expect(await read()).toMatchObject({ title: 'Version 2 is out', version: 1 })
})

test('a suggestion replaces nothing that somebody has changed meanwhile', async () => {
  const { editor, path, call, id, read } = await itemFor()
  await call('PATCH', `/content_blocks/${id}`, { title: 'Changed meanwhile' })
  const { location } = await editor.post(`${path}/suggestion/accept`, { ...better, version: '1' })
  expect(location).toBe(path)
  expect((await editor.get(path)).html).toContain('Someone else has changed this block')
  expect((await read()).title).toBe('Changed meanwhile')
})

test('only blocks that nobody has edited and that show no images have the action', async () => {
  const { editor, path, call, id } = await itemFor('<p>New <img src="https://a.test/a.png"></p>')
  expect((await editor.get(path)).html).not.toContain('Suggest a text')
  await call('PATCH', `/content_blocks/${id}`, { body: 'Without images.' })
  expect((await editor.get(path)).html).not.toContain('Suggest a text')
  const other = await itemFor()
  const viewer = await signedIn(app, other.team, 'viewer')
  expect((await viewer.get(other.path)).html).not.toContain('Suggest a text')
  expect((await viewer.post(`${other.path}/suggestion`)).status).toBe(403)
  const stranger = await signedIn(app, await app.team(), 'admin')
  for (const way of ['suggestion', 'suggestion/accept', 'original']) {
    const seen = await stranger.post(`${other.path}/${way}`, { ...better, version: '1' })
    expect([way, seen.status]).toEqual([way, 404])
  }
})

test('a suggestion is cleaned like every text, and shown as text in the differences', async () => {
  const { editor, path } = await itemFor('Careful <b>here</b>')
  provider.answer = () =>
    completion({
      title: '<script>alert(1)</script> Title',
      body: '<p onclick="x()">Good</p><script>alert(2)</script>',
    })
  const { html } = await editor.post(`${path}/suggestion`)
  expect(html.replaceAll(/ value="[^"]*"/g, '')).not.toMatch(/<script>alert|onclick="x/)
})

test('a failed suggestion shows why, and is not counted', async () => {
  const { editor, path } = await itemFor()
  provider.answer = () => new Response('', { status: 500 })
  const { status, html } = await editor.post(`${path}/suggestion`)
  expect([status, html.includes('did not give a usable draft')]).toEqual([503, true])
  expect((await editor.get('/library/new')).html).toContain('20 of 20 drafts are left')
})

test('the voice of the team is part of what the model is asked, for suggestions and drafts', async () => {
  const { editor, path, team } = await itemFor()
  const admin = await signedIn(app, team, 'admin')
  await admin.get('/settings/ai')
  const saved = await admin.post('/settings/ai', {
    tone: 'dry and short',
    words_to_avoid: 'synergy, exciting\nleverage',
    example_1: 'Say hello to Ada.',
    example_2: '',
    example_3: 'We shipped it.',
  })
  expect(saved.location).toBe('/settings/ai')
  expect((await admin.get('/settings/ai')).html).toContain('We shipped it.')
  provider.answer = () => completion(better)
  provider.calls.length = 0
  await editor.post(`${path}/suggestion`)
  await editor.post('/library/draft', { context: 'We signed a bank.', draft_type: 'general' })
  for (const { body } of provider.calls) {
    const message = body.messages.at(-1)?.content ?? ''
    for (const text of ['dry and short', 'synergy, exciting, leverage', 'Say hello to Ada.']) {
      expect(message).toContain(text)
    }
  }
  expect(provider.calls).toHaveLength(2)
  const invalid = await admin.post('/settings/ai', { tone: 'x'.repeat(201), words_to_avoid: '' })
  expect([invalid.status, invalid.html.includes('id="tone-error"')]).toEqual([422, true])
})

test('the voice of a team is changed through the API', async () => {
  const { call } = await itemFor()
  const voice = { tone: 'warm', words_to_avoid: ['synergy'], example_texts: ['Hello Ada.'] }
  expect((await call('PATCH', '/team', voice)).json.team).toMatchObject(voice)
  const cleared = await call('PATCH', '/team', { tone: null, words_to_avoid: [] })
  expect(cleared.json.team).toMatchObject({
    tone: null,
    words_to_avoid: [],
    example_texts: ['Hello Ada.'],
  })
  const tooMany = await call('PATCH', '/team', { example_texts: ['a', 'b', 'c', 'd'] })
  expect(tooMany.status).toBe(422)
})

test('an editor sees a suggestion grow in the browser and accepts it', async () => {
  const { editor, path, read } = await itemFor()
  const browser = await openBrowser()
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  await context.addCookies([
    { name: 'tidings_session', value: editor.cookies.get('tidings_session') ?? '', url: app.base },
  ])
  const page = await context.newPage()
  await page.goto(app.base + path)
  await follow(page.getByRole('link', { name: 'Suggest a text' }))
  const finish = Promise.withResolvers<void>()
  const text = JSON.stringify(better)
  provider.answer = () =>
    streamedCompletion([text.slice(0, 40), text.slice(40)], async (index) => {
      if (index === 1) await finish.promise
    })
  await page.getByRole('button', { name: 'Suggest a text' }).click()
  await page.locator('.streamed-text strong', { hasText: 'Search' }).waitFor()
  finish.resolve()
  await page.getByRole('heading', { name: 'Differences' }).waitFor()
  await page.getByRole('button', { name: 'Accept the suggestion' }).click()
  await page.getByText('The suggestion is saved.').waitFor()
  expect(await read()).toMatchObject(better)
  await browser.close()
})
