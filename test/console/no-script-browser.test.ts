import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { adapter as github } from '../../integrations/github/adapter.ts'
import type { Team } from '../../src/features/teams/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { narrowScreen, wideScreen } from '../support/browser/axe.ts'
import { openBrowser, signInBrowser } from '../support/browser/browser.ts'
import { examplesFor, isFile, pathOf, routes } from '../support/browser/console-walk.ts'
import { member } from '../support/console.ts'
import { blockOf, type Call, newsletterOf, unlimitedClient } from '../support/newsletters.ts'

let app: TestApp
let browser: Browser
beforeAll(async () => {
  app = await startApp({ adapters: [github], forward: false })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

/** A page without JavaScript, of an admin of a new team. */
async function open(): Promise<{ page: Page; team: Team; call: Call }> {
  const team = await app.team()
  const { email } = await member(app, team, 'admin', { name: 'Ada Quist' })
  const context = await browser.newContext({
    baseURL: app.base,
    viewport: narrowScreen,
    javaScriptEnabled: false,
  })
  await signInBrowser(context, { base: app.base, email })
  return { page: await context.newPage(), team, call: await unlimitedClient(app, team) }
}

const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).filter({ visible: true }).first().click()
const notice = (page: Page, text: string) => page.locator('.notice', { hasText: text }).waitFor()

/** The visible controls that do nothing: buttons without a form, fields whose form has no button, empty links. */
const inert = `[...document.querySelectorAll('button, input:not([type=hidden], [readonly]), select, textarea, a')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }))
  .filter((element) => {
    if (element.matches('a')) {
      const href = element.getAttribute('href')
      return !href || (href.startsWith('#') && !document.getElementById(href.slice(1)))
    }
    if (element.matches('button')) return element.type !== 'submit' || !element.form
    return ![...(element.form?.elements ?? [])].some(({ type }) => type === 'submit')
  })
  .map((element) => element.outerHTML.slice(0, 200))`

test('without JavaScript, no page shows a control that does nothing or runs over its edge, on a phone and on a wide screen', async () => {
  const { page, team } = await open()
  const examples = await examplesFor(app, team, 'Northwind')
  const paths = routes
    .filter((route) => route.method === 'GET' && route.role !== null && !isFile(route))
    .map((route) => pathOf(route, examples))
  const faults: unknown[] = []
  for (const path of paths) {
    await page.goto(path)
    for (const viewport of [narrowScreen, wideScreen]) {
      await page.setViewportSize(viewport)
      const controls = await page.evaluate<string[]>(inert)
      const over = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      if (controls.length > 0 || over > 0) faults.push({ path, viewport, controls, over })
    }
  }
  expect(faults).toEqual([])
  expect(paths.length).toBeGreaterThan(60)
  await page.context().close()
})

test('without JavaScript, a block is commented, assigned, edited and restored from its history on a phone', async () => {
  const { page, call } = await open()
  const id = await blockOf(call, { title: 'The lift works', status: 'draft' })
  await page.goto(`/library/${id}`)
  await page.getByPlaceholder('@ and a name').fill('When was that?')
  await press(page, 'Comment')
  await page.getByText('When was that?').waitFor()
  await page.getByLabel('Assigned to').selectOption({ label: 'Ada Quist' })
  await press(page, 'Assign')
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Title').fill('The lift works again')
  await press(page, 'Save')
  await page.getByRole('heading', { name: 'The lift works again' }).waitFor()
  await page.goto(`/library/${id}/history?version=1`)
  await press(page, 'Restore this version')
  await notice(page, 'Version 1 is restored.')
  expect((await call('GET', `/content_blocks/${id}`)).json.content_block.title).toBe(
    'The lift works',
  )
  await page.context().close()
})

test('without JavaScript, an event, a key and a member are created and removed on a phone', async () => {
  const { page } = await open()
  await page.goto('/events/new')
  await page.getByLabel('Name', { exact: true }).fill('Harbour day')
  await page.getByLabel('Date', { exact: true }).fill('2030-05-01')
  await press(page, 'Add the event')
  await page.getByRole('heading', { name: 'Harbour day', level: 1 }).waitFor()

  await page.goto('/settings/keys/new')
  await page.getByLabel('Name', { exact: true }).fill('A program')
  await press(page, 'Create the key')
  await page.getByLabel('Key', { exact: true }).waitFor()
  await page.goto('/settings/keys')
  await page
    .getByRole('link', { name: /Revoke/ })
    .first()
    .click()
  await page.locator('main button.danger').click()
  await notice(page, 'no longer works')

  await page.goto('/settings/members')
  await page.getByLabel('Name', { exact: true }).fill('Grace Example')
  await page.getByLabel('Email', { exact: true }).fill('grace@people.test')
  await press(page, 'Invite')
  await page.goto('/settings/members')
  await page.getByRole('link', { name: /Remove.*Grace/ }).click()
  await page.locator('main button.danger').click()
  await notice(page, 'Grace Example is no longer a member.')
  await page.context().close()
})

test('without JavaScript, an integration is connected, changed and removed on a phone', async () => {
  const { page } = await open()
  await page.goto('/integrations/connect/github')
  await press(page, 'Connect')
  await notice(page, 'GitHub is connected.')
  const { pathname } = new URL(page.url())
  await page.goto(`${pathname}/settings`)
  await press(page, 'Save')
  await notice(page, 'Saved')
  await page.goto(`${pathname}/remove`)
  await page.locator('main button.danger').click()
  await page.waitForURL(/\/integrations$/)
  await page.context().close()
})

test('without JavaScript, a newsletter gets a section, and its blocks are moved, and it is deleted on a phone', async () => {
  const { page, call } = await open()
  const blocks = [await blockOf(call, { title: 'First' }), await blockOf(call, { title: 'Second' })]
  const path = await newsletterOf(call, blocks)
  await page.goto(`${path}/elements/new`)
  await page.getByLabel('Heading').fill('People')
  await press(page, 'Add')
  await page.goto(path)
  await page.getByRole('link', { name: /^Outline/ }).click()
  await press(page, 'Move “Second” up')
  await notice(page, '“Second” is number')
  const { json } = await call('GET', path)
  expect(json.newsletter.blocks[0].content_block.title).toBe('Second')
  expect(json.newsletter.elements).toContainEqual(
    expect.objectContaining({ type: 'section', heading: 'People' }),
  )
  await page.goto(`${path}/delete`)
  await page.locator('main button.danger').click()
  await page.waitForURL(/\/newsletters$/)
  await page.context().close()
})
