import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openBrowser } from '../../support/browser/browser.ts'
import { type Person, signedIn } from '../../support/console.ts'
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
  ;({ app, provider, close } = await startAppWithAi(3))
})
afterAll(() => close())

const wish = { context: 'We signed Harbour Bank.', draft_type: 'wins_milestones' }
const events = { accept: 'application/x-ndjson' }
const whole = '{"title":"A new bank for us","body":"<p>We signed Harbour Bank on Monday.</p>"}'
const inThirds = [whole.slice(0, 26), whole.slice(26, 52), whole.slice(52)]

/** The events of a streamed draft. */
async function streamed(editor: Person, fields: Record<string, string> = {}) {
  const { html, headers, status } = await editor.post(
    '/library/draft',
    { ...wish, ...fields },
    events,
  )
  const lines = html.split('\n').filter((line) => line !== '')
  return { status, headers, events: lines.map((line) => JSON.parse(line)) }
}

async function newEditor() {
  const team = await app.team()
  const editor = await signedIn(app, team, 'editor')
  await editor.get('/library/new')
  const left = async () =>
    /(\d) of 3 drafts are left/.exec((await editor.get('/library/new')).html)?.[1]
  return { editor, team, left }
}

test('a draft is streamed while the model writes it, and is then in the library', async () => {
  const { editor, left } = await newEditor()
  provider.answer = () => streamedCompletion(inThirds)
  const { headers, events: sent } = await streamed(editor)
  expect(headers.get('content-type')).toBe('application/x-ndjson')
  expect(sent.map(({ type }) => type)).toEqual(['text', 'text', 'text', 'done'])
  expect(sent[0].title).toStartWith('A new')
  expect(sent[1].body).not.toBe('')
  const { path, message } = sent[3]
  expect(message).toBe('The draft “A new bank for us” is in the library.')
  expect((await editor.get(path)).html).toContain('We signed Harbour Bank on Monday.')
  expect(await left()).toBe('2')
})

test.each<[string, () => Response]>([
  ['an error', () => new Response('', { status: 500 })],
  ['an endpoint that breaks off', () => streamedCompletion(inThirds.slice(0, 2))],
  ['a text that is no JSON', () => streamedCompletion(['I cannot do that.'])],
  [
    'an error within the stream',
    () => new Response('data: {"error":{"message":"canary overloaded"}}\n\n'),
  ],
])('after %s, the stream ends with a message and the draft is not counted', async (_, reply) => {
  const { editor, left } = await newEditor()
  provider.answer = reply
  const { events: sent } = await streamed(editor)
  expect(sent.at(-1)).toEqual({
    type: 'failed',
    message: 'The AI provider did not give a usable draft. Try again later.',
  })
  expect(await left()).toBe('3')
  expect(app.logLines.join('')).not.toContain('canary')
})

test.each([
  ['is removed', (admin: Person, id: string) => admin.post(`/settings/members/${id}/remove`)],
  [
    'becomes a viewer',
    (admin: Person, id: string) => admin.post(`/settings/members/${id}/role`, { role: 'viewer' }),
  ],
])('no draft is stored for a member who %s while the model writes it', async (_, change) => {
  const { editor, team } = await newEditor()
  const admin = await signedIn(app, team, 'admin')
  provider.answer = () =>
    streamedCompletion(inThirds, async (index) => {
      if (index === 2) expect((await change(admin, editor.id)).status).toBe(303)
    })
  const { events: sent } = await streamed(editor)
  expect(sent.at(-1)).toEqual({
    type: 'failed',
    message: 'Your role in this team has changed meanwhile, so nothing was saved.',
  })
  expect(await app.sql`select id from content_blocks where team_id = ${team.id}`).toHaveLength(0)
  const [usage] = await app.sql`select used from ai_usage where team_id = ${team.id}`
  expect(usage).toEqual({ used: 0 })
})

