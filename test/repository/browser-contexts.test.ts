import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { openBrowser } from '../support/browser/browser.ts'

const html = { headers: { 'content-type': 'text/html' } }
const server = Bun.serve({ port: 0, fetch: () => new Response('<p>A page.</p>', html) })
let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.stop(true)
})

test.each<[string, (context: BrowserContext) => Promise<unknown>]>([
  ['a script for all pages', (context) => context.addInitScript('window.isLeft = true')],
  ['a script for its page', async (context) => context.pages()[0]?.addInitScript('isLeft = true')],
  ['a clock of its own', (context) => context.clock.install({ time: new Date('2020-01-01') })],
])('a browser context leaves nothing of %s to the next test', async (_, change) => {
  const context = await browser.newContext()
  await change(context)
  const page = await context.newPage()
  await page.goto(server.url.href)
  await context.close()
  const next = await browser.newContext()
  const other = await next.newPage()
  await other.goto(server.url.href)
  const state = 'JSON.stringify([typeof isLeft, new Date().getFullYear() > 2020])'
  expect(await other.evaluate(state)).toBe('["undefined",true]')
  await next.close()
})
