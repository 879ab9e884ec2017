import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { updateTeam } from '../../../src/features/teams/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { inspect, narrowScreen, wideScreen } from '../../support/browser/axe.ts'
import { openBrowser } from '../../support/browser/browser.ts'
import { watchErrors } from '../../support/browser/page-errors.ts'
import { member, person, testPassword } from '../../support/console.ts'
import { blockOf, newsletterOf, send, unlimitedClient } from '../../support/newsletters.ts'
import { withReservedPort } from '../../support/processes/reserved-port.ts'

let app: TestApp
let browser: Browser
let path: string
let ids: string[]
let email: string
beforeAll(async () => {
  // Images are on the same origin, as they are for readers.
  app = await withReservedPort((port) => startApp({ port, baseUrl: `http://127.0.0.1:${port}` }))
  browser = await openBrowser()
  const team = await app.team('acme')
  const call = await unlimitedClient(app, team)
  const image = await sharp({
    create: { width: 60, height: 40, channels: 3, background: '#0a84ff' },
  })
    .png()
    .toBuffer()
  const uploaded = await call('POST', '/images', {
    image: `data:image/png;base64,${image.toString('base64')}`,
    alt: 'A blue flag',
  })
  const image_url = uploaded.json.image.url
  const { json } = await call('PATCH', '/team', { archive: 'link' })
  path = new URL(json.team.archive_url).pathname
  ids = []
  for (const [at, template_slug] of ['clean', 'bold', 'digest'].entries()) {
    const body = '<p>Read <a href="https://a.test/more">all of it</a> before Friday.</p>'
    const blocks = [
      await blockOf(call, { title: `Flags of ${at}`, body, image_url, image_size: 'full_width' }),
      await blockOf(call, { title: 'Grace Hopper joins', body, block_type: 'new_starter' }),
    ]
    const about = {
      title: `Issue ${at + 1}`,
      preheader_text: `What ${at + 1} brought`,
      template_slug,
    }
    const newsletter = await newsletterOf(call, blocks, about)
    await send(call, newsletter)
    ids.push(newsletter.split('/').at(-1) ?? '')
  }
  email = (await member(app, team, 'viewer')).email
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

async function withPage(options: BrowserContextOptions, work: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ baseURL: app.base, ...options })
  const page = await context.newPage()
  // The sandbox blocks what Playwright runs, too.
  const pageErrors = watchErrors(page, { except: ['Blocked script execution'] })
  await work(page)
  await context.close()
  expect(pageErrors).toEqual([])
}

const screens = [wideScreen, narrowScreen].flatMap((viewport) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })),
)

test('every page of an archive is accessible on wide and narrow, light and dark screens', async () => {
  await withPage({}, async (page) => {
    await inspect(page, path, screens)
    const copy = await page.context().newPage()
    for (const id of ids) {
      await page.goto(`${path}/${id}`)
      for (const viewport of [wideScreen, narrowScreen]) {
        await page.setViewportSize(viewport)
        const over = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        )
        expect({ viewport, over }).toEqual({ viewport, over: 0 })
      }
      // The sandbox of the page lets no script run, not even axe.
      const { html } = await person(app.base).get(`${path}/${id}`)
      await copy.goto('about:blank')
      await copy.setContent(html, { waitUntil: 'load' })
      await inspect(copy, null, screens)
    }
  })
})

test('a reader goes from an email to the newsletters around it, and searches for one', async () => {
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto(`${path}/${ids[1]}`)
    const loaded = await page
      .getByAltText('A blue flag')
      .evaluate((image) => 'naturalWidth' in image && Number(image.naturalWidth) > 0)
    expect(loaded).toBe(true)
    await page.getByRole('link', { name: 'Older Issue 1' }).click()
    await page.getByRole('heading', { name: 'Issue 1' }).waitFor()
    await page.getByRole('link', { name: 'All newsletters' }).click()
    await page.getByRole('searchbox', { name: 'Search the newsletters' }).fill('flags 2')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('link', { name: 'Issue 3' }).click()
    await page.getByRole('heading', { name: 'Issue 3' }).waitFor()
  })
})

test('a member who signs in comes back to the newsletter and to those around it', async () => {
  const team = await app.sql<{ id: string }[]>`select id from teams where slug = 'acme'`
  const ctx = systemContext({ sql: app.sql, now: systemClock }, team[0]?.id ?? '')
  await updateTeam(ctx, { archive: 'members' })
  await withPage({}, async (page) => {
    await page.goto(`${path}/${ids[1]}`)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(testPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Issue 2' }).waitFor()
    await page.getByRole('link', { name: 'Newer Issue 3' }).click()
    await page.getByRole('heading', { name: 'Issue 3' }).waitFor()
  })
  await updateTeam(ctx, { archive: 'link' })
})
