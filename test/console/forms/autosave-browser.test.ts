import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { purgeFormDrafts } from '../../../src/features/form-drafts/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { inspect } from '../../support/browser/axe.ts'
import { follow, openBrowser, signInBrowser } from '../../support/browser/browser.ts'
import { member, signedIn } from '../../support/console.ts'
import { blockOf, unlimitedClient } from '../../support/newsletters.ts'

let browser: Browser
let app: TestApp
let team: Team
beforeAll(async () => {
  browser = await openBrowser()
  app = await startApp()
  team = await app.team()
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

const setBehind = (context: BrowserContext) =>
  context.addInitScript('const now = Date.now; Date.now = () => now() - 3_600_000')

/** The form of a new block in a browser of its own. */
async function openForm(
  email: string,
  prepare: (context: BrowserContext) => Promise<unknown> = async () => {},
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await signInBrowser(context, { base: app.base, email })
  await prepare(context)
  const page = await context.newPage()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`${app.base}/library/new`)
  return { page, context }
}

const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })

async function write(page: Page): Promise<void> {
  await page.getByLabel('Title').fill('A long story')
  await text(page).fill('Which took an hour to write.')
}

test('text that a person has not saved is restored in another browser, and saving it there ends that', async () => {
  const { email } = await member(app, team, 'editor')
  const first = await openForm(email)
  await write(first.page)
  await first.page.getByText('Draft saved').waitFor()
  // The end of the form is further down.
  const state = await first.page.getByText('Draft saved').boundingBox()
  expect((state?.y ?? 800) + (state?.height ?? 0)).toBeLessThan(800)
  await inspect(first.page, null)
  // The server has the text that this browser has, so the page is not loaded twice.
  let loads = 0
  first.page.on('framenavigated', () => loads++)
  await first.page.reload({ waitUntil: 'networkidle' })
  await first.page.getByText('Text that was not saved is restored.').waitFor()
  expect(loads).toBe(1)
  await first.context.close()

  const second = await openForm(email)
  await second.page.getByText('Text that was not saved is restored.').waitFor()
  expect(await second.page.getByLabel('Title').inputValue()).toBe('A long story')
  expect(await text(second.page).textContent()).toBe('Which took an hour to write.')
  await second.page.getByRole('button', { name: 'Add to the library' }).click()
  await second.page.waitForURL(/\/library\/cb_\w+$/)
  await second.context.close()

  const third = await openForm(email)
  await third.page.waitForLoadState('networkidle')
  expect(await third.page.getByLabel('Title').inputValue()).toBe('')
  expect(await third.page.getByText('is restored').count()).toBe(0)
  await third.context.close()
})

/** Opens a page in a browser that has none of the person's text, and waits for what it shows or for its third load. */
async function openElsewhere(
  email: string,
  { path, shown }: { path: string; shown: (page: Page) => Promise<unknown> },
): Promise<{ page: Page; loads: number }> {
  const context = await browser.newContext()
  await signInBrowser(context, { base: app.base, email })
  const page = await context.newPage()
  const third = Promise.withResolvers<void>()
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest() && ++loads === 3) third.resolve()
  })
  const isShown = shown(page).catch(() => undefined)
  await page.goto(app.base + path).catch(() => undefined)
  await Promise.race([isShown, third.promise])
  return { page, loads }
}

/** A person types a new block in a browser and leaves it, when the server has stored the text. */
async function storeOnServer(email: string): Promise<void> {
  const { page, context } = await openForm(email)
  await write(page)
  await page.getByText('Draft saved').waitFor()
  await context.close()
}

/** Moves the unsaved text of a person on the server into the past. */
const ageDrafts = (memberId: string, days: number) =>
  app.sql`
    update form_drafts set saved_at = saved_at - make_interval(days => ${days})
    where member_id = ${memberId}`

test('text that was stored on the server eight days ago is restored with one reload', async () => {
  const { id, email } = await member(app, team, 'editor')
  await storeOnServer(email)
  await ageDrafts(id, 8)
  const { page, loads } = await openElsewhere(email, {
    path: '/library/new',
    shown: (one) => one.getByText('Text that was not saved is restored.').waitFor(),
  })
  expect(loads).toBe(2)
  expect(await page.getByLabel('Title').inputValue()).toBe('A long story')
  await page.context().close()
})

