import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import type { Team } from '../../../src/features/teams/index.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { inspect, narrowScreen, wideScreen } from '../../support/browser/axe.ts'
import { follow, openBrowser, signInBrowser } from '../../support/browser/browser.ts'
import { member, signedIn } from '../../support/console.ts'
import { until } from '../../support/until.ts'

let browser: Browser
let app: TestApp
let team: Team
beforeAll(async () => {
  browser = await openBrowser()
  app = await startApp()
  team = await app.team()
  const call = client(app.base, await app.key(team, ['write']))
  await call('POST', '/content_blocks', { title: 'Harbour Bank renews', body: 'For three years.' })
  await call('POST', '/content_blocks', { title: 'The lift works', body: 'Near the harbour.' })
  await call('POST', '/newsletters', { title: 'Harbour notes, November' })
  await call('POST', '/events', {
    slug: 'harbour-day',
    name: 'Harbour day',
    event_date: '2030-05-01',
    category: 'corporate',
  })
  const other = client(app.base, await app.key(await app.team(), ['write']))
  await other('POST', '/content_blocks', { title: 'Harbour of another team', body: 'Theirs' })
  await other('POST', '/newsletters', { title: 'Harbour news of another team' })
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

async function openLibrary(): Promise<Page> {
  const { email } = await member(app, team, 'admin')
  const context = await browser.newContext({ viewport: wideScreen, reducedMotion: 'reduce' })
  await signInBrowser(context, { base: app.base, email })
  const page = await context.newPage()
  await page.goto(`${app.base}/library`)
  return page
}

/** Fills the storage of the page to the last byte. */
const fullStorage = `
  localStorage.clear()
  for (let size = 2 ** 22, part = 0; size >= 1; part++)
    try { localStorage.setItem('part' + part, 'x'.repeat(size)) } catch { size /= 2 }`

/** What a page sees of its storage when the browser blocks it. */
const blockedStorage = `
  Object.defineProperty(window, 'localStorage', {
    get() { throw new DOMException('blocked', 'SecurityError') },
  })`

const titles = async (page: Page) =>
  await page.locator('#command-palette .search-result-title').allTextContents()

test('Ctrl+K opens a search over blocks, newsletters, events and settings, and the keyboard alone opens a result', async () => {
  const page = await openLibrary()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
  await page.keyboard.type('harbo')
  await page.locator('#command-palette a', { hasText: 'Harbour day' }).waitFor()
  // "The lift works" has "harbour" in its text, which begins with what is typed.
  expect(await titles(page)).toEqual([
    'Harbour notes, November',
    'Harbour Bank renews',
    'The lift works',
    'Harbour day',
  ])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await Promise.all([page.waitForURL(/\/library\/cb_/), page.keyboard.press('Enter')])
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(
    'Harbour Bank renews',
  )

  await page.keyboard.press('Control+k')
  await page.keyboard.type('api ke')
  await page.locator('#command-palette a', { hasText: 'API keys' }).waitFor()
  await page.keyboard.press('Escape')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.keyboard.press('Meta+k')
  await page.locator('#command-palette a', { hasText: 'API keys' }).waitFor()
  // Enter opens a result of what is typed now, not of the text whose results are still shown.
  await page.keyboard.type('new newsl')
  await Promise.all([page.waitForURL(/newsletters\/new/), page.keyboard.press('Enter')])
  await page.context().close()
})

test('the command palette offers the actions of the page, and Enter on one does it', async () => {
  const page = await openLibrary()
  await page.goto(`${app.base}/newsletters`)
  await follow(page.getByRole('link', { name: 'Harbour notes, November' }))
  await page.keyboard.press('Control+k')
  const section = page.locator('#command-palette section', { hasText: 'On this page' })
  await section.waitFor()
  expect(await section.locator('.search-result-title').allTextContents()).toEqual([
    ...['On your phone', 'Mark as ready', 'Send a preview', 'Export', 'History'],
  ])
  await page.keyboard.type('phone your')
  await page.locator('#command-palette-count', { hasText: 'Results: 1' }).waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('history')
  await page.locator('#command-palette-count', { hasText: 'Results: 1' }).waitFor()
  await Promise.all([page.waitForURL(/\/history$/), page.keyboard.press('Enter')])
  await page.context().close()
})

test('a search finds each word in any order, and pages that begin with the text before content', async () => {
  const editor = await signedIn(app, team, 'admin')
  const found = async (text: string) => {
    const { html } = await editor.get(`/search?q=${encodeURIComponent(text)}`)
    return [...html.matchAll(/search-result-title">([^<]+)</g)].map(([, title]) => title)
  }
  expect(await found('november harb')).toEqual(['Harbour notes, November'])
  expect(await found('works harb')).toEqual(['The lift works'])
  expect(await found('day harb')).toEqual(['Harbour day'])
  expect(await found('block new')).toContain('New block')
  expect(await found('&')).toEqual([])
  expect(await found("the':*")).toEqual(expect.any(Array))
  const call = client(app.base, await app.key(team, ['write']))
  await call('POST', '/newsletters', { title: 'New newsletter of the pier' })
  expect((await found('new newsletter'))[0]).toBe('New newsletter')
})

test('the command palette jumps to a single setting, shows what was opened last, switches the team and signs out, by keyboard alone', async () => {
  const { email, accountId } = await member(app, team, 'admin')
  const other = await app.team()
  await member(app, other, 'viewer', { email: `second-${email}` })
  await app.sql`update members set account_id = ${accountId} where email = ${`second-${email}`}`
  const context = await browser.newContext({ viewport: wideScreen, reducedMotion: 'reduce' })
  await signInBrowser(context, { base: app.base, email })
  const page = await context.newPage()
  await page.goto(`${app.base}/library`)
  await page.getByRole('link', { name: 'The lift works', exact: true }).press('Enter')
  await page.goto(`${app.base}/events/harbour-day`)
  const find = async (text: string, result: string) => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(text)
    await page.locator('#command-palette .search-result', { hasText: result }).first().waitFor()
  }
  const focusedId = 'document.activeElement.id'

  await find('time zone', 'Time zone')
  await Promise.all([page.waitForURL(/\/account#time_zone$/), page.keyboard.press('Enter')])
  await until(async () => (await page.evaluate(focusedId)) === 'time_zone')
  await find('drafts by email', 'Your account')
  await page.keyboard.press('Enter')
  await until(async () => (await page.evaluate(focusedId)) === 'draft_digest')
  await find('keyboard short', 'Keyboard shortcuts')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')

  await find('', 'Harbour day')
  const recent = page.locator('#command-palette section', { hasText: 'Recently opened' })
  expect(await recent.locator('.search-result-title').allTextContents()).toEqual(['Harbour day'])
  await page.keyboard.press('Escape')
  await find('switch to', other.name)
  await Promise.all([page.waitForURL(/\/library$/), page.keyboard.press('Enter')])
  await find('', 'Library')
  expect(await recent.count()).toBe(0)
  await page.keyboard.press('Escape')
  await find('sign out', 'Sign out')
  await Promise.all([page.waitForURL(/\/login$/), page.keyboard.press('Enter')])
  await context.close()
})

test('the items that were opened last are shown with their present titles, of the own team only', async () => {
  const viewer = await signedIn(app, team, 'viewer')
  const rows = await app.sql`select id, title from content_blocks where title like 'Harbour%'`
  const paths = rows.map(({ id }) => `/library/${id}`)
  const { html } = await viewer.get(
    `/search?opened=${[...paths, '/library/cb_none', '/login'].join(',')}`,
  )
  expect(html).toContain('Harbour Bank renews')
  expect(html).not.toContain('of another team')
})

test('the command palette has no fault that axe finds, with results, without any, and on a phone in dark mode', async () => {
  const page = await openLibrary()
  const screens = [
    { viewport: wideScreen, colorScheme: 'light' },
    { viewport: narrowScreen, colorScheme: 'dark' },
  ] as const
  await page.getByRole('link', { name: 'Search' }).click()
  await page.locator('#command-palette a').first().waitFor()
  await inspect(page, null, screens)
  await page.keyboard.type('harbour')
  await page.locator('#command-palette a', { hasText: 'The lift works' }).waitFor()
  await inspect(page, null, screens)
  await page.keyboard.type(' nowhere to be found')
  await page.getByText('Nothing has “harbour nowhere to be found”').waitFor()
  await inspect(page, null, screens)
  await page.context().close()
})

test('when the storage of the browser is full or blocked, an address leads to its field, and the command palette works', async () => {
  const page = await openLibrary()
  const pageErrors: string[] = []
  page.on('pageerror', (error) => pageErrors.push(error.message))
  const [notes] = await app.sql`select id from newsletters where title = 'Harbour notes, November'`
  for (const storage of [fullStorage, blockedStorage]) {
    await page.evaluate(storage)
    if (storage === blockedStorage) await page.addInitScript(storage)
    await page.goto('about:blank')
    await page.goto(`${app.base}/newsletters/${notes?.['id']}#title`)
    await until(async () => page.evaluate("document.activeElement.id === 'title'"))
    await page.keyboard.press('Control+k')
    await page.keyboard.type('harbour d')
    await page.locator('#command-palette a', { hasText: 'Harbour day' }).waitFor()
    await page.keyboard.press('Escape')
  }
  expect(pageErrors).toEqual([])
  await page.context().close()
})

test('when the server cannot be reached, the command palette says so and stays open', async () => {
  const page = await openLibrary()
  await page.keyboard.press('Control+k')
  await page.locator('#command-palette a').first().waitFor()
  await page.context().setOffline(true)
  await page.keyboard.type('harbour')
  await page
    .locator('#command-palette-results')
    .getByText('The server cannot be reached.')
    .waitFor()
  await page.context().close()
})

test('without JavaScript, the search is a page that finds words anywhere in a text, of the own team only', async () => {
  const viewer = await signedIn(app, team, 'viewer')
  const { html } = await viewer.get('/search?q=harbour')
  const found = [...html.matchAll(/search-result-title">([^<]+)</g)].map(([, title]) => title)
  expect(found).toEqual([
    ...['Harbour notes, November', 'Harbour Bank renews', 'The lift works', 'Harbour day'],
  ])
  expect((await viewer.get('/library')).html).toContain('href="/search"')
})

test('people find only the pages and actions of their role', async () => {
  const pagesOf = async (role: 'viewer' | 'editor' | 'admin') => {
    const { html } = await (await signedIn(app, team, role)).get('/search')
    return [...html.matchAll(/<a href="([^"]+)" class="search-result"/g)].map(([, path]) => path)
  }
  expect(await pagesOf('viewer')).toEqual([
    '/library#shortcuts',
    ...['/library', '/newsletters', '/events', '/integrations'],
    ...['/account', '/account/second-factor', '/docs'],
  ])
  expect(await pagesOf('editor')).toContain('/library/new')
  expect(await pagesOf('editor')).not.toContain('/settings/members')
  expect(await pagesOf('admin')).toContain('/settings/members')
})
