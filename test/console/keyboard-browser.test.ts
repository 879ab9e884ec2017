import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { narrowScreen } from '../support/browser/axe.ts'
import { signInBrowser } from '../support/browser/browser.ts'
import { startBrowserApp } from '../support/browser/browser-app.ts'
import { member, testPassword } from '../support/console.ts'
import { blockOf } from '../support/newsletters.ts'
import { until } from '../support/until.ts'

const { app, browser, team, call } = await startBrowserApp()

/** The focused element: its name for a screen reader, and whether a person sees where the focus is. */
const focused = `(() => {
  const element = document.activeElement
  const { x, y, width, height } = element.getBoundingClientRect()
  const label = element.labels?.[0] ?? null
  const name = element.getAttribute('aria-label') ?? label?.innerText ?? (element.innerText || element.title || element.value || '')
  const points = [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5]].map(([dx, dy]) => document.elementFromPoint(x + width * dx, y + height * dy))
  const isSeen = element === document.body || element.tagName === 'IFRAME' ||
    points.some((point) => point && (element.contains(point) || point.contains(element) || label?.contains(point)))
  const { outlineStyle, boxShadow } = getComputedStyle(element)
  const isMarked = element.tagName === 'IFRAME' || outlineStyle !== 'none' || boxShadow !== 'none'
  return { isMarked, name: name.trim().replace(/\\s+/g, ' '), isSeen, tag: element.tagName, html: element.outerHTML.slice(0, 160) }
})()`

interface Focused {
  name: string
  isSeen: boolean
  /** It has an outline or a shadow. */
  isMarked: boolean
  tag: string
  html: string
}

const hidden: Focused[] = []

/** Presses Tab and returns the element that has the focus then. */
async function tab(page: Page): Promise<Focused> {
  await page.keyboard.press('Tab')
  return (await page.evaluate(focused)) as Focused
}

/** Presses Tab until the element with a name has the focus. Each element on the way must be in sight. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press('Tab')
    const one = (await page.evaluate(focused)) as Focused
    if (!one.isSeen) hidden.push(one)
    if (one.name === name || one.name.startsWith(`${name} `)) return
    passed.push(one.name)
    // A frame that is loading takes the key and keeps the focus; it can be replaced meanwhile.
    if (one.tag === 'IFRAME')
      await Promise.allSettled(page.frames().map((frame) => frame.waitForLoadState()))
  }
  throw new Error(`Tab does not reach ${name}, but ${passed.join(' | ')}`)
}

const untilFocused = (page: Page, name: string) =>
  until(async () => ((await page.evaluate(focused)) as Focused).name === name)

/** Presses Enter on a link or button that leads to another page. */
async function enter(page: Page, name: string, url: RegExp): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
  await page.waitForURL(url)
}