test('text on the server that is too old for the clock of the browser does not load the page again', async () => {
  const { id, email } = await member(app, team, 'editor')
  await storeOnServer(email)
  await ageDrafts(id, 31)
  const { page, loads } = await openElsewhere(email, {
    path: '/library/new',
    shown: async (one) => {
      await one.waitForResponse(/\/drafts\?/)
      await one.waitForLoadState('networkidle')
    },
  })
  expect(loads).toBe(1)
  expect(await page.getByLabel('Title').inputValue()).toBe('')
  await page.context().close()
})

test('text on the server that somebody has saved since is discarded without a reload', async () => {
  const { id, email } = await member(app, team, 'editor')
  const call = await unlimitedClient(app, team)
  const block = await blockOf(call, { title: 'The lfit works' })
  const first = await openForm(email)
  await first.page.goto(`${app.base}/library/${block}/edit`)
  await first.page.getByLabel('Title').fill('The lift works')
  await first.page.getByText('Draft saved').waitFor()
  await first.context.close()
  await call('PATCH', `/content_blocks/${block}`, { title: 'The lift works' })
  const { page, loads } = await openElsewhere(email, {
    path: `/library/${block}/edit`,
    shown: (one) => one.waitForResponse(/\/drafts$/),
  })
  expect(loads).toBe(1)
  expect(await page.getByText('is restored').count()).toBe(0)
  const stored = await app.sql`select content from form_drafts where member_id = ${id}`
  expect(stored.map(({ content }) => content)).toEqual([''])
  await page.context().close()
})

test('nothing can be typed into a form that is about to be loaded again with newer text', async () => {
  const { email } = await member(app, team, 'editor')
  await storeOnServer(email)

  const context = await browser.newContext()
  await signInBrowser(context, { base: app.base, email })
  const focused = Promise.withResolvers<void>()
  const typed = Promise.withResolvers<void>()
  const loadedAgain = Promise.withResolvers<void>()
  await context.route('**/drafts?*', async (route) => {
    await focused.promise
    await route.continue()
  })
  let loads = 0
  await context.route('**/library/new', async (route) => {
    if (++loads === 2) {
      loadedAgain.resolve()
      await typed.promise
    }
    await route.continue()
  })
  const page = await context.newPage()
  await page.goto(`${app.base}/library/new`)
  await page.getByLabel('Title').focus()
  await page.evaluate(
    'addEventListener("pagehide", () => sessionStorage.setItem("title", document.querySelector("[name=title]").value))',
  )
  focused.resolve()
  await loadedAgain.promise
  await page.keyboard.type('Typed too late')
  typed.resolve()
  await page.getByText('is restored').waitFor()
  expect(await page.evaluate('sessionStorage.getItem("title")')).toBe('')
  expect(await page.getByLabel('Title').inputValue()).toBe('A long story')
  await context.close()
})

test('text that a person discards is discarded in other browsers, too', async () => {
  const { email } = await member(app, team, 'editor')
  const first = await openForm(email)
  await write(first.page)
  await first.page.getByText('Draft saved').waitFor()
  const second = await openForm(email)
  await follow(second.page.getByRole('button', { name: 'Discard it' }))
  expect(await second.page.getByLabel('Title').inputValue()).toBe('')
  await first.page.reload()
  await first.page.getByText('is restored').waitFor({ state: 'detached' })
  expect(await first.page.getByLabel('Title').inputValue()).toBe('')
  await first.context.close()
  await second.context.close()
})

test('text is kept in the browser while the server cannot be reached, and stored on the server afterwards', async () => {
  const { email } = await member(app, team, 'editor')
  const { page, context } = await openForm(email)
  await context.setOffline(true)
  await write(page)
  await page.getByText('Offline, kept here').waitFor()
  await context.setOffline(false)
  await page.getByText('Draft saved').waitFor()
  await context.close()
  const other = await openForm(email)
  await other.page.getByText('is restored').waitFor()
  expect(await other.page.getByLabel('Title').inputValue()).toBe('A long story')
  await other.context.close()
})

/** Types into the form of a phone without a network, and closes the page. */
async function typeOffline({
  page,
  context,
}: {
  page: Page
  context: BrowserContext
}): Promise<void> {
  await context.setOffline(true)
  // The request for all that was typed has failed; none is on its way when the page is closed.
  const failed = page.waitForEvent('requestfailed', (request) =>
    Boolean(request.postData()?.includes('an+hour')),
  )
  await write(page)
  await failed
  await page.getByText('Offline, kept here').waitFor()
  // A page that is being closed is online again for a moment, in which it would send the text.
  await page.evaluate('window.fetch = () => new Promise(() => {})')
  await page.close()
  await context.setOffline(false)
}

