import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
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

test.each([
  ['members', '/settings/members'],
  ['API keys', '/settings/keys'],
  ['newsletters', '/newsletters'],
])(
  'the table of %s has one line per row and no horizontal scrollbar at 1280 pixels',
  async (_, path) => {
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