test('an endpoint that refuses to stream is asked once more for the whole answer', async () => {
  const { editor } = await newEditor()
  provider.calls.length = 0
  provider.answer = ({ body }) =>
    body['stream'] === true ? new Response('', { status: 400 }) : completion(whole)
  const { events: sent } = await streamed(editor)
  expect(sent.map(({ type }) => type)).toEqual(['done'])
  expect(provider.calls).toHaveLength(2)
})

test('when the client disconnects, the call of the provider is aborted and the draft is not counted', async () => {
  const { editor, left } = await newEditor()
  const aborted = Promise.withResolvers<void>()
  const client = new AbortController()
  provider.answer = (call) => {
    call.signal.addEventListener('abort', () => aborted.resolve())
    return streamedCompletion(inThirds, async (index) => {
      if (index === 2) await aborted.promise
    })
  }
  const page = await editor.get('/library/new')
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? ''
  const cookie = [...editor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(`${app.base}/library/draft`, {
    method: 'POST',
    body: new URLSearchParams({ csrf, ...wish }),
    headers: { ...events, cookie, origin: app.base },
    signal: client.signal,
  })
  const reader = response.body?.getReader()
  await reader?.read()
  client.abort()
  await aborted.promise
  // Until the test's time is over: the draft is released after the call of the provider has ended.
  while ((await left()) !== '3');
  const [stored] = await app.sql`
    select count(*)::int as n from content_blocks b join members m on m.team_id = b.team_id
    where m.id = ${editor.id}`
  expect(stored?.['n']).toBe(0)
})

test('above the monthly limit of AI drafts, the stream says so', async () => {
  const { editor } = await newEditor()
  provider.answer = () => completion({ title: 'A win', body: '<p>Won.</p>' })
  for (let i = 0; i < 3; i++) await editor.post('/library/draft', wish)
  const { events: sent } = await streamed(editor)
  expect(sent).toEqual([
    { type: 'failed', message: expect.stringContaining('used its 3 AI drafts of this month') },
  ])
})

test('a form with an error gets its page instead of a stream', async () => {
  const { editor } = await newEditor()
  const { status, html, headers } = await editor.post('/library/draft', { context: ' ' }, events)
  expect([status, html.includes('id="context-error"')]).toEqual([422, true])
  expect(headers.get('content-type')).toContain('text/html')
})

test('an editor sees the draft grow, stops it, and keeps everything that was typed', async () => {
  const { team } = await newEditor()
  const admin = await signedIn(app, team, 'editor')
  const browser = await openBrowser()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await context.addCookies([
    { name: 'tidings_session', value: admin.cookies.get('tidings_session') ?? '', url: app.base },
  ])
  const page = await context.newPage()
  await page.goto(`${app.base}/library/new`)
  const stopped = Promise.withResolvers<void>()
  provider.answer = (call) => {
    call.signal.addEventListener('abort', () => stopped.resolve())
    return streamedCompletion(inThirds, async (index) => {
      if (index === 2) await stopped.promise
    })
  }
  await page.getByLabel('What happened').fill(wish.context)
  await page.getByRole('button', { name: 'Write a draft' }).click()
  await page.locator('.streamed-text strong', { hasText: 'A new' }).waitFor()
  await page.getByLabel('Title').fill('Typed meanwhile')
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Stopped. Nothing was stored.').waitFor()
  await stopped.promise
  provider.answer = () => streamedCompletion(inThirds)
  await page.getByRole('button', { name: 'Write a draft' }).click()
  await page.getByText('The draft “A new bank for us” is in the library.').waitFor()
  expect(await page.getByLabel('Title').inputValue()).toBe('Typed meanwhile')
  await page.getByText('2 of 3 drafts are left this month.').waitFor()
  await page.getByLabel('Title').fill('')
  await page.getByRole('button', { name: 'Write a draft' }).click()
  await page.waitForURL(/\/library\/cb_\w+\/edit$/)
  await browser.close()
})