async function writeElsewhere({ email }: { email: string }): Promise<void> {
  const { page, context } = await openForm(email)
  await page.getByLabel('Title').fill('Another story')
  await page.getByText('Draft saved').waitFor()
  await context.close()
}

test.each([
  ['right', false],
  ['an hour behind', true],
])(
  'text that only one browser has, whose clock is %s, is kept when something else was saved with its form elsewhere, and is then stored on the server',
  async (_, isBehind) => {
    const { email } = await member(app, team, 'editor')
    const phone = await openForm(email)
    await typeOffline(phone)
    const laptop = await openForm(email)
    await laptop.page.getByLabel('Title').fill('Another story')
    await text(laptop.page).fill('Which was short.')
    await laptop.page.getByText('Draft saved').waitFor()
    await laptop.page.getByRole('button', { name: 'Add to the library' }).click()
    await laptop.page.waitForURL(/\/library\/cb_\w+$/)
    if (isBehind) await setBehind(phone.context)
    const page = await phone.context.newPage()
    await page.goto(`${app.base}/library/new`)
    await page.getByText('is restored').waitFor()
    await page.getByText('Draft saved').waitFor()
    expect(await page.getByLabel('Title').inputValue()).toBe('A long story')
    await phone.context.close()
    await laptop.page.goto(`${app.base}/library/new`)
    await laptop.page.getByText('is restored').waitFor()
    expect(await laptop.page.getByLabel('Title').inputValue()).toBe('A long story')
    await laptop.context.close()
  },
)

test.each([
  ['newer', [typeOffline, writeElsewhere]],
  ['older', [writeElsewhere, typeOffline]],
])(
  'text that only one browser has and other, %s text on the server are both kept, and the person chooses',
  async (_, steps) => {
    const { email } = await member(app, team, 'editor')
    const phone = await openForm(email)
    for (const step of steps) await step({ ...phone, email })
    const page = await phone.context.newPage()
    await page.goto(`${app.base}/library/new`)
    await page.getByText('There is a second text').waitFor()
    expect(await page.getByLabel('Title').inputValue()).toBe('A long story')
    await page.getByRole('button', { name: 'Use the other text' }).click()
    await page.getByText('is restored').waitFor()
    expect(await page.getByLabel('Title').inputValue()).toBe('Another story')
    await phone.context.close()
  },
)

/** The form of a new block with restored text, in a browser whose clock is an hour behind. */
async function openBehind(email: string): Promise<{ page: Page; context: BrowserContext }> {
  const { page, context } = await openForm(email, setBehind)
  await page.getByText('is restored').waitFor()
  return { page, context }
}

async function expectTitle(email: string, title: string): Promise<void> {
  const { page, context } = await openForm(email)
  // A reload shows the text; before it the network can be idle, too.
  if (title !== '') await page.getByText('is restored').waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.getByLabel('Title').inputValue()).toBe(title)
  await context.close()
}

/** Fails the first request for drafts with this method, as while PostgreSQL is away. */
async function failOnce(page: Page, method: 'GET' | 'POST'): Promise<void> {
  let isFailed = false
  await page.route(/\/drafts(?:\?|$)/, async (route) => {
    if (isFailed || route.request().method() !== method) return await route.fallback()
    isFailed = true
    await route.fulfill({ status: 503 })
  })
}

test('text that the server could not store is sent again, without more typing', async () => {
  const { email } = await member(app, team, 'editor')
  const { page, context } = await openForm(email, (one) => one.clock.install())
  await failOnce(page, 'POST')
  await write(page)
  await page.clock.runFor(1000)
  await page.getByText('Not saved on the server, kept here').waitFor()
  await page.clock.runFor(5000)
  await page.getByText('Draft saved').waitFor()
  await expectTitle(email, 'A long story')
  await context.close()
})

test('text that is sent again does not replace what another device has stored since', async () => {
  const { email } = await member(app, team, 'editor')
  const { page, context } = await openForm(email, (one) => one.clock.install())
  // From here on only `runFor` lets time pass. Such a clock is ahead, too.
  await page.clock.pauseAt(Date.now() + 60_000)
  await failOnce(page, 'POST')
  await write(page)
  await page.clock.runFor(1000)
  await page.getByText('Not saved on the server, kept here').waitFor()
  await writeElsewhere({ email })
  const repeated = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.clock.runFor(5000)
  expect((await repeated).status()).toBe(409)
  await expectTitle(email, 'Another story')
  await page.reload()
  await page.getByText('There is a second text').waitFor()
  await context.close()
})