test('the main path is done with the keyboard alone, and the focus is always in sight', async () => {
  const { email } = await member(app, team, 'admin', { name: 'Ada Quist' })
  await blockOf(call, { title: 'The lift', status: 'draft' })
  await blockOf(call, { title: 'A new colleague' })
  const context = await browser.newContext({
    baseURL: app.base,
    viewport: { width: 1280, height: 800 },
  })
  const page = await context.newPage()
  await page.goto('/login')
  // Browsers focus the first field with the first picture of the page, which can come after its load.
  await untilFocused(page, 'Email')
  await page.keyboard.type(email)
  await tabTo(page, 'Password')
  await page.keyboard.type(testPassword)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/(?:library|home|welcome)$/)

  await enter(page, 'Library', /\/library$/)
  const ready = async () =>
    (await call('GET', '/content_blocks?status=ready')).json.content_blocks.map(
      ({ title }: { title: string }) => title,
    )
  await page.keyboard.press('j')
  const preview = page.locator('#preview-panel')
  await preview.getByRole('heading', { name: 'The lift' }).first().waitFor()
  await page.keyboard.press('e')
  await untilFocused(page, 'Title')
  await page.keyboard.type(' works')
  await tabTo(page, 'Save')
  await page.keyboard.press('Enter')
  await preview.getByRole('button', { name: 'Approve' }).waitFor()
  await untilFocused(page, 'The lift works')
  await tabTo(page, 'Approve')
  await page.keyboard.press('Enter')
  await until(async () => (await ready()).length === 2)
  // What was pressed is gone; the focus is on what replaces it.
  await untilFocused(page, 'Undo: The lift works')
  await page.keyboard.press('z')
  await until(async () => (await ready()).length === 1)
  await untilFocused(page, 'The lift works')
  // What was undone is not offered to be undone again, and the keys review the block as before.
  expect(await page.getByRole('button', { name: 'Undo: The lift works' }).count()).toBe(0)
  await page.keyboard.press('z')
  await page.keyboard.press('a')
  await until(async () => (await ready()).length === 2)

  await enter(page, 'Newsletters', /\/newsletters$/)
  await enter(page, 'New newsletter', /\/newsletters\/new$/)
  await tabTo(page, 'Title')
  await page.keyboard.type(', by keyboard')
  await enter(page, 'Create', /\/newsletters\/nl_\w+$/)
  await tabTo(page, 'Move “A new colleague” up')
  await page.keyboard.press('Enter')
  await page.getByText('is number 1 of 2').waitFor()
  await tabTo(page, 'Remove “A new colleague”')
  await page.keyboard.press('Enter')
  await page.getByText('Removed “A new colleague”.').waitFor()
  await untilFocused(page, 'Remove “The lift works”')
  await tabTo(page, 'Add “A new colleague”')
  await page.keyboard.press('Enter')
  await page.getByText('Added “A new colleague”.').waitFor()
  await untilFocused(page, 'Library')
  await tabTo(page, 'Edit The lift works')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel('Title').waitFor()
  await untilFocused(page, 'Title')
  await page.keyboard.type(' again')
  await tabTo(page, 'Save')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await enter(page, 'Send a preview', /\/preview$/)
  await enter(page, 'Send the preview', /\/newsletters\/nl_\w+$/)
  await tabTo(page, 'Mark as ready')
  await page.keyboard.press('Enter')
  // The next step takes the place of the button, and the focus.
  await untilFocused(page, 'Export')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/export$/)
  const newsletter = new URL(page.url()).pathname.replace('/export', '')
  const statusOf = async () => (await call('GET', newsletter)).json.newsletter.status
  await tabTo(page, 'I have sent this newsletter')
  await page.keyboard.press('Space')
  await tabTo(page, 'Mark as sent')
  await page.keyboard.press('Enter')
  await page.getByText('Marked as sent.').waitFor()
  expect(await statusOf()).toBe('sent')
  await enter(page, 'Undo “Mark as sent”', /\/newsletters\/nl_\w+$/)
  expect(await statusOf()).toBe('ready')
  await enter(page, 'Settings', /\/settings\/team$/)
  await tabTo(page, 'Name')
  expect(hidden).toEqual([])
  await context.close()
})

test('on a phone, every control of every kind of page is reached by Tab, has a name, shows its focus and is not behind the navigation', async () => {
  const { email } = await member(app, team, 'admin')
  const context = await browser.newContext({ baseURL: app.base, viewport: narrowScreen })
  await signInBrowser(context, { base: app.base, email })
  const page = await context.newPage()
  const faults: string[] = []
  for (const path of [
    ...[
      '/events/new',
      '/account',
      '/settings/team',
      '/settings/templates/new',
      '/settings/keys/new',
    ],
    ...['/library/new', '/search', '/integrations'],
  ]) {
    await page.goto(path)
    const passed = new Set<string>()
    for (let one = await tab(page); one.tag !== 'BODY'; one = await tab(page)) {
      if (passed.size > 200) throw new Error(`Tab does not leave ${path}.`)
      passed.add(`${passed.size}`)
      if (!one.isSeen || !one.isMarked || one.name === '') faults.push(`${path}: ${one.html}`)
    }
  }
  expect(faults).toEqual([])
  await context.close()
})

test('in the library, the focus follows a block that is approved or declined in its preview', async () => {
  const { email } = await member(app, team, 'editor')
  await blockOf(call, { title: 'The first crane', status: 'draft' })
  await blockOf(call, { title: 'The second crane', status: 'draft' })
  const context = await browser.newContext({
    baseURL: app.base,
    viewport: { width: 1280, height: 800 },
  })
  await signInBrowser(context, { base: app.base, email })
  const page = await context.newPage()
  await page.goto('/library?status=draft')
  const preview = page.locator('#preview-panel')
  const open = async (title: string) => {
    await page.getByRole('link', { name: title, exact: true }).click()
    await preview.getByRole('heading', { name: title }).waitFor()
  }
  await open('The first crane')
  await preview.getByRole('button', { name: 'Approve' }).press('Enter')
  await preview.getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' })
  await untilFocused(page, 'The first crane')
  await open('The second crane')
  await preview.getByRole('button', { name: 'Decline' }).press('Enter')
  await untilFocused(page, 'Undo: The second crane')
  await context.close()
})
