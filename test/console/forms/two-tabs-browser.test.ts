import { expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { signInBrowser } from '../../support/browser/browser.ts'
import { startBrowserApp } from '../../support/browser/browser-app.ts'
import { member } from '../../support/console.ts'
import { blockOf } from '../../support/newsletters.ts'

const { app, browser, team, call } = await startBrowserApp()

const conflict = 'You have written another text in another tab.'
const title = (page: Page) => page.getByLabel('Title')

/** Two tabs of one person with the form of the same block, in which each has written another title. */
async function openTwoTabs(): Promise<{
  context: BrowserContext
  path: string
  first: Page
  second: Page
}> {
  const { email } = await member(app, team, 'editor')
  const context = await browser.newContext({ baseURL: app.base })
  await signInBrowser(context, { base: app.base, email })
  const path = `/library/${await blockOf(call, { title: 'The lift' })}/edit`
  const [first, second] = [await context.newPage(), await context.newPage()]
  for (const page of [first, second]) {
    page.on('dialog', (dialog) => void dialog.accept())
    await page.goto(path)
  }
  await title(first).fill('The lift works')
  await first.getByText('Draft saved').waitFor()
  await title(second).fill('The lift is broken')
  await second.getByText(conflict).waitFor()
  return { context, path, first, second }
}

test('different texts of two tabs are both kept, and the person takes the one of the other tab', async () => {
  const { context, second } = await openTwoTabs()
  await second.getByRole('button', { name: 'Use the other text' }).click()
  await second.getByText('Text that was not saved is restored.').waitFor()
  expect(await title(second).inputValue()).toBe('The lift works')
  await context.close()
})

test('the person keeps the text of this tab, and the other tab says so', async () => {
  const { context, first, second } = await openTwoTabs()
  await second.getByRole('button', { name: 'Keep this text' }).click()
  expect(await title(second).inputValue()).toBe('The lift is broken')
  await first.getByText(conflict).waitFor()
  expect(await title(first).inputValue()).toBe('The lift works')
  await context.close()
})

test('after both tabs are closed, both texts can be restored', async () => {
  const { context, path, first, second } = await openTwoTabs()
  await first.close()
  await second.close()
  const third = await context.newPage()
  await third.goto(path)
  await third.getByText('There is a second text').waitFor()
  expect(await title(third).inputValue()).toBe('The lift works')
  await third.getByRole('button', { name: 'Use the other text' }).click()
  await third.getByText('Text that was not saved is restored.').waitFor()
  expect(await title(third).inputValue()).toBe('The lift is broken')
  await context.close()
})
