import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { prepareFirstRun } from '../../src/console/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { inspect, narrowScreen, wideScreen } from '../support/browser/axe.ts'
import { follow, openBrowser } from '../support/browser/browser.ts'
import { testPassword } from '../support/console.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(async () => await browser.close())

/** A new installation, and its set-up page in a browser. */
async function openSetup(options: BrowserContextOptions = {}): Promise<{
  app: TestApp
  context: BrowserContext
  page: Page
}> {
  const app = await startApp()
  const first = { sql: app.sql, now: systemClock, baseUrl: app.base, admin: null }
  const link = await prepareFirstRun(first)
  const context = await browser.newContext({
    viewport: wideScreen,
    acceptDownloads: true,
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  await page.goto(link ?? '')
  return { app, context, page }
}

async function fillSetup(page: Page, labels: readonly string[]): Promise<void> {
  const values = ['Northwind', 'Ada Example', 'ada@northwind.test', testPassword]
  for (const [at, label] of labels.entries()) {
    await page.getByLabel(label, { exact: true }).fill(values[at] ?? '')
  }
}

const english = ['Team', 'Your name', 'Email', 'Password']

/** Clicks what is visible, and counts. */
function clicker(page: Page) {
  let clicks = 0
  return {
    count: () => clicks,
    async click(role: 'button' | 'link' | 'radio', name: string): Promise<void> {
      clicks++
      const target = page.getByRole(role, { name, exact: true }).first()
      if (role === 'radio') return await page.locator('label', { has: target }).click()
      await follow(target)
    },
  }
}

const newsletterText = (page: Page) =>
  page.frameLocator('.preview-frame').locator('body').textContent()

test.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])(
  'from the set-up link, a new user has chosen a color, seen the sample, checked a newsletter on a phone, exported it and marked it as sent with nine clicks, no typed URL and no terminal, %s',
  async (_, javaScriptEnabled) => {
    const { app, context, page } = await openSetup({ javaScriptEnabled })
    const { click, count } = clicker(page)
    try {
      await fillSetup(page, english)
      await click('radio', 'Teal')
      await click('button', 'Set up')
      expect(new URL(page.url()).pathname).toBe('/welcome')

      await click('button', 'Add the sample newsletter')
      expect(await newsletterText(page)).toContain('Harbour Bank renews for three years')
      expect(await page.locator('.preview-frame').getAttribute('src')).toStartWith('/newsletters/')

      await page.getByLabel('Title').fill('We moved to the new office')
      await page.getByRole('textbox', { name: 'Text' }).fill('Everybody has a desk at a window.')
      await click('button', 'Add it and create the newsletter')
      expect(new URL(page.url()).pathname).toStartWith('/newsletters/')

      await click('button', 'On your phone')
      const address = new URL(await page.getByLabel('Link', { exact: true }).inputValue())
      const phone = await browser.newContext({ viewport: narrowScreen })
      const opened = await phone.newPage()
      await opened.goto(app.base + address.pathname)
      const shown = await opened.locator('main').textContent()
      expect(shown).toContain('We moved to the new office')
      expect(shown).not.toContain('Harbour Bank')
      expect(await opened.content()).toContain('#0f766e')
      await phone.close()

      await click('button', 'Mark as ready')
      expect(new URL(page.url()).pathname).toEndWith('/export')
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download .eml' }).click()
      expect((await download).suggestedFilename()).toEndWith('.eml')
      await page.getByRole('checkbox', { name: 'I have sent this newsletter' }).check()
      await click('button', 'Mark as sent')
      await page.getByText('Marked as sent.').waitFor()
      expect(count() + 2).toBeLessThanOrEqual(9)
      await page.goto(`${app.base}/welcome`)
      await page.getByText('All done.').waitFor()
    } finally {
      await context.close()
      await app.close()
    }
  },
)

test('in German on a phone, a new user has marked a newsletter of their own as sent after nine clicks on what is visible', async () => {
  const { app, context, page } = await openSetup({
    locale: 'de-DE',
    viewport: narrowScreen,
    isMobile: true,
    hasTouch: true,
  })
  const { click, count } = clicker(page)
  try {
    await fillSetup(page, ['Team', 'Ihr Name', 'E-Mail', 'Passwort'])
    await click('button', 'Einrichten')
    await click('button', 'Beispiel hinzufügen')
    await page.getByLabel('Titel').fill('Wir sind umgezogen')
    await page.getByRole('textbox', { name: 'Text' }).fill('Alle haben einen Platz am Fenster.')
    await click('button', 'Zur Bibliothek hinzufügen')
    await click('button', 'Newsletter erstellen')
    // The composer shows the next step in place; the tab of the same name is there before.
    await page.getByRole('button', { name: 'Als bereit markieren', exact: true }).click()
    const actions = page.locator('#newsletter-header .page-actions')
    await follow(actions.getByRole('link', { name: 'Exportieren' }))
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: /\.eml/ }).first().click()
    expect((await download).suggestedFilename()).toEndWith('.eml')
    await page.getByRole('checkbox').check()
    await click('button', 'Als gesendet markieren')
    expect(count() + 4).toBeLessThanOrEqual(9)
    await page.getByText('Gesendet', { exact: true }).first().waitFor()
  } finally {
    await context.close()
    await app.close()
  }
})

