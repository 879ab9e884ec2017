import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { client } from '../../support/app.ts'
import { follow, openBrowser, signInBrowser } from '../../support/browser/browser.ts'
import { member, person, signedIn, testPassword } from '../../support/console.ts'
import { type AppWithAi, completion, startAppWithAi } from '../../support/providers/ai-provider.ts'

let browser: Browser
let app: AppWithAi['app']
let provider: AppWithAi['provider']
let close: AppWithAi['close']
beforeAll(async () => {
  browser = await openBrowser()
  ;({ app, provider, close } = await startAppWithAi(20))
})
afterAll(async () => {
  await browser.close()
  await close()
})

/** An editor who writes a new block. */
async function openBlockForm(): Promise<{
  page: Page
  context: BrowserContext
  email: string
  titles(): Promise<string[]>
}> {
  const team = await app.team()
  const { email } = await member(app, team, 'editor')
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await signInBrowser(context, { base: app.base, email })
  const page = await context.newPage()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`${app.base}/library/new`)
  await page.getByLabel('Title').fill('A long story')
  await page
    .getByRole('textbox', { name: 'Text', exact: true })
    .fill('Which took an hour to write.')
  const call = client(app.base, await app.key(team, ['read']))
  const titles = async () => {
    const { json } = await call('GET', '/content_blocks')
    return json.content_blocks.map(({ title }: { title: string }) => title)
  }
  return { page, context, email, titles }
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(testPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const waitForBlockPage = (page: Page) => page.waitForURL(/\/library\/cb_\w+$/)

test('a person whose session ends while writing signs in on the same page and loses no text', async () => {
  const { page, context, email, titles } = await openBlockForm()
  await context.clearCookies()
  await page.getByRole('button', { name: 'Add to the library' }).click()
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/library/new')
  await signIn(page, email)
  await waitForBlockPage(page)
  expect(await titles()).toEqual(['A long story'])
  await context.close()
})

test('a person who saves while offline keeps the text and saves it when the server is back', async () => {
  const { page, context, titles } = await openBlockForm()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Add to the library' }).click()
  await page.getByText('The server cannot be reached.').waitFor()
  expect(await page.getByLabel('Title').inputValue()).toBe('A long story')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Add to the library' }).click()
  await waitForBlockPage(page)
  expect(await titles()).toEqual(['A long story'])
  await context.close()
})

test('leaving a page with unsaved text asks first, and the text is restored on return', async () => {
  const { page, context } = await openBlockForm()
  const dialog = page.waitForEvent('dialog')
  await page.getByRole('link', { name: 'Events' }).click()
  expect((await dialog).type()).toBe('beforeunload')
  await page.waitForURL(/\/events$/)
  await page.goto(`${app.base}/library/new`)
  await page.getByText('Text that was not saved is restored.').waitFor()
  expect(await page.getByLabel('Title').inputValue()).toBe('A long story')
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  expect(await text.textContent()).toContain('Which took an hour to write.')
  await follow(page.getByRole('button', { name: 'Discard it' }))
  expect(await page.getByLabel('Title').inputValue()).toBe('')
  await context.close()
})

test('a person who stays on a page with unsaved text can sign out later, which leaves none of it in the browser', async () => {
  const { page, context } = await openBlockForm()
  const signOut = page.getByRole('button', { name: 'Sign out' })
  page.removeAllListeners('dialog')
  const asked = page.waitForEvent('dialog')
  const click = signOut.click({ noWaitAfter: true })
  await (await asked).dismiss()
  await click
  expect(await page.getByLabel('Title').inputValue()).toBe('A long story')
  page.on('dialog', (dialog) => void dialog.accept())
  await signOut.click()
  await page.waitForURL(/\/login$/)
  expect(await page.evaluate('Object.keys(localStorage)')).toEqual([])
  await context.close()
})

test('an AI draft shows progress, and when it fails everything that was typed stays', async () => {
  const { page, context } = await openBlockForm()
  const { promise, resolve } = Promise.withResolvers<Response>()
  provider.answer = () => promise
  await page.getByLabel('What happened').fill('We signed Harbour Bank.')
  await page.getByRole('button', { name: 'Write a draft' }).click()
  await page.getByText('The draft is being written.').waitFor()
  resolve(new Response('', { status: 401 }))
  await page.locator('#main .notice.danger').waitFor()
  expect(await page.getByLabel('What happened').inputValue()).toBe('We signed Harbour Bank.')
  expect(await page.getByLabel('Title').inputValue()).toBe('A long story')
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  expect(await text.textContent()).toContain('Which took an hour to write.')
  provider.answer = () => completion({ title: 'Bank', body: '<p>Signed.</p>' })
  await page.getByRole('button', { name: 'Write a draft' }).click()
  await page.getByText('The draft “Bank” is in the library.').waitFor()
  expect(await page.getByLabel('Title').inputValue()).toBe('A long story')
  await context.close()
})

test('without JavaScript, a form that is sent after the session has ended is saved after signing in', async () => {
  const team = await app.team()
  const editor = await signedIn(app, team, 'editor')
  const visitor = person(app.base)
  const typed = {
    title: 'A “quoted” title',
    body: 'Line one\nLine & two',
    block_type: 'general',
    event_slug: '',
    image_url: '',
    image_size: '',
    publish_after: '',
  }
  const refused = await visitor.post('/library/new', typed)
  expect(refused.status).toBe(401)
  const wrong = await visitor.post('/login/continue', {
    ...hiddenFields(refused.html),
    email: editor.email,
    password: 'not the password',
  })
  expect(wrong.status).toBe(422)
  const right = await visitor.post('/login/continue', {
    ...hiddenFields(wrong.html),
    email: editor.email,
    password: testPassword,
  })
  expect(right.html).toContain('action="/library/new"')
  const { location } = await visitor.post('/library/new', hiddenFields(right.html))
  expect(location).toMatch(/^\/library\/cb_/)
  const { html } = await visitor.get(`${location}/edit`)
  expect(html).toContain('value="A “quoted” title"')
  expect(html).toContain('Line one\nLine &amp; two')
})

function hiddenFields(html: string): Record<string, string> {
  const fields: Record<string, string> = {}
  const collect = new HTMLRewriter().on('main input[type=hidden]', {
    element(input) {
      fields[input.getAttribute('name') ?? ''] = decode(input.getAttribute('value') ?? '')
    },
  })
  collect.transform(html)
  return fields
}

const decode = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&#34;', '"').replaceAll('&amp;', '&')

test('a double click sends a form once', async () => {
  const { page, context, titles } = await openBlockForm()
  await page.getByRole('button', { name: 'Add to the library' }).dblclick()
  await waitForBlockPage(page)
  expect(await titles()).toEqual(['A long story'])
  await page.locator('textarea[name=body]').fill('Well written.')
  await page.getByRole('button', { name: 'Comment' }).dblclick()
  await page.getByText('Well written.').waitFor()
  await page.reload()
  expect(await page.getByText('Well written.').count()).toBe(1)
  await context.close()
})

test('a comment that is typed beside the library is there after a crash, and gone once it is sent', async () => {
  const team = await app.team()
  const { email } = await member(app, team, 'editor')
  const call = client(app.base, await app.key(team, ['write']))
  await call('POST', '/content_blocks', { title: 'A long story', body: 'Words.' })
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await signInBrowser(context, { base: app.base, email })
  const openComment = async () => {
    const page = await context.newPage()
    await page.goto(`${app.base}/library`)
    await page.getByRole('link', { name: 'A long story', exact: true }).click()
    const comment = page.locator('#preview-content textarea[name=body]')
    await comment.waitFor()
    return { page, comment }
  }
  const first = await openComment()
  await first.comment.fill('Well written.')
  await first.page.getByText('Draft saved').waitFor()
  await first.page.close({ runBeforeUnload: false })
  const second = await openComment()
  await second.page.getByText('Text that was not saved is restored.').waitFor()
  expect(await second.comment.inputValue()).toBe('Well written.')
  await second.page.getByRole('button', { name: 'Comment' }).click()
  await second.page.locator('#preview-content').getByText('Well written.').first().waitFor()
  await second.page.reload()
  await second.page.getByRole('link', { name: 'A long story', exact: true }).click()
  await second.page.locator('#preview-content').getByText('Well written.').first().waitFor()
  expect(await second.comment.inputValue()).toBe('')
  await context.close()
})
