import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core'
import type { Team } from '../../../src/features/teams/index.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { inspect, narrowScreen, wideScreen } from '../../support/browser/axe.ts'
import { follow, openBrowser, signInBrowser } from '../../support/browser/browser.ts'
import { untilDraftStored } from '../../support/browser/form-drafts.ts'
import { member } from '../../support/console.ts'

let app: TestApp
let team: Team
let browser: Browser
let email: string
beforeAll(async () => {
  app = await startApp()
  browser = await openBrowser()
  team = await app.team('acme')
  await app.sql`update teams set brand_color = '#1d4ed8' where id = ${team.id}`
  email = (await member(app, team, 'admin')).email
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

/** An admin on the page of the templates. */
async function adminPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: app.base, ...options })
  await signInBrowser(context, { base: app.base, email })
  const page = await context.newPage()
  await page.goto('/settings/templates')
  return page
}

const sample = (page: Page) => page.frameLocator('iframe[title="A sample newsletter"]')

test('the preview of a template follows every change before it is saved', async () => {
  const page = await adminPage()
  await follow(page.getByRole('link', { name: 'Duplicate Clean' }))
  await sample(page).getByRole('heading', { name: 'Harbour notes, November' }).waitFor()
  await page.getByText('All text is readable').waitFor()
  await page.getByLabel('A color of its own').check()
  await page.getByLabel('Color of headers, links and buttons').fill('#ffd54f')
  await page
    .locator('#contrast')
    .getByText('Links in #ffd54f on #f4f5f7 have a contrast of 1.2:1; 4.5:1 is needed.')
    .waitFor()
  await page.getByLabel('A background of its own').check()
  await page.getByLabel('Background, a light color').fill('#555555')
  await page.locator('#contrast').getByText('Choose a lighter color.').waitFor()
  await page.getByLabel('A background of its own').uncheck()
  await page.getByLabel('Layout').selectOption('digest')
  await sample(page).getByText('4. Version 2.4 is out').first().waitFor()
  await page.getByLabel('Phone').check()
  await page.locator('iframe.preview-frame.phone').waitFor()
  await page.getByLabel('Dark').check()
  await page.locator('iframe[src*="screen=dark"]').waitFor()
  expect(await app.sql`select from templates where team_id = ${team.id}`).toHaveLength(0)
  await page.getByLabel('Name').fill('Our Monday')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Created the template.').waitFor()
  const [row] = await app.sql`
    select slug, base, style from templates where team_id = ${team.id} and name = 'Our Monday'`
  expect(row).toMatchObject({
    slug: 'our-monday',
    base: 'digest',
    style: { accent_color: '#ffd54f' },
  })
  await page.context().close()
})

test('the preview of a template follows a change that is made while the preview of an earlier one is awaited', async () => {
  const page = await adminPage()
  await page.goto('/settings/templates/new?from=clean')
  const requested = Promise.withResolvers<void>()
  const allowed = Promise.withResolvers<void>()
  const holdFirst = async (route: Route) => {
    requested.resolve()
    await allowed.promise
    // The browser has cancelled it meanwhile.
    await route.continue().catch(() => undefined)
  }
  await page.route('**/settings/templates/new*', holdFirst, { times: 1 })
  await page.getByLabel('Layout').selectOption('digest')
  await requested.promise
  await page.getByLabel('A color of its own').check()
  await page.getByLabel('Color of headers, links and buttons').fill('#ffd54f')
  await page.locator('#contrast').getByText('Links in #ffd54f on').waitFor()
  await sample(page).getByText('4. Version 2.4 is out').first().waitFor()
  allowed.resolve()
  await page.context().close()
})

test('a template is created, changed, duplicated and deleted without JavaScript', async () => {
  const page = await adminPage({ javaScriptEnabled: false })
  await page.getByRole('link', { name: 'New template' }).click()
  await page.getByLabel('Width in pixels').fill('900')
  await page.getByLabel('Name').fill('Plain')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Width in pixels must be a whole number from 520 to 720.').waitFor()
  await page.getByLabel('Width in pixels').fill('560')
  await page.getByLabel('Font').selectOption('georgia')
  await page.getByRole('button', { name: 'Preview' }).click()
  await sample(page).getByRole('heading', { name: 'Harbour notes, November' }).waitFor()
  expect(await page.locator('iframe').getAttribute('src')).toContain('font=georgia')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Edit Plain' }).click()
  expect(await page.getByLabel('Font').inputValue()).toBe('georgia')
  await page.getByLabel('Show the logo of the team').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Duplicate Plain' }).click()
  expect(await page.getByLabel('Show the logo of the team').isChecked()).toBe(false)
  await page.getByLabel('Name').fill('Plain')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Delete Plain' }).first().click()
  await page.getByText('Newsletters that use it get the template Clean.').waitFor()
  await page.getByRole('button', { name: 'Delete the template' }).click()
  await page.getByText('Deleted the template.').waitFor()
  const rows = await app.sql`select slug from templates where name = 'Plain'`
  expect(rows.map(({ slug }) => slug)).toEqual(['plain-2'])
  await page.context().close()
})

const sectionsOf = async (name: string) => {
  const [row] = await app.sql`select sections from templates where name = ${name}`
  return row?.['sections']
}