test('the sample newsletter is removed with one click, and own blocks stay', async () => {
  const { app, context, page } = await openSetup()
  const { click } = clicker(page)
  try {
    await fillSetup(page, english)
    await click('button', 'Set up')
    await click('button', 'Add the sample newsletter')
    await page.getByLabel('Title').fill('We moved')
    await page.getByRole('textbox', { name: 'Text' }).fill('To the new office.')
    await click('button', 'Add it to the library')
    await click('button', 'Remove the sample')
    await page.getByText('The sample content is removed.').waitFor()
    await page.goto(`${app.base}/library?status=all`)
    expect(await page.locator('.block-row-title').allInnerTexts()).toEqual(['We moved'])
    await page.goto(`${app.base}/newsletters`)
    await page.getByText('No newsletters yet').waitFor()
  } finally {
    await context.close()
    await app.close()
  }
})

test('what is pasted on the first steps keeps its heading, list and link in the block', async () => {
  const { app, context, page } = await openSetup()
  const { click } = clicker(page)
  try {
    await fillSetup(page, english)
    await click('button', 'Set up')
    await page.getByLabel('Title').fill('The canteen has new hours')
    await page.waitForFunction('typeof cleanPastedContent === "function"')
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', '<h2>Open</h2><ul><li>Breakfast</li></ul><div><a href="https://example.com/menu">Menu</a></div>')
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.querySelector('.rich-text').dispatchEvent(event)
    })()`)
    await page.locator('.rich-text').getByText('Menu').waitFor()
    await click('button', 'Add it to the library')
    const [block] = await app.sql`select body, body_format, status from content_blocks`
    expect(block).toMatchObject({ body_format: 'html', status: 'ready' })
    expect(block?.['body']).toContain('<h2>Open</h2><ul><li>Breakfast</li></ul>')
    expect(block?.['body']).toContain('href="https://example.com/menu"')
  } finally {
    await context.close()
    await app.close()
  }
})

test('text that a person types on the first steps stays while the steps are refreshed', async () => {
  const { app, context, page } = await openSetup()
  const { click } = clicker(page)
  try {
    await fillSetup(page, english)
    await click('button', 'Set up')
    await page.getByLabel('Title').fill('Half a sen')
    const refreshed = () => page.waitForResponse((response) => response.url().endsWith('/welcome'))
    await refreshed()
    await refreshed()
    expect(await page.getByLabel('Title').inputValue()).toBe('Half a sen')
  } finally {
    await context.close()
    await app.close()
  }
})

test('the first steps are in the navigation until an admin hides them or a newsletter of the team is sent', async () => {
  const { app, context, page } = await openSetup()
  const { click } = clicker(page)
  const link = page.getByRole('navigation', { name: 'Sections' }).getByText('First steps')
  try {
    await fillSetup(page, english)
    await click('button', 'Set up')
    await page.goto(`${app.base}/settings/team`)
    expect(await link.count()).toBe(1)
    await click('link', 'First steps')
    await click('button', 'Hide the first steps')
    expect(await link.count()).toBe(0)

    await app.sql`update teams set first_steps_done_at = null`
    await page.goto(`${app.base}/welcome`)
    await page.getByLabel('Title').fill('We moved')
    await page.getByRole('textbox', { name: 'Text' }).fill('To the new office.')
    await click('button', 'Add it to the library')
    await click('button', 'Create the newsletter')
    await click('button', 'On your phone')
    await click('button', 'Mark as ready')
    expect(await link.count()).toBe(1)
    await page.getByRole('checkbox').check()
    await click('button', 'Mark as sent')
    expect(await link.count()).toBe(0)
  } finally {
    await context.close()
    await app.close()
  }
})

test('the first steps in German have German sample content, and no step has a fault that axe finds', async () => {
  const { app, context, page } = await openSetup({ locale: 'de-DE' })
  const { click } = clicker(page)
  const screens = [
    { viewport: wideScreen, colorScheme: 'light' },
    { viewport: narrowScreen, colorScheme: 'dark' },
  ] as const
  try {
    await inspect(page, null, screens)
    await fillSetup(page, ['Team', 'Ihr Name', 'E-Mail', 'Passwort'])
    await click('button', 'Einrichten')
    await inspect(page, null, screens)
    await click('button', 'Beispiel hinzufügen')
    expect(await newsletterText(page)).toContain('Die Hafenbank verlängert um drei Jahre')
    await inspect(page, null, screens)
    await click('link', 'Öffnen')
    await inspect(page, null, screens)
    // The button is not shown on a phone.
    await page.setViewportSize(wideScreen)
    await click('button', 'Auf dem Telefon')
    await inspect(page, null, screens)
  } finally {
    await context.close()
    await app.close()
  }
})