test('text that is typed while the server does not answer is sent after a second, and not with the next repetition', async () => {
  const { email } = await member(app, team, 'editor')
  const { page, context } = await openForm(email, (one) => one.clock.install())
  // From here on only `runFor` lets time pass.
  await page.clock.pauseAt(Date.now() + 60_000)
  const sent = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  await page.route(/\/drafts$/, async (route) => {
    if (route.request().postData()?.includes('newer')) return await route.fallback()
    sent.resolve()
    await ended.promise
    await route.fulfill({ status: 504 })
  })
  await page.getByLabel('Title').fill('A story')
  await page.clock.runFor(1000)
  await sent.promise
  await page.getByLabel('Title').fill('A newer story')
  ended.resolve()
  await page.getByText('Not saved on the server, kept here').waitFor()
  await page.clock.runFor(1000)
  await page.getByText('Draft saved').waitFor()
  await context.close()
})

test('text that only one browser has is stored on the server, also when the server could not say at once what it has', async () => {
  const { email } = await member(app, team, 'editor')
  const phone = await openForm(email)
  await typeOffline(phone)
  const page = await phone.context.newPage()
  await failOnce(page, 'GET')
  const failed = page.waitForResponse((response) => response.status() === 503)
  await page.goto(`${app.base}/library/new`)
  await failed
  await page.getByText('is restored').waitFor()
  await page.getByText('Draft saved').waitFor()
  await expectTitle(email, 'A long story')
  await phone.context.close()
})

test('text that is continued with a clock that is behind is stored on the server, and restored in this and other browsers', async () => {
  const { email } = await member(app, team, 'editor')
  await writeElsewhere({ email })
  const { page, context } = await openBehind(email)
  await page.getByLabel('Title').fill('Another story, continued')
  await page.getByText('Draft saved').waitFor()
  await page.reload({ waitUntil: 'networkidle' })
  expect(await page.getByLabel('Title').inputValue()).toBe('Another story, continued')
  await expectTitle(email, 'Another story, continued')
  await context.close()
})

test('text that is continued without a network and with a clock that is behind stays', async () => {
  const { email } = await member(app, team, 'editor')
  await writeElsewhere({ email })
  const phone = await openBehind(email)
  await typeOffline(phone)
  const page = await phone.context.newPage()
  await page.goto(`${app.base}/library/new`)
  await page.getByText('is restored').waitFor()
  await page.getByText('Draft saved').waitFor()
  expect(await page.getByLabel('Title').inputValue()).toBe('A long story')
  await expectTitle(email, 'A long story')
  await phone.context.close()
})

test.each([
  ['discarded', (page: Page) => follow(page.getByRole('button', { name: 'Discard it' }))],
  [
    'saved',
    async (page: Page) => {
      await text(page).fill('Which was short.')
      await page.getByText('Draft saved').waitFor()
      await page.getByRole('button', { name: 'Add to the library' }).click()
      await page.waitForURL(/\/library\/cb_\w+$/)
    },
  ],
])('text that is %s with a clock that is behind is not restored again', async (_, end) => {
  const { email } = await member(app, team, 'editor')
  await writeElsewhere({ email })
  const { page, context } = await openBehind(email)
  await end(page)
  await page.goto(`${app.base}/library/new`, { waitUntil: 'networkidle' })
  expect(await page.getByLabel('Title').inputValue()).toBe('')
  await expectTitle(email, '')
  await context.close()
})

test('text that the server did not store, because that of another device seems newer, is not called saved, and both texts are kept', async () => {
  const { email } = await member(app, team, 'editor')
  const { page, context } = await openForm(email, setBehind)
  await page.waitForLoadState('networkidle')
  await writeElsewhere({ email })
  await page.getByLabel('Title').fill('A long story')
  await page.getByText('Not saved on the server, kept here').waitFor()
  await page.reload()
  await page.getByText('There is a second text').waitFor()
  expect(await page.getByLabel('Title').inputValue()).toBe('A long story')
  await context.close()
})

