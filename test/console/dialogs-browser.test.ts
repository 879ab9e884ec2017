import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { startApp, type TestApp } from '../support/app.ts'
import { narrowScreen, wideScreen } from '../support/browser/axe.ts'
import { openBrowser, signInBrowser } from '../support/browser/browser.ts'
import { member } from '../support/console.ts'
import { blockOf, newsletterOf, unlimitedClient } from '../support/newsletters.ts'
import { until } from '../support/until.ts'

let app: TestApp
let browser: Browser
let email: string
let newsletter: string
beforeAll(async () => {
  app = await startApp({ createTeams: 'everybody' })
  browser = await openBrowser()
  const team = await app.team()
  const call = await unlimitedClient(app, team)
  await blockOf(call, { title: 'The crane', status: 'draft' })
  newsletter = await newsletterOf(call, [await blockOf(call, { title: 'The lift works' })])
  email = (await member(app, team, 'admin')).email
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

interface Case {
  name: string
  path: () => string
  /** What has the focus before the dialog opens. */
  opener: (page: Page) => Locator
  /** The key that opens it; Enter by default. */
  key?: string
  box: (page: Page) => Locator
  isPhone?: boolean
  /** What has the focus after Escape; the opener by default. */
  returnsTo?: (page: Page) => Locator
}

const dialogOf = (name: string | RegExp) => (page: Page) => page.getByRole('dialog', { name })
const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })

const modals: readonly Case[] = [
  {
    name: 'the command palette, opened by its link,',
    path: () => '/events',
    opener: (page) => page.getByRole('link', { name: 'Search' }),
    box: dialogOf('Command palette'),
  },
  {
    name: 'the command palette, opened by Ctrl+K,',
    path: () => '/settings/team',
    opener: (page) => page.getByLabel('Name', { exact: true }),
    key: 'Control+k',
    box: dialogOf('Command palette'),
  },
  {
    name: 'the list of keyboard shortcuts, opened by its button,',
    path: () => '/library',
    opener: (page) => page.getByRole('button', { name: 'Keyboard shortcuts' }),
    box: dialogOf('Keyboard shortcuts'),
  },
  {
    name: 'the list of keyboard shortcuts, opened by “?”,',
    path: () => '/library',
    opener: (page) => page.getByRole('link', { name: 'The crane', exact: true }),
    key: '?',
    box: dialogOf('Keyboard shortcuts'),
  },
  {
    name: 'the dialog for a link, opened by the toolbar,',
    path: () => '/library/new',
    opener: (page) => page.getByRole('button', { name: 'Link', exact: true }),
    box: dialogOf('Link'),
    // A link is a part of the text.
    returnsTo: text,
  },
  {
    name: 'the dialog for a link, opened by Ctrl+K,',
    path: () => '/library/new',
    opener: text,
    key: 'Control+k',
    box: dialogOf('Link'),
  },
  {
    name: 'the dialog for the sign-in after the end of the session',
    path: () => '/library/new',
    opener: (page) => page.getByRole('button', { name: 'Add to the library' }),
    box: dialogOf(/Sign in/),
  },
]

const cards: readonly Case[] = [
  {
    name: 'the form of a block over the newsletter',
    path: () => newsletter,
    opener: (page) => page.locator('.canvas-region[aria-label="Edit The lift works"]'),
    box: dialogOf('The lift works'),
  },
  {
    name: 'the form of a block, opened from the outline,',
    path: () => newsletter,
    opener: (page) => page.locator('#blocks').getByRole('link', { name: 'The lift works' }),
    box: dialogOf('The lift works'),
  },
  {
    name: 'the form of a block over the newsletter on a phone',
    path: () => newsletter,
    opener: (page) => page.locator('.canvas-region[aria-label="Edit The lift works"]'),
    box: dialogOf('The lift works'),
    isPhone: true,
  },
]

