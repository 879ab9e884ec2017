import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { adapter as github } from '../../integrations/github/adapter.ts'
import { prepareFirstRun } from '../../src/console/index.ts'
import type { Team } from '../../src/features/teams/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { client, startApp, type TestApp } from '../support/app.ts'
import { inspect, narrowScreen, wideScreen } from '../support/browser/axe.ts'
import { follow, openBrowser, signInBrowser } from '../support/browser/browser.ts'
import {
  type Examples,
  examplesFor,
  isFile,
  pathOf,
  routes,
} from '../support/browser/console-walk.ts'
import { untilNamesAreOffered } from '../support/browser/mentions.ts'
import { watchErrors } from '../support/browser/page-errors.ts'
import { member, testPassword } from '../support/console.ts'

let browser: Browser
let app: TestApp

beforeAll(async () => {
  browser = await openBrowser()
  app = await startApp({ adapters: [github], forward: false, createTeams: 'admins' })
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

/** A new page, and what goes wrong on it. */
async function watchedPage(context: BrowserContext): Promise<{ page: Page; pageErrors: string[] }> {
  const page = await context.newPage()
  return { page, pageErrors: watchErrors(page) }
}

const submit = (page: Page, button: string) => follow(page.getByRole('button', { name: button }))
const saveProfile = (page: Page) => follow(page.locator('form[action="/account"] [type=submit]'))

test.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('the setup link leads to an API key, in two clicks, %s', async (_, javaScriptEnabled) => {
  const fresh = await startApp()
  const link = await prepareFirstRun({
    sql: fresh.sql,
    now: systemClock,
    baseUrl: fresh.base,
    admin: null,
  })
  const context = await browser.newContext({ javaScriptEnabled, viewport: narrowScreen })
  const { page, pageErrors } = await watchedPage(context)
  try {
    await page.goto(link ?? '')
    await page.getByLabel('Team').fill('Northwind')
    await page.getByLabel('Your name').fill('Ada Example')
    await page.getByLabel('Email').fill('ada@northwind.test')
    await page.getByLabel('Password').fill(testPassword)
    await submit(page, 'Set up')
    await submit(page, 'Create a key')
    const key = await page.getByLabel('Key', { exact: true }).inputValue()
    expect(key).toMatch(/^tidings_\w{38}$/)
    expect(await page.getByRole('button', { name: 'Copy Key' }).isVisible()).toBe(javaScriptEnabled)
    expect(await page.locator('pre').first().textContent()).toContain(`Bearer ${key}`)
    await page.goto(`${fresh.base}/settings/keys`)
    expect(await page.content()).not.toContain(key)
    await page.goBack()
    expect(new URL(page.url()).pathname).toEndWith('/value')
    expect(await page.content()).not.toContain(key)

    const later = await context.newPage()
    await later.goto(`${fresh.base}/library`)
    await submit(later, 'Sign out')
    expect(new URL(later.url()).pathname).toBe('/login')
    await later.getByLabel('Email').fill('ada@northwind.test')
    await later.getByLabel('Password').fill(testPassword)
    await submit(later, 'Sign in')
    expect(new URL(later.url()).pathname).toBe('/welcome')
    expect(pageErrors).toEqual([])
  } finally {
    await context.close()
    await fresh.close()
  }
})

test('a click on Copy copies the value to the clipboard', async () => {
  const { email } = await member(app, await app.team(), 'admin')
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await signedInPage(context, email)
  await page.goto(`${app.base}/welcome`)
  await submit(page, 'Create a key')
  const key = await page.getByLabel('Key', { exact: true }).inputValue()
  await page.getByRole('button', { name: 'Copy Key' }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
  await context.close()
})

test('while a page or the result of a form is loading, the page says so, and a form is sent once', async () => {
  const { email } = await member(app, await app.team(), 'admin')
  const page = await signedInPage(await browser.newContext(), email)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  /** Clicks twice, and reads what the page says before the next one is there. */
  const clickTwice = (selector: string) =>
    page.evaluate(`(async () => {
      const element = document.querySelector('${selector}')
      element.click()
      element.click()
      await new Promise((resolve) => setTimeout(resolve))
      const isLoading = 'loading' in document.documentElement.dataset
      return { isLoading, isBusy: element.ariaBusy === 'true' }
    })()`)
  /** Requests to a path wait for the function that is returned. */
  const delayRequests = async (path: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(`**${path}`, (route) => promise.then(() => route.continue()))
    return resolve
  }
  await page.goto(`${app.base}/account`)
  const answerForm = await delayRequests('/account/notifications')
  const form = await clickTwice('form[action="/account/notifications"] button')
  expect(form).toEqual({ isLoading: true, isBusy: true })
  await Promise.all([page.waitForEvent('load'), answerForm()])
  expect(sent.filter((path) => path === '/account/notifications')).toHaveLength(1)
  const answerLink = await delayRequests('/events')
  const link = await clickTwice('.main-nav a[href="/events"]')
  expect(link).toEqual({ isLoading: true, isBusy: false })
  await Promise.all([page.waitForURL('**/events'), answerLink()])
  expect(await page.locator('html[data-loading]').count()).toBe(0)
  await page.context().close()
})

test('when a request for a part of a page fails, the part stays and the page says so; a part that refreshes itself goes on', async () => {
  const team = await app.team()
  const { email } = await member(app, team, 'admin')
  const { integrations } = await examplesFor(app, team, 'Part')
  await app.sql`delete from deliveries where team_id = ${team.id}`
  const context = await browser.newContext()
  const page = await signedInPage(context, email)
  await page.goto(`${app.base}/settings/audit`)
  const entries = page.locator('#audit-entries')
  const shown = await entries.textContent()
  const proxyError = { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }
  const failures = [
    () => page.route('**/settings/audit?*', (route) => route.fulfill(proxyError)),
    () => page.route('**/settings/audit?*', (route) => route.abort()),
  ]
  for (const [at, fail] of failures.entries()) {
    await fail()
    await page.locator('select[name=action]').selectOption({ index: at + 1 })
    await page.getByText('The server cannot be reached.').waitFor()
    expect(await entries.textContent()).toBe(shown)
    expect(new URL(page.url()).search).toBe('')
    await page.unroute('**/settings/audit?*')
    await page.reload()
  }

  const connection = `${app.base}/integrations/${integrations}`
  await page.goto(connection)
  await page.route(connection, (route) => route.fulfill(proxyError))
  await page.waitForResponse((response) => response.status() === 502)
  await page.unroute(connection)
  await page.waitForResponse((response) => response.url() === connection && response.ok())
  expect(await page.locator('#state').isVisible()).toBeTrue()
  expect(await page.getByText('The server cannot be reached.').count()).toBe(0)
  await context.close()
})

test('a page from the back/forward cache is loaded again, also one that was left at a place in it', async () => {
  const { email } = await member(app, await app.team(), 'viewer')
  const page = await signedInPage(await browser.newContext(), email)
  await page.goto(`${app.base}/account#time_zone`)
  await Promise.all([
    page.waitForEvent('load'),
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"),
  ])
  await page.context().close()
})

test('the first steps are marked as done while the page is open, and the focus stays', async () => {
  const team = await app.team()
  const { email } = await member(app, team, 'admin')
  const page = await signedInPage(await browser.newContext(), email)
  await page.goto(app.base)
  expect(new URL(page.url()).pathname).toBe('/welcome')
  await page.getByText('0 of 5 done').waitFor()
  await page.getByRole('link', { name: 'Connect a tool' }).focus()
  const call = client(app.base, await app.key(team, ['write']))
  await call('POST', '/content_blocks', { title: 'First', body: 'x' })
  await page.getByText('1 of 5 done').waitFor()
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Connect a tool')
  await page.context().close()
})

/** The page of a new block, which says when the block was created. */
async function blockPage(team: Team): Promise<string> {
  const call = client(app.base, await app.key(team, ['write']))
  const { json } = await call('POST', '/content_blocks', { title: 'The lift works', body: 'x' })
  return `${app.base}/library/${json.content_block.id}`
}

test('times are shown in the time zone and language of the reader, and the server renders them from the second page on', async () => {
  const team = await app.team()
  const { email } = await member(app, team, 'admin')
  const context = await browser.newContext({ timezoneId: 'Pacific/Auckland', locale: 'fr-FR' })
  const page = await signedInPage(context, email)
  await Promise.all([page.waitForResponse(/time-zone/), page.goto(await blockPage(team))])
  const time = page.locator('dd > time').first()
  const at = new Date((await time.getAttribute('datetime')) ?? '')
  const format = (style: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('fr-FR', { ...style, timeZone: 'Pacific/Auckland' }).format(at)
  const text = format({ dateStyle: 'medium', timeStyle: 'short' })
  expect(await time.textContent()).toBe(text)
  expect(await time.getAttribute('title')).toBe(format({ dateStyle: 'full', timeStyle: 'long' }))

  const rendered = (await (await page.reload())?.text()) ?? ''
  expect(rendered).toContain(`>${text}</time>`)
  expect(await time.textContent()).toBe(text)
  expect(await page.getByText('Saved.').count()).toBe(0)
  await context.close()
})

test('without JavaScript, times say that they are in UTC until a person sets a time zone', async () => {
  const team = await app.team()
  const { email } = await member(app, team, 'viewer')
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await signedInPage(context, email)
  const path = await blockPage(team)
  const time = page.locator('dd > time').first()
  await page.goto(path)
  expect(await time.textContent()).toEndWith(' UTC')
  await page.goto(`${app.base}/account`)
  await page.getByLabel('Time zone').selectOption('Europe/Berlin')
  await saveProfile(page)
  await page.getByText('At present: Europe/Berlin').waitFor()
  await page.goto(path)
  expect(await time.textContent()).not.toContain('UTC')
  await context.close()
})

test('a time zone that a person has chosen stays when the browser has another one, until the browser decides again', async () => {
  const { email } = await member(app, await app.team(), 'admin')
  const context = await browser.newContext({ timezoneId: 'Pacific/Auckland', locale: 'en-GB' })
  const page = await signedInPage(context, email)
  await Promise.all([page.waitForResponse(/time-zone/), page.goto(`${app.base}/account`)])
  await page.getByLabel('Time zone').selectOption('America/Sao_Paulo')
  await saveProfile(page)
  await page.getByText('At present: America/Sao_Paulo').waitFor()
  const time = page.locator('time').first()
  expect(await time.getAttribute('title')).toContain('GMT-3')
  await page.goto(`${app.base}/settings/audit`)
  expect(await time.getAttribute('title')).toContain('GMT-3')
  expect(await time.textContent()).toBe('now')

  await page.goto(`${app.base}/account`)
  await page.getByLabel('Time zone').selectOption('')
  // The script of the next page reports the time zone; the form gets a redirect from the same address.
  const reported = page.waitForResponse(
    (response) => response.url().endsWith('/time-zone') && response.status() === 204,
  )
  await Promise.all([reported, saveProfile(page)])
  await page.goto(`${app.base}/account`)
  await page.getByText('At present: Pacific/Auckland').waitFor()
  await context.close()
})

async function signedInPage(context: BrowserContext, email: string): Promise<Page> {
  await signInBrowser(context, { base: app.base, email })
  return await context.newPage()
}

// GitHub has no app of the operator, so it has no page to add one. It is not a chat: it asks nobody for
// news, and has no people whose accounts are linked.
const pages = routes.filter(
  (route) =>
    route.method === 'GET' &&
    route.role !== null &&
    !isFile(route) &&
    !/\/(install|prompts|chat\/:token)\b/.test(route.path),
)

/** A name with a word that is wider than the columns of a phone. */
const longName = 'Donaudampfschifffahrtsgesellschaftskapitänin von Hohenlohe-Waldenburg'

describe('on a wide, light and on a narrow, dark screen', () => {
  const screens = [
    { viewport: wideScreen, colorScheme: 'light' },
    { viewport: narrowScreen, colorScheme: 'dark' },
  ] as const
  let examples: Examples
  let page: Page
  let pageErrors: string[]
  beforeAll(async () => {
    const team = await app.team()
    await app.sql`update teams set name = ${longName} where id = ${team.id}`
    examples = await examplesFor(app, team, longName)
    const { email, accountId } = await member(app, team, 'admin', { name: longName })
    // Passkeys are pages of their owner.
    await app.sql`update passkeys set account_id = ${accountId} where id = ${examples['passkeys'] ?? ''}`
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    await signInBrowser(context, { base: app.base, email })
    const watched = await watchedPage(context)
    page = watched.page
    pageErrors = watched.pageErrors
  })
  afterAll(() => page.context().close())

  test.each(pages.map((route) => [route.path, route] as const))(
    'the page %s is accessible, keeps its content in place while it loads, and has no horizontal overflow and no error of a script',
    async (_, route) => {
      pageErrors.length = 0
      await inspect(page, app.base + pathOf(route, examples), screens)
      expect(pageErrors).toEqual([])
    },
  )

  test('the page of a new key is accessible and has no horizontal overflow', async () => {
    await page.goto(`${app.base}/welcome`)
    await submit(page, 'Create a key')
    await inspect(page, null, screens)
  })

  test('the page that removes a member is accessible and has no horizontal overflow when the name has 95 letters and no space', async () => {
    const team = await app.team()
    const { email } = await member(app, team, 'admin')
    const { id } = await member(app, team, 'editor', { name: 'Kapitän'.repeat(14).slice(0, 95) })
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    const ofAdmin = await signedInPage(context, email)
    await inspect(ofAdmin, `${app.base}/settings/members/${id}/remove`, screens)
    await context.close()
  })

  test.each(['/login', '/forgot', '/nowhere'])(
    'the page %s is accessible and has no horizontal overflow without a session',
    async (path) => {
      const outside = await browser.newContext({ reducedMotion: 'reduce' })
      await inspect(await outside.newPage(), app.base + path, screens)
      await outside.close()
    },
  )
})

test('menus, dialogs, suggestions, a selection, errors and the message about being offline have no fault that axe finds', async () => {
  const screens = [
    { viewport: wideScreen, colorScheme: 'dark' },
    { viewport: narrowScreen, colorScheme: 'light' },
  ] as const
  const team = await app.team()
  const examples = await examplesFor(app, team, 'A rather long name of something')
  const { email } = await member(app, team, 'admin')
  await member(app, team, 'editor', { name: 'Maximiliane von Fürstenberg' })
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: wideScreen })
  const page = await signedInPage(context, email)

  await page.goto(`${app.base}/library`)
  await page.locator('.menu summary').click()
  await page.getByRole('link', { name: 'New team' }).waitFor()
  await page.locator('.filter-row details summary').click()
  await page.locator('.popover').waitFor()
  await page.locator('.block-row-check').first().check()
  await page.getByRole('button', { name: 'Approve selected' }).waitFor()
  await inspect(page, null, screens)
  // Phones have no keyboard, and so no button for its shortcuts.
  await page.setViewportSize(wideScreen)
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await page.getByRole('dialog').waitFor()
  await inspect(page, null, screens)

  await page.goto(`${app.base}/library/${examples['library']}`)
  const comment = page.getByLabel('Comment', { exact: true })
  // In one step: the keys that are pressed directly after a page was opened can be lost.
  await comment.fill('Hello @Max')
  await untilNamesAreOffered(page)
  await inspect(page, null, screens)

  await page.goto(`${app.base}/events/new_event`)
  await page.evaluate("document.querySelector('form[data-draft]').noValidate = true")
  await page.getByRole('button', { name: 'Add the event' }).click()
  await page.locator('.field-error').first().waitFor()
  await context.setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await inspect(page, null, screens)
  await context.setOffline(false)
  await page.getByText('You are offline.').waitFor({ state: 'detached' })
  await context.close()
})

test('empty lists, searches without a result, links that do not work and pages that a role does not allow have no fault that axe finds', async () => {
  const screens = [
    { viewport: wideScreen, colorScheme: 'light' },
    { viewport: narrowScreen, colorScheme: 'dark' },
  ] as const
  const team = await app.team()
  const { email } = await member(app, team, 'admin')
  const viewer = await member(app, team, 'viewer')
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const outside = await context.newPage()
  for (const path of ['/reset/x', '/join/x', '/submit/acme/x', '/receipts/acme/x', '/archive/x']) {
    await inspect(outside, app.base + path, screens)
  }
  await outside.close()
  const page = await signedInPage(context, email)
  for (const path of [
    ...['/library', '/library?q=nothing', '/newsletters', '/newsletters?status=sent'],
    ...['/events?open=1', '/search?q=nothing', '/settings/captured-emails', '/settings/jobs'],
    ...['/settings/submissions', '/settings/audit?action=passkey_added', '/nowhere'],
  ]) {
    await inspect(page, app.base + path, screens)
  }
  await context.close()
  const limited = await browser.newContext({ reducedMotion: 'reduce' })
  await inspect(await signedInPage(limited, viewer.email), `${app.base}/settings/keys`, screens)
  await limited.close()
})
