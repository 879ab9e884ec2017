import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { wideScreen } from '../support/browser/axe.ts'
import { follow, signInBrowser } from '../support/browser/browser.ts'
import { startBrowserApp } from '../support/browser/browser-app.ts'
import { listenTo } from '../support/browser/screen-reader.ts'
import { member } from '../support/console.ts'
import { blockOf, newsletterOf } from '../support/newsletters.ts'
import { until } from '../support/until.ts'

const { app, browser, team, call } = await startBrowserApp()

/** A page of an admin, and what a screen reader announces on it. */
async function open(path: string): Promise<{ page: Page; heard: string[] }> {
  const { email } = await member(app, team, 'admin')
  const context = await browser.newContext({
    baseURL: app.base,
    viewport: wideScreen,
    reducedMotion: 'reduce',
  })
  await signInBrowser(context, { base: app.base, email })
  const page = await context.newPage()
  page.on('dialog', (dialog) => void dialog.accept())
  const heard = await listenTo(page)
  await page.goto(path)
  return { page, heard }
}

/** Does something, and waits until these texts are announced; what else is announced makes the test fail. */
async function hear(heard: string[], texts: readonly string[], act: () => Promise<unknown>) {
  heard.length = 0
  await act()
  await until(async () => texts.every((text) => heard.includes(text)))
  expect(heard.toSorted()).toEqual(texts.toSorted())
}

/** The focus is on an element, and not at the top of the page. */
const hasFocus = (page: Page) => page.evaluate<boolean>('document.activeElement !== document.body')

test('in the library, what changes is announced once, and the focus stays at the place of the change', async () => {
  for (const title of ['The crane', 'The lift', 'The desk'])
    await blockOf(call, { title, status: 'draft' })
  const { page, heard } = await open('/library')
  await hear(heard, ['“The desk” is approved.'], () =>
    page.getByRole('button', { name: 'Approve The desk' }).press('Enter'),
  )
  expect(await hasFocus(page)).toBe(true)
  await hear(heard, ['“The desk” is a draft again.'], () =>
    page.getByRole('button', { name: 'Undo: The desk' }).press('Enter'),
  )
  expect(await hasFocus(page)).toBe(true)
  await hear(heard, ['1 block matches.'], () => page.locator('#q').fill('crane'))
  await page.context().close()
})

test('a block that is approved while the list looks for changes of others is announced once', async () => {
  await blockOf(call, { title: 'The ramp', status: 'draft' })
  const { page, heard } = await open('/account')
  const [requested, approved, answered] = [0, 1, 2].map(() => Promise.withResolvers<void>())
  await page.route(
    '**/library/changed?*',
    async (route) => {
      requested?.resolve()
      await approved?.promise
      await route.continue()
    },
    { times: 1 },
  )
  await page.route('**/library/*/status*', async (route) => {
    const response = await route.fetch()
    approved?.resolve()
    await answered?.promise
    await route.fulfill({ response })
  })
  await page.goto('/library')
  await requested?.promise
  await hear(heard, ['“The ramp” is approved.'], async () => {
    const changed = page.waitForResponse(/\/library\/changed/)
    await page.getByRole('button', { name: 'Approve The ramp' }).press('Enter')
    await (await changed).finished()
    // The page has used the response by then.
    await page.evaluate('fetch(location.href).then((response) => response.text())')
    answered?.resolve()
  })
  await page.context().close()
})

test('in the composer, what changes is announced once, and the focus stays at the place of the change', async () => {
  const [first, second] = [
    await blockOf(call, { title: 'First story' }),
    await blockOf(call, { title: 'Second story' }),
  ]
  await blockOf(call, { title: 'Third story' })
  const path = await newsletterOf(call, [first, second])
  const { page, heard } = await open(path)
  const press = (name: string) => () => page.getByRole('button', { name }).press('Enter')
  await hear(heard, ['“Second story” is number 1 of 2 in News.'], press('Move “Second story” up'))
  expect(await hasFocus(page)).toBe(true)
  await hear(heard, ['Added “Third story”.'], press('Add “Third story”'))
  expect(await hasFocus(page)).toBe(true)
  for (const title of ['Third story', 'Second story']) {
    await hear(heard, [`Removed “${title}”. It stays in the library.`], press(`Remove “${title}”`))
    expect(await hasFocus(page)).toBe(true)
  }
  await hear(heard, ['1 block matches.'], () => page.locator('#block-search-query').fill('Third'))
  await hear(heard, ['Saved.'], async () => {
    await page.getByLabel('Subject', { exact: true }).fill('What November brought us')
    await page.keyboard.press('Tab')
  })
  await page.locator('.canvas-region[aria-label="Edit First story"]').press('Enter')
  await page.getByRole('dialog').getByLabel('Title').fill('The first story')
  await hear(heard, ['Saved.'], () =>
    page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).press('Enter'),
  )
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Edit The first story')
  await hear(heard, ['This newsletter was changed. Show the changes'], () =>
    call('PATCH', path, { preheader_text: 'From another person' }),
  )
  await page.getByRole('link', { name: 'Show the changes' }).press('Enter')
  await page.locator('h1:focus').waitFor()
  await page.context().close()
})

test('the message at the top of a page, restored text, the results of a search and copying are announced once', async () => {
  const { page, heard } = await open('/settings/team')
  await hear(heard, ['Saved.'], () => page.getByRole('button', { name: 'Save' }).first().click())
  await page.goto('/library/new')
  await hear(heard, ['Draft saved'], () => page.getByLabel('Title').fill('Half a sen'))
  await hear(heard, ['Text that was not saved is restored.'], () => page.reload())
  await page.keyboard.press('Control+k')
  await page.locator('.search-result').first().waitFor()
  await hear(heard, ['Results: 1'], () =>
    page.getByRole('dialog').getByRole('textbox').fill('audit'),
  )
  await page.keyboard.press('Escape')
  await page.goto('/settings/keys/new')
  await page.getByLabel('Name', { exact: true }).fill('A key')
  await follow(page.getByRole('button', { name: 'Create' }))
  const copy = page.getByRole('button', { name: 'Copy Key' })
  await hear(heard, ['Copied'], () => copy.press('Enter'))
  expect(await copy.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true)
  await page.context().close()
})

test('a screen reader is told when a color of a template is hard to read', async () => {
  const { page, heard } = await open('/settings/templates/new')
  await page.getByLabel('A color of its own').check()
  await page.locator('input[type=color]:visible').first().fill('#fafafa')
  await until(async () => heard.some((text) => text.includes('#fafafa')))
  expect(heard).toHaveLength(1)
  await page.context().close()
})