test.each([true, false])('sections of a template are changed, with JavaScript: %p', async (js) => {
  const name = `Sections ${js}`
  const page = await adminPage({ javaScriptEnabled: js })
  await page.goto('/settings/templates/new?from=bold')
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Heading of section 1').fill('Shipped')
  if (js) await sample(page).getByText('Shipped').first().waitFor()
  const remove = page.getByRole('button', { name: 'Remove: What is on' })
  await remove.click()
  await remove.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add a section' }).click()
  await page.getByLabel('Heading of section 4').fill('Dates')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Block types must name at least one block type.').waitFor()
  const dates = page.locator('.template-sections li').nth(3)
  await dates.getByLabel('Event').check()
  await dates.getByLabel('Poll').check()
  if (js) await dates.getByLabel('Learning').check()
  await page.getByRole('button', { name: 'Move up: Dates' }).click()
  await page.locator('#section_title-2[value="Dates"]').waitFor()
  expect(await sectionsOf(name)).toBeUndefined()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Created the template.').waitFor()
  const learning = ['learning_development']
  expect(await sectionsOf(name)).toEqual([
    { title: 'Shipped', block_types: ['ceo_update', 'wins_milestones'] },
    { title: 'Our people', block_types: ['team_spotlight', 'new_starter'] },
    { title: 'Dates', block_types: ['event_announcement', 'poll', ...(js ? learning : [])] },
    { title: 'Good to know', block_types: ['general', 'policy_change', ...(js ? [] : learning)] },
  ])
  await page.context().close()
})

const headings = (page: Page) =>
  page
    .locator('[name="section_title[]"]')
    .evaluateAll((fields) => fields.map((field) => (field as unknown as { value: string }).value))

/** An admin who has typed the name of a new template, with its sections added, removed or moved, and not saved it. */
async function changedSections(name: string, change: 'added' | 'removed' | 'moved') {
  const page = await adminPage()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto('/settings/templates/new?from=bold')
  const before = await headings(page)
  if (change === 'added') {
    await page.getByRole('button', { name: 'Add a section' }).click()
    await page.getByLabel('Heading of section 5').fill('Dates')
    await page.locator('.template-sections li').nth(4).getByLabel('Poll').check()
  } else {
    const label = change === 'removed' ? 'Remove: Our people' : 'Move up: Our people'
    await page.getByRole('button', { name: label }).click()
    await page.locator('#section_title-1:not([value="Our people"])').waitFor()
  }
  // A draft without the name can be stored by then.
  await untilDraftStored(page, name, () => page.getByLabel('Name').fill(name))
  await page.getByText('Draft saved').waitFor()
  return { page, before, after: await headings(page) }
}

test.each(['added', 'removed', 'moved'] as const)(
  'a template that was not saved is restored on this and on another device with the sections that were %s',
  async (change) => {
    const name = `Restored ${change}`
    const { page, before, after } = await changedSections(name, change)
    expect(after).not.toEqual(before)
    await page.reload()
    const second = await adminPage()
    await second.goto('/settings/templates/new?from=bold')
    for (const one of [page, second]) {
      await one.getByText('Text that was not saved is restored.').waitFor()
      expect(await headings(one)).toEqual(after)
      await sample(one)
        .getByText(after[1] ?? '')
        .first()
        .waitFor()
    }
    await second.getByRole('button', { name: 'Save' }).click()
    await second.getByText('Created the template.').waitFor()
    const stored = await sectionsOf(name)
    expect(stored.map(({ title }: { title: string }) => title)).toEqual(after)
    if (change === 'added') expect(stored.at(-1)).toEqual({ title: 'Dates', block_types: ['poll'] })
    await page.context().close()
    await second.context().close()
  },
)

test('sections that cannot be restored while the server cannot be reached stay stored beside what is typed then', async () => {
  const { page, before, after } = await changedSections('Restored later', 'added')
  await page.route('**/settings/templates/new*', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await page.reload()
  await page.getByText('The server cannot be reached. What you typed is kept').waitFor()
  expect(await headings(page)).toEqual(before)
  await page.getByLabel('What it is for').fill('Typed meanwhile')
  await page.getByText('Both are kept until you choose one.').waitFor()
  await page.unroute('**/settings/templates/new*')
  await page.reload()
  await page.getByText('There is a second text that you wrote in another tab or browser.').waitFor()
  expect(await headings(page)).toEqual(after)
  await page.getByRole('button', { name: 'Use the other text' }).click()
  await page.getByText('Text that was not saved is restored.').waitFor()
  expect(await page.getByLabel('What it is for').inputValue()).toBe('Typed meanwhile')
  await page.getByRole('button', { name: 'Discard it' }).click()
  await page.locator('.draft-notice').waitFor({ state: 'detached' })
  expect(await headings(page)).toEqual(before)
  await page.context().close()
})

test('the pages of templates are accessible on a wide, light and on a narrow, dark screen', async () => {
  const page = await adminPage()
  const screens = [
    { viewport: wideScreen, colorScheme: 'light' },
    { viewport: narrowScreen, colorScheme: 'dark' },
  ] as const
  await inspect(page, '/settings/templates/new?from=bold', screens)
  await inspect(page, '/settings/templates', screens)
  await page.context().close()
})
