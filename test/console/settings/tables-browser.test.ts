import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { startApp, type TestApp } from '../../support/app.ts'
import { openBrowser, signInBrowser } from '../../support/browser/browser.ts'
import { member } from '../../support/console.ts'
import { newsletterOf, unlimitedClient } from '../../support/newsletters.ts'

let app: TestApp
let browser: Browser
beforeAll(async () => {
  app = await startApp()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

/** A team whose rows have long names, addresses and titles; returns the address of its admin. */
async function teamWithLongNames(): Promise<string> {
  const team = await app.team()
  const name = 'Anneke Vlietstra-van den Broek-Hernández'
  const { email } = await member(app, team, 'admin', { name })
  await member(app, team, 'editor', {
    name: 'Ada',
    email: `${'a-very-long-address'.repeat(2)}-${team.slug}@lantern.example`,
  })
  const scopes = ['read', 'write', 'send_preview'] as const
  await app.key(team, [...scopes], { name: 'Nightly export of everything to the intranet' })
  await app.key(team, ['write'], { name: 'Slack', provider: 'slack', ingest_only: true })
  const call = await unlimitedClient(app, team)
  const long = 'What the harbour, the lighthouse and everybody in the office did in November '
  for (const subject_line of [`${long.repeat(2)}.`, 'Short'])
    await newsletterOf(call, [], { title: long.trim(), subject_line })
  return email
}

test.each([
  ['members', '/settings/members'],
  ['API keys', '/settings/keys'],
  ['newsletters', '/newsletters'],
])(
  'the table of %s has one line per row and no horizontal scrollbar at 1280 pixels',
  async (_, path) => {
    const email = await teamWithLongNames()
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    await signInBrowser(context, { base: app.base, email })
    const page = await context.newPage()
    await page.goto(app.base + path)
    const heights = await page
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height))
    expect(heights.length).toBeGreaterThanOrEqual(2)
    expect(Math.max(...heights)).toBeLessThan(50)
    const hidden = await page
      .locator('.table-container')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect(hidden).toBe(0)
    await context.close()
  },
)

/** How many pixels of the page and of its table can only be reached by scrolling sideways. */
const hiddenPixels = (page: Page) =>
  page
    .locator('.table-container')
    .first()
    .evaluate((table) =>
      [table, table.ownerDocument.documentElement].map(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      ),
    )

test.each([
  ['members', '/settings/members'],
  ['API keys', '/settings/keys'],
  ['jobs', '/settings/jobs'],
  ['the audit log', '/settings/audit'],
  ['newsletters', '/newsletters'],
])(
  'nothing of the table of %s is hidden at the side of a window of 1280, 1024 or 800 pixels, in German',
  async (_, path) => {
    const email = await teamWithLongNames()
    const context = await browser.newContext({ locale: 'de-DE' })
    await signInBrowser(context, { base: app.base, email })
    const page = await context.newPage()
    await page.goto(app.base + path)
    for (const width of [1280, 1024, 800]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await hiddenPixels(page), `at ${width} pixels`).toEqual([0, 0])
    }
    await context.close()
  },
)
