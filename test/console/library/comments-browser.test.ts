import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { signInBrowser } from '../../support/browser/browser.ts'
import { startBrowserApp } from '../../support/browser/browser-app.ts'
import { untilNamesAreOffered } from '../../support/browser/mentions.ts'
import { member } from '../../support/console.ts'
import { blockOf, unlimitedClient } from '../../support/newsletters.ts'

const { app, browser } = await startBrowserApp()

const panelOf = (page: Page) => page.locator('#preview-panel')
const comment = (page: Page) => panelOf(page).getByRole('textbox', { name: 'Comment' })
const sendButton = (page: Page) => panelOf(page).getByRole('button', { name: 'Comment' })
const rowOf = (page: Page, title: string) => page.locator('.block-row', { hasText: title })

async function openPreview(page: Page, title: string): Promise<void> {
  await page.getByRole('link', { name: title, exact: true }).click()
  await panelOf(page).getByRole('heading', { name: title }).waitFor()
}

/** The library with two drafts, of which the first is open beside the list with a comment that is being sent. */
async function sendComment() {
  const team = await app.team()
  const call = await unlimitedClient(app, team)
  const second = await blockOf(call, { title: 'Second', status: 'draft' })
  const first = await blockOf(call, { title: 'First', status: 'draft' })
  const { id: memberId, email } = await member(app, team, 'editor')
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  await signInBrowser(context, { base: app.base, email })
  const page = await context.newPage()
  const answer = Promise.withResolvers<'send' | 'fail'>()
  let requests = 0
  await page.route('**/comments', async (route) => {
    requests++
    await ((await answer.promise) === 'send' ? route.continue() : route.abort())
  })
  await page.goto(`${app.base}/library`)
  await openPreview(page, 'Second')
  await comment(page).fill('About the second')
  await page.getByText('Draft saved').waitFor()
  await openPreview(page, 'First')
  await comment(page).fill('About the first')
  await Promise.all([page.waitForRequest('**/comments'), sendButton(page).click()])
  const stored = () => app.sql`select body from block_comments where block_id = ${first}`
  const draftOf = async (id: string) => {
    const form = `/library/${id} /library/${id}/comments`
    const [draft] = await app.sql`
      select content from form_drafts where member_id = ${memberId} and form = ${form}`
    return draft?.['content']
  }
  return { page, first, second, answer, stored, draftOf, requests: () => requests }
}

test('the answer to a comment ends its own draft, not that of the block that is shown by then', async () => {
  const { page, first, second, answer, draftOf } = await sendComment()
  await openPreview(page, 'Second')
  answer.resolve('send')
  await rowOf(page, 'First').getByText('1 comment').waitFor()
  expect(await comment(page).inputValue()).toBe('About the second')
  expect(await draftOf(second)).toContain('About the second')
  expect(await draftOf(first)).toBe('')
  await page.reload()
  await openPreview(page, 'First')
  expect(await comment(page).inputValue()).toBe('')
  expect(await page.getByText('is restored').count()).toBe(0)
  await openPreview(page, 'Second')
  expect(await comment(page).inputValue()).toBe('About the second')
  await page.context().close()
})

test('a comment that is being sent is not sent twice or changed, also when its block is opened again', async () => {
  const { page, answer, stored, requests } = await sendComment()
  await sendButton(page).click()
  await comment(page).press('End')
  await page.keyboard.type(' and more')
  await openPreview(page, 'Second')
  await openPreview(page, 'First')
  await sendButton(page).click()
  expect(await comment(page).inputValue()).toBe('About the first')
  answer.resolve('send')
  await rowOf(page, 'First').getByText('1 comment').waitFor()
  await panelOf(page).locator('.comments').getByText('About the first').waitFor()
  expect(await comment(page).inputValue()).toBe('')
  expect(await comment(page).isEditable()).toBeTrue()
  expect(requests()).toBe(1)
  expect(await stored()).toHaveLength(1)
  await page.context().close()
})

test('a comment that is added while its block is edited is announced as added', async () => {
  const { page, answer } = await sendComment()
  await panelOf(page).getByRole('link', { name: 'Edit' }).click()
  await panelOf(page).getByLabel('Title').fill('First of all')
  answer.resolve('send')
  await rowOf(page, 'First').getByText('1 comment').waitFor()
  await page.getByText('Saved.', { exact: true }).waitFor({ state: 'attached' })
  expect(await page.getByText('cannot be reached').count()).toBe(0)
  expect(await panelOf(page).getByLabel('Title').inputValue()).toBe('First of all')
  await page.context().close()
})

test('a comment that does not reach the server is there when its block is opened again', async () => {
  const { page, answer, stored } = await sendComment()
  await openPreview(page, 'Second')
  answer.resolve('fail')
  await page.getByText('cannot be reached').waitFor({ state: 'attached' })
  await openPreview(page, 'First')
  expect(await comment(page).inputValue()).toBe('About the first')
  await page.unroute('**/comments')
  await sendButton(page).click()
  await rowOf(page, 'First').getByText('1 comment').waitFor()
  expect(await stored()).toHaveLength(1)
  await page.context().close()
})

test('a comment that the server refuses stays, and the page says why or opens the page that is needed first', async () => {
  const team = await app.team()
  await blockOf(await unlimitedClient(app, team), { title: 'First', status: 'draft' })
  const { email } = await member(app, team, 'editor')
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  await signInBrowser(context, { base: app.base, email })
  const page = await context.newPage()
  await page.goto(`${app.base}/library`)
  await openPreview(page, 'First')
  await comment(page).fill('   ')
  await sendButton(page).click()
  await page.locator('#toast.danger', { hasText: 'Body' }).waitFor()
  expect(await panelOf(page).isVisible()).toBe(true)
  await app.sql`update teams set requires_second_factor = true where id = ${team.id}`
  await comment(page).fill('About the first')
  await sendButton(page).click()
  await page.waitForURL('**/account/second-factor*')
  await context.close()
})

test('names that are offered stay while the person is in another window, and close when the focus moves in the page', async () => {
  const team = await app.team()
  await blockOf(await unlimitedClient(app, team), { title: 'First', status: 'draft' })
  await member(app, team, 'editor', { name: 'Maximiliane von Fürstenberg' })
  const { email } = await member(app, team, 'editor')
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  await signInBrowser(context, { base: app.base, email })
  const page = await context.newPage()
  await page.goto(`${app.base}/library`)
  await openPreview(page, 'First')
  await comment(page).pressSequentially('Hello @Max')
  await untilNamesAreOffered(page)
  // Another window takes the focus: the event comes, and the text stays the active element. Playwright has one window.
  await comment(page).dispatchEvent('focusout')
  await page.keyboard.press('Enter')
  expect(await comment(page).inputValue()).toBe('Hello @Maximiliane von Fürstenberg ')
  await comment(page).pressSequentially('and @Max')
  await untilNamesAreOffered(page)
  await sendButton(page).focus()
  expect(await page.locator('.mention-list').count()).toBe(0)
  await context.close()
})
