import { expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import type { Team } from '../../../src/features/teams/index.ts'
import { follow, signInBrowser } from '../../support/browser/browser.ts'
import { startBrowserApp } from '../../support/browser/browser-app.ts'
import { joinTeam, member, testPassword } from '../../support/console.ts'
import { blockOf, newsletterOf } from '../../support/newsletters.ts'

// The team of every account here that comes first by name is Alpha.
const { app, browser, team: beta, call } = await startBrowserApp()
const alpha = await app.team('alpha')
await app.sql`update teams set name = 'Beta' where id = ${beta.id}`
await app.sql`update teams set name = 'Alpha' where id = ${alpha.id}`

/** A tab of a person who belongs to Alpha and Beta and works in Beta. */
async function openBeta(path: string, role: 'editor' | 'admin' = 'editor') {
  const { email, accountId } = await member(app, alpha, role)
  await joinTeam(app, beta, { accountId, email, role })
  const viewport = { width: 1280, height: 900 }
  const context = await browser.newContext({ baseURL: app.base, viewport })
  await signInBrowser(context, { base: app.base, email })
  const page = await context.newPage()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto('/library')
  await switchTo(page, 'Beta')
  await page.goto(path)
  return { context, page }
}

async function switchTo(page: Page, name: string): Promise<void> {
  await page.locator('summary.team-name').click()
  await follow(page.locator('.menu-list').getByRole('button', { name }))
}

/** Another tab of the same person, in which they go to Alpha. */
async function openAlpha(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto('/library')
  await switchTo(page, 'Alpha')
  return page
}

const teamOf = (page: Page) => page.locator('summary.team-name > span:not([aria-hidden])')

const countIn = async (team: Team, table: 'content_blocks' | 'form_drafts' | 'images') => {
  const [row] = await app.sql<{ n: number }[]>`
    select count(*)::int as n from ${app.sql(table)} where team_id = ${team.id}`
  return row?.n
}

test('text that was written in a team is saved there after signing in again on the page, which stays in that team', async () => {
  const { context, page } = await openBeta('/library/new')
  await page.getByLabel('Title').fill('Only for Beta')
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('A secret of Beta.')
  await context.clearCookies()
  await page.getByRole('button', { name: 'Add to the library' }).click()
  await page.getByLabel('Password').fill(testPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/library\/cb_\w+$/)
  expect(await page.getByRole('heading', { name: 'Only for Beta' }).count()).toBe(1)
  expect(await teamOf(page).textContent()).toBe('Beta')
  expect(await countIn(alpha, 'content_blocks')).toBe(0)
  await context.close()
})

test('on a page of a team, what scripts send stays in that team while another tab shows another one', async () => {
  for (const title of ['First', 'Second']) await blockOf(call, { title, status: 'draft' })
  const { context, page } = await openBeta('/library')
  const other = await openAlpha(context)
  await page.getByRole('button', { name: 'Approve First', exact: true }).click()
  await page.locator('.block-row.is-changed').waitFor()
  const { json } = await call('GET', '/content_blocks?status=ready')
  expect(json.content_blocks.map(({ title }: { title: string }) => title)).toContain('First')
  await page.getByRole('link', { name: 'Second', exact: true }).click()
  await page.locator('#preview-content [data-edit]').click()
  const form = page.locator('#preview-content form[data-draft]')
  await form.getByLabel('Title').fill('Second thoughts')
  await form.getByText('Draft saved').waitFor()
  await form.getByLabel('File').setInputFiles({
    name: 'red.png',
    mimeType: 'image/png',
    buffer: await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  })
  await form.getByText('Uploaded. Now say what it shows.').waitFor()
  for (const table of ['form_drafts', 'images'] as const) {
    expect([table, await countIn(alpha, table)]).toEqual([table, 0])
    expect(await countIn(beta, table)).toBeGreaterThan(0)
  }
  await other.reload()
  expect(await teamOf(other).textContent()).toBe('Alpha')
  await form.locator('[name=image_alt]').fill('Red')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Second thoughts' }).first().waitFor()
  await context.close()
})

/** A page of Beta of an admin, who goes to Alpha in another tab. */
async function openBesideAlpha(path: string): Promise<Page> {
  const { context, page } = await openBeta(path, 'admin')
  await openAlpha(context)
  await page.bringToFront()
  return page
}

test('the first steps of a team stay those of this team while another tab shows another one', async () => {
  await blockOf(call, { title: 'Third', status: 'ready' })
  const { context, page } = await openBeta('/welcome', 'admin')
  const steps = page.locator('#steps')
  const shown = await steps.textContent()
  await openAlpha(context)
  await page.bringToFront()
  const refreshed = () => page.waitForResponse(`${app.base}/welcome`)
  await refreshed()
  await refreshed()
  expect(await steps.textContent()).toBe(shown)
  const teams = steps.locator('[name=form_team]')
  expect(await teams.evaluateAll((all) => all.map((one) => one.getAttribute('value')))).toEqual(
    Array(await teams.count()).fill(beta.id),
  )
  await context.close()
})

test('on the export page of a team, its newsletter is copied while another tab shows another team', async () => {
  const path = await newsletterOf(call, [await blockOf(call, { status: 'ready' })])
  const page = await openBesideAlpha(`${path}/export`)
  await page.getByRole('button', { name: 'Copy HTML' }).click()
  await page.locator('#toast.success').waitFor()
  await page.context().close()
})

test('the search of a page finds what is in its team while another tab shows another one', async () => {
  await blockOf(call, { title: 'Fourth', status: 'ready' })
  const page = await openBesideAlpha('/library')
  await page.keyboard.press('Control+k')
  await page.locator('#command-palette-text').fill('Fourth')
  await page.locator('#command-palette').getByRole('link', { name: 'Fourth' }).waitFor()
  await page.context().close()
})

test('the audit log of a team shows its entries when it is filtered while another tab shows another team', async () => {
  const page = await openBesideAlpha('/settings/audit')
  const filtered = page.waitForResponse(/audit\?action=/)
  await page.getByLabel('What was done').selectOption({ index: 1 })
  const html = await (await filtered).text()
  expect(/data-team="([^"]*)"/.exec(html)?.[1]).toBe(beta.id)
  await page.context().close()
})
