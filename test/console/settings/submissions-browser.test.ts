import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { createSubmissionLink } from '../../../src/features/submissions/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { openBrowser } from '../../support/browser/browser.ts'
import { signedIn } from '../../support/console.ts'

let app: TestApp
let browser: Browser
let buffer: Buffer
beforeAll(async () => {
  app = await startApp()
  browser = await openBrowser()
  buffer = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#0a84ff' } })
    .jpeg()
    .toBuffer()
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

test.each([
  ['with', true],
  ['without', false],
])(
  'a picture that is chosen in the form for submissions arrives %s JavaScript, editors see it, and its sender withdraws it',
  async (_, javaScriptEnabled) => {
    const team = await app.team()
    const { token } = await createSubmissionLink(
      systemContext({ sql: app.sql, now: systemClock }, team.id),
    )
    const context = await browser.newContext({ javaScriptEnabled })
    const page = await context.newPage()
    await page.goto(`${app.base}/submit/${team.slug}/${token}`)
    await page.getByLabel('Headline').fill('Ten years of Tideline')
    await page.getByLabel('What happened?').fill('We celebrate on Friday.')
    const picture = { name: 'cake.jpg', mimeType: 'image/jpeg', buffer }
    await page.getByLabel('Image (optional)').setInputFiles(picture)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Say what the image shows.').waitFor()
    await page.getByLabel('What the image shows').fill('A cake')
    // A browser without JavaScript cannot keep the file of a form that has an error.
    if (!javaScriptEnabled) await page.getByLabel('Image (optional)').setInputFiles(picture)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Your news has reached the editors.').waitFor()

    const [block] = await app.sql`
      select id, image_url from content_blocks where team_id = ${team.id}`
    const { pathname } = new URL(block?.['image_url'])
    expect(pathname).toMatch(/^\/media\/[0-9a-f]{64}\.jpg$/)
    const editor = await signedIn(app, team, 'editor')
    const email = await editor.get(`/library/${block?.['id']}/html`)
    expect(email.html).toMatch(new RegExp(`<img alt="A cake"[^>]* src="[^"]*${pathname}"`))
    const { html } = await editor.get(`/library/${block?.['id']}`)
    expect(html).not.toContain('Id at the provider')

    await page.getByRole('link', { name: 'Withdraw' }).click()
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('Your news is withdrawn.').waitFor()
    await context.close()
    expect((await editor.get(`/library/${block?.['id']}`)).status).toBe(404)
  },
)

test.each(['dropped', 'pasted'])(
  'a picture that is %s on the form for submissions is sent',
  async (way) => {
    const team = await app.team()
    const { token } = await createSubmissionLink(
      systemContext({ sql: app.sql, now: systemClock }, team.id),
    )
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${app.base}/submit/${team.slug}/${token}`)
    await page.getByLabel('Headline').fill('Ten years of Tideline')
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    expect(await page.getByLabel('Headline').inputValue()).toBe('Ten years of Tideline')
    // The next person at a computer that many people share does not see it.
    expect(await page.evaluate('localStorage.length')).toBe(0)
    // After an error the form is another one, with the same behavior.
    await page.getByLabel('What happened?').fill(' ')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Text is required.').waitFor()
    expect(await page.getByLabel('What the image shows').isVisible()).toBe(false)
    await page.getByLabel('What happened?').fill('We celebrate on Friday.')
    await page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${buffer.toString('base64')}'), (one) => one.charCodeAt(0))
    const data = new DataTransfer()
    data.items.add(new File([bytes], 'cake.jpg', { type: 'image/jpeg' }))
    const init = { bubbles: true, cancelable: true, dataTransfer: data, clipboardData: data }
    const [Kind, name] = '${way}' === 'dropped' ? [DragEvent, 'drop'] : [ClipboardEvent, 'paste']
    document.body.dispatchEvent(new Kind(name, init))
  })()`)
    await page.keyboard.type('A cake')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Your news has reached the editors.').waitFor()
    const [block] = await app.sql`
    select image_url, image_alt from content_blocks where team_id = ${team.id}`
    expect(block).toEqual({ image_url: expect.stringContaining('/media/'), image_alt: 'A cake' })
    // The pages are for readers, who know neither the console nor the API.
    expect(await page.locator('header').textContent()).toBe(team.name)
    expect(await page.getByRole('link').allTextContents()).toEqual(['Withdraw'])
    await context.close()
  },
)