const menus: readonly Case[] = [
  {
    name: 'the menu of the teams',
    path: () => '/library',
    opener: (page) => page.locator('summary.team-name'),
    box: (page) => page.locator('.menu-list'),
  },
  {
    name: 'the menu of the teams on a phone',
    path: () => '/events',
    opener: (page) => page.locator('summary.team-name'),
    box: (page) => page.locator('.menu-list'),
    isPhone: true,
  },
  {
    name: 'the menu of the saved filters',
    path: () => '/library',
    opener: (page) => page.locator('#saved-filters summary'),
    box: (page) => page.locator('#saved-filters .popover'),
  },
  {
    name: 'the menu of the settings on a phone',
    path: () => '/settings/members',
    opener: (page) => page.locator('.settings-menu summary'),
    box: (page) => page.locator('.settings-menu .settings-nav'),
    isPhone: true,
  },
]

/** Opens the page of a case, and then what it is about with the keyboard. */
async function open(one: Case): Promise<{ page: Page; box: Locator; opener: Locator }> {
  const context = await browser.newContext({
    baseURL: app.base,
    viewport: one.isPhone ? narrowScreen : wideScreen,
    reducedMotion: 'reduce',
  })
  await signInBrowser(context, { base: app.base, email })
  const page = await context.newPage()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(one.path())
  if (one.name.includes('session')) {
    await page.getByLabel('Title').fill('A story')
    await text(page).fill('Words.')
    await context.clearCookies()
  }
  const opener = one.opener(page)
  await opener.focus()
  await page.keyboard.press(one.key ?? 'Enter')
  const box = one.box(page)
  await box.waitFor()
  return { page, box, opener }
}

const hasFocus = (target: Locator) =>
  target.evaluate((element) => element === element.ownerDocument.activeElement)
const containsFocus = (target: Locator) =>
  target.evaluate((element) => element.contains(element.ownerDocument.activeElement))
/** The focus is on a part of the page that is not in the box; the window of the browser is no such part. */
const hasLeft = async (page: Page, box: Locator) =>
  !(await containsFocus(box)) && !(await hasFocus(page.locator('body')))

/** The states of what has the focus, or of an element, as a screen reader gets them. */
async function statesOf(page: Page, role: string): Promise<Record<string, unknown>[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return nodes
    .filter((node) => !node.ignored && node.role?.value === role)
    .map((node) => ({
      name: node.name?.value,
      ...Object.fromEntries((node.properties ?? []).map(({ name, value }) => [name, value.value])),
    }))
}

describe.each([...modals, ...cards])('$name', (one) => {
  test('takes the focus, keeps it, is closed by Escape and returns the focus', async () => {
    const { page, box, opener } = await open(one)
    await until(() => containsFocus(box))
    const dialogs = await statesOf(page, 'dialog')
    expect(dialogs).toHaveLength(1)
    expect(dialogs[0]?.['name']).toMatch(/\w/)
    if (modals.includes(one)) {
      expect(dialogs[0]?.['modal']).toBe(true)
      for (const key of ['Tab', 'Shift+Tab']) {
        for (let presses = 0; presses < 12; presses++) {
          await page.keyboard.press(key)
          expect(await hasLeft(page, box)).toBe(false)
        }
      }
    }
    await page.keyboard.press('Escape')
    await box.waitFor({ state: 'hidden' })
    const target = one.returnsTo?.(page) ?? opener
    await until(() => hasFocus(target))
    await page.context().close()
  })
})

describe.each([...menus])('$name', (one) => {
  test('says whether it is open, is reached by Tab, and is closed by Escape or a click elsewhere', async () => {
    const { page, box, opener } = await open(one)
    const openStates = async () =>
      (await statesOf(page, 'DisclosureTriangle')).filter(({ expanded }) => expanded === true)
    expect(await openStates()).toHaveLength(1)
    await page.keyboard.press('Tab')
    expect(await containsFocus(box)).toBe(true)
    await page.keyboard.press('Escape')
    await box.waitFor({ state: 'hidden' })
    expect(await hasFocus(opener)).toBe(true)
    expect(await openStates()).toEqual([])
    await page.keyboard.press('Enter')
    await box.waitFor()
    // The margin of the page, where nothing else is.
    await page.mouse.click((page.viewportSize()?.width ?? 0) - 4, 400)
    await box.waitFor({ state: 'hidden' })
    await page.context().close()
  })
})