test('the answer to an earlier request does not hide that newer text is saved', async () => {
  const { email } = await member(app, team, 'editor')
  const { page, context } = await openForm(email)
  const sent = Promise.withResolvers<void>()
  const delayed = Promise.withResolvers<void>()
  const isFirst = (body: string | null) => !body?.includes('newer')
  await context.route('**/drafts', async (route) => {
    if (isFirst(route.request().postData())) {
      sent.resolve()
      await delayed.promise
    }
    await route.continue()
  })
  const late = page.waitForResponse(
    (response) => /\/drafts$/.test(response.url()) && isFirst(response.request().postData()),
  )
  await page.getByLabel('Title').fill('A story')
  await sent.promise
  await page.getByLabel('Title').fill('A newer story')
  await page.getByText('Draft saved').waitFor()
  delayed.resolve()
  expect((await late).status()).toBe(409)
  expect(await page.locator('.autosave-state').textContent()).toBe('Draft saved')
  await context.close()
})

test('when the session has ended, the form says that the text is kept in the browser, and it is restored after sign-in', async () => {
  const { email } = await member(app, team, 'editor')
  const { page, context } = await openForm(email)
  await context.clearCookies()
  await write(page)
  await page.getByText('Not saved on the server, kept here').waitFor()
  await signInBrowser(context, { base: app.base, email })
  await page.goto(`${app.base}/library/new`)
  expect(await page.getByLabel('Title').inputValue()).toBe('A long story')
  await context.close()
})

test('a long text in Japanese is stored on the server while it is typed', async () => {
  const { id, email } = await member(app, team, 'editor')
  const { page, context } = await openForm(email)
  // Each letter has nine bytes in the body: more than a browser sends after the page is left.
  await text(page).fill('長'.repeat(9000))
  await page.getByText('Draft saved').waitFor()
  const [stored] = await app.sql`select content from form_drafts where member_id = ${id}`
  expect(stored?.['content']).toContain('長'.repeat(9000))
  await context.close()
})

const draft = (content: string, savedAt: number, age = 0) => ({
  form: '/library/new /library/new',
  content,
  saved_at: String(savedAt),
  age: String(age),
})
const path = `/drafts?form=${encodeURIComponent('/library/new /library/new')}`

test('a request that arrives late does not replace newer text, and does not restore what was saved', async () => {
  const editor = await signedIn(app, team, 'editor')
  const at = Date.now() - 60_000
  expect((await editor.post('/drafts', draft('[["title","New"]]', at))).status).toBe(204)
  expect((await editor.post('/drafts', draft('[["title","Old"]]', at - 1000))).status).toBe(409)
  expect(JSON.parse((await editor.get(path)).html)).toMatchObject({ content: '[["title","New"]]' })
  // The response to the first request was lost.
  expect((await editor.post('/drafts', draft('[["title","New"]]', at))).status).toBe(204)
  await editor.post('/drafts', draft('', at + 1000))
  await editor.post('/drafts', draft('[["title","New"]]', at + 500))
  expect(JSON.parse((await editor.get(path)).html)).toEqual({ content: '', savedAt: at + 1000 })
})

test('nobody else reads the unsaved text of a person, and a clock that is ahead does not block later text', async () => {
  const [editor, colleague] = [
    await signedIn(app, team, 'editor'),
    await signedIn(app, team, 'admin'),
  ]
  await editor.post('/drafts', draft('[["title","Mine"]]', Date.now() + 86_400_000))
  expect((await colleague.get(path)).html).toBe('null')
  await editor.post('/drafts', draft('[["title","Later"]]', Date.now() + 86_400_000))
  expect((await editor.get(path)).html).toContain('Later')
  // It was typed a minute ago and is sent again.
  const repeated = draft('[["title","Earlier"]]', Date.now() + 86_400_000, 60_000)
  expect((await editor.post('/drafts', repeated)).status).toBe(409)
  expect((await editor.post('/drafts', draft('x'.repeat(200_001), Date.now()))).status).toBe(422)
})

test('a member has at most 100 drafts, and all of them are deleted after 30 days', async () => {
  const editor = await signedIn(app, team, 'editor')
  const at = Date.now() - 200_000
  for (let number = 0; number < 103; number++) {
    await editor.post('/drafts', {
      form: `/${number} /`,
      content: 'x',
      saved_at: String(at + number),
    })
  }
  const stored = () => app.sql`select form from form_drafts where member_id = ${editor.id}`
  expect(await stored()).toHaveLength(100)
  const later = () => new Date(systemClock().getTime() + 31 * 24 * 3_600_000)
  await purgeFormDrafts({ sql: app.sql, now: later })
  expect(await stored()).toHaveLength(0)
})
