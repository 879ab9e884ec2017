import { afterAll, beforeAll, expect, test } from 'bun:test'
import { client, startApp } from '../../support/app.ts'
import { signedIn } from '../../support/console.ts'
import { type AppWithAi, completion, startAppWithAi } from '../../support/providers/ai-provider.ts'

let app: AppWithAi['app']
let provider: AppWithAi['provider']
let close: AppWithAi['close']
beforeAll(async () => {
  ;({ app, provider, close } = await startAppWithAi(2))
})
afterAll(() => close())

const wish = { context: 'We signed Harbour Bank.', draft_type: 'wins_milestones', tone: 'dry' }

test('an AI draft opens in the editor, and the page shows how many drafts are left this month', async () => {
  const team = await app.team()
  const editor = await signedIn(app, team, 'editor')
  const { html } = await editor.get('/library/new?event=open-day')
  expect(html).toContain('2 of 2 drafts are left this month.')
  provider.answer = () =>
    completion({ title: 'A bank', body: '<p>Signed.</p><script>alert(1)</script>' })
  const { location } = await editor.post('/library/draft', { ...wish, event_slug: 'open-day' })
  expect(location).toMatch(/^\/library\/cb_\w+\/edit$/)
  const page = await editor.get(location ?? '')
  expect(page.html).toContain('value="A bank"')
  expect(page.html).not.toContain('alert(1)')
  const call = client(app.base, await app.key(team, ['read']))
  const { json } = await call('GET', `/content_blocks/${location?.split('/')[2]}`)
  expect(json.content_block).toMatchObject({
    source: 'ai_draft',
    status: 'draft',
    event_slug: 'open-day',
    block_type: 'wins_milestones',
    api_key_name: null,
  })
  expect((await editor.get('/library/new')).html).toContain('1 of 2 drafts are left this month.')
})

test('a failed AI draft does not count, and drafts above the monthly limit are rejected', async () => {
  const editor = await signedIn(app, await app.team(), 'editor')
  await editor.get('/library/new')
  provider.answer = () => new Response('', { status: 500 })
  const failed = await editor.post('/library/draft', { ...wish, title: 'Mine', body: 'My text' })
  expect(failed.status).toBe(503)
  for (const text of ['value="Mine"', 'My text', wish.context, 'value="dry"']) {
    expect(failed.html).toContain(text)
  }
  expect((await editor.get('/library/new')).html).toContain('2 of 2 drafts are left this month.')
  provider.answer = () => completion({ title: 'A win', body: '<p>Won.</p>' })
  const tries = await Promise.all([1, 2, 3, 4].map(() => editor.post('/library/draft', wish)))
  const drafted = tries.filter(({ location }) => location?.endsWith('/edit'))
  expect(drafted).toHaveLength(2)
  expect((await editor.get('/library/new')).html).toContain('0 of 2 drafts are left this month.')
})

test('the text of a block that is written beside an AI draft stays when the draft is ready', async () => {
  const editor = await signedIn(app, await app.team(), 'editor')
  await editor.get('/library/new')
  provider.answer = () => completion({ title: 'A bank', body: '<p>Signed.</p>' })
  const { html, status } = await editor.post('/library/draft', { ...wish, title: 'Mine' })
  expect(status).toBe(200)
  expect(html).toContain('The draft “A bank” is in the library.')
  expect(html).toContain('value="Mine"')
})

test('an AI draft without facts shows the error at the field and keeps the other text', async () => {
  const editor = await signedIn(app, await app.team(), 'editor')
  await editor.get('/library/new')
  const { status, html } = await editor.post('/library/draft', { ...wish, context: ' ' })
  expect(status).toBe(422)
  expect(html).toContain('id="context-error"')
  expect(html).toContain('value="dry"')
})

test('without an AI model, only admins see that they can ask for one', async () => {
  const plain = await startApp()
  try {
    const team = await plain.team()
    const admin = await signedIn(plain, team, 'admin')
    expect((await admin.get('/library/new')).html).toContain(
      'AI drafts are not set up. Ask the person who runs Tidings.',
    )
    const editor = await signedIn(plain, team, 'editor')
    expect((await editor.get('/library/new')).html).not.toContain('AI_')
  } finally {
    await plain.close()
  }
})
