import { afterAll, beforeAll, expect, test } from 'bun:test'
import { isDeepStrictEqual } from 'node:util'
import { simpleParser } from 'mailparser'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import type { Team } from '../../../src/features/teams/index.ts'
import { smtpTransport } from '../../../src/lib/mail/mail.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { inspect, narrowScreen, wideScreen } from '../../support/browser/axe.ts'
import { follow, openBrowser, signInBrowser } from '../../support/browser/browser.ts'
import { watchErrors } from '../../support/browser/page-errors.ts'
import { member, testPassword } from '../../support/console.ts'
import { hostileTexts } from '../../support/hostile/hostile-texts.ts'
import {
  blockOf,
  type Call,
  newsletterOf,
  send,
  unlimitedClient,
} from '../../support/newsletters.ts'
import { type MailServer, startMailServer } from '../../support/providers/smtp.ts'
import { until } from '../../support/until.ts'

let browser: Browser
let app: TestApp
let mails: MailServer

beforeAll(async () => {
  browser = await openBrowser()
  mails = await startMailServer()
  const mail = smtpTransport(mails.url, { name: 'Tidings', address: 'news@acme.example' })
  app = await startApp({ mail })
})
afterAll(async () => {
  await browser.close()
  await app.close()
  await mails.close()
})

interface EditorSession {
  team: Team
  call: Call
  page: Page
  context: BrowserContext
  pageErrors: string[]
  email: string
}

/** An editor at work, with a team of their own. */
async function startEditorSession(
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<EditorSession> {
  const team = await app.team()
  const call = await unlimitedClient(app, team)
  const { email } = await member(app, team, 'editor', { name: 'Ines Okafor' })
  const context = await browser.newContext({
    viewport: wideScreen,
    reducedMotion: 'reduce',
    ...options,
  })
  await signInBrowser(context, { base: app.base, email })
  const page = await context.newPage()
  return { team, call, page, context, pageErrors: watchErrors(page), email }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** Waits for a message. It is visible for five seconds, which a busy test can miss. */
const expectToast = (page: Page, text: string) =>
  page.locator('[role=status]', { hasText: text }).waitFor({ state: 'attached' })
const previewFrame = (page: Page) => page.frameLocator('iframe.preview-frame')
const blockTitles = (page: Page) =>
  page.locator('#blocks .block-text > :first-child').allTextContents()

/** Drags a block by its handle to the top of the newsletter, and releases it once it lies there. */
async function dragToTop(page: Page, title: string): Promise<void> {
  const handle = page.locator('li', { hasText: title }).locator('.drag-handle').first()
  const top = page.locator('#blocks li').first()
  const isAtTop = async () => (await top.textContent())?.includes(title) === true
  // The layout can change while the page loads, and browsers start a drag in their own time.
  while (!(await isAtTop())) {
    await page.mouse.up()
    await handle.scrollIntoViewIfNeeded()
    const [start, end] = [await handle.boundingBox(), await top.boundingBox()]
    if (!start || !end) throw new Error('there is nothing to drag')
    await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2)
    await page.mouse.down()
    for (let n = 0; n < 40 && !(await isAtTop()); n++) {
      await page.mouse.move(end.x + 60 + (n % 5), end.y + 4 + (n % 3))
    }
  }
  await page.mouse.up()
}

test('a newsletter is created, composed, exported and marked as sent with keyboard and mouse', async () => {
  const session = await startEditorSession({ permissions: ['clipboard-read', 'clipboard-write'] })
  const { page, call, pageErrors } = session
  const wins = { block_type: 'wins_milestones' }
  const release = await blockOf(call, { title: 'Version 2 is out', ...wins })
  await blockOf(call, { title: 'A million orders', ...wins })
  await blockOf(call, { title: 'Nine months of quiet', ...wins })

  await page.goto(`${app.base}/newsletters`)
  await follow(page.getByRole('link', { name: 'New newsletter' }))
  await page.getByLabel('Title').fill('Harbour notes')
  await page.getByLabel('Add all ready blocks').uncheck()
  await follow(button(page, 'Create'))
  const path = new URL(page.url()).pathname

  await button(page, 'Add “Version 2 is out”').click()
  await expectToast(page, 'Added “Version 2 is out”.')
  await button(page, 'Add “A million orders”').click()
  await expectToast(page, 'Added “A million orders”.')
  expect(await blockTitles(page)).toEqual(['Version 2 is out', 'A million orders'])
  // From the library into the newsletter, to the position at which it is dropped.
  await dragToTop(page, 'Nine months of quiet')
  await expectToast(page, 'Added “Nine months of quiet”.')
  expect((await blockTitles(page))[0]).toBe('Nine months of quiet')

  const up = button(page, 'Move “A million orders” up')
  await up.focus()
  await page.keyboard.press('Enter')
  await expectToast(page, '“A million orders” is number 2 of 3')
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
    'Move “A million orders” up',
  )
  await page.keyboard.press('Enter')
  await expectToast(page, '“A million orders” is number 1 of 3')
  await dragToTop(page, 'Version 2 is out')
  await expectToast(page, '“Version 2 is out” is number 1 of 3')
  const wanted = ['Version 2 is out', 'A million orders', 'Nine months of quiet']
  expect(await blockTitles(page)).toEqual(wanted)

  const shown = () => previewFrame(page).locator('h3').allTextContents()
  await until(async () => isDeepStrictEqual(await shown().catch(() => []), wanted))
  await button(page, 'Remove “Nine months of quiet”').click()
  await previewFrame(page).getByText('Nine months of quiet').waitFor({ state: 'detached' })
  await page.getByText('Title, date and template').click()
  await page.getByLabel('Title', { exact: true }).fill('Harbour notes, second try')
  await page.keyboard.press('Tab')
  await previewFrame(page).getByRole('heading', { name: 'Harbour notes, second try' }).waitFor()
  await page.getByLabel('Subject', { exact: true }).fill('What November brought')
  await page.keyboard.press('Tab')
  await expectToast(page, 'Saved.')
  await page.getByRole('link', { name: 'Phone' }).click()
  await page.locator('iframe.phone').waitFor()
  expect((await page.locator('iframe.phone').boundingBox())?.width).toBe(375)
  const background = () =>
    previewFrame(page).locator('body').evaluate('getComputedStyle(document.body).backgroundColor')
  expect(await background()).toBe('rgb(255, 255, 255)')
  await page.getByRole('link', { name: 'Dark' }).click()
  await until(async () => page.frames().some((frame) => frame.url().includes('scheme=dark')))
  await previewFrame(page).getByText('Version 2 is out').first().waitFor()
  await until(async () => (await background().catch(() => '')) === 'rgb(22, 24, 28)')

  await sendPreview(session)
  await exportNewsletter(session, path)
  await call('PATCH', `/content_blocks/${release}`, { title: 'Rewritten later' })
  await page.goto(app.base + path)
  expect(await blockTitles(page)).toEqual(['Version 2 is out', 'A million orders'])
  await previewFrame(page).getByText('Version 2 is out').first().waitFor()
  expect(await previewFrame(page).getByText('Rewritten later').count()).toBe(0)
  expect(pageErrors).toEqual([])
  await session.context.close()
})

async function sendPreview({ page, email }: EditorSession): Promise<void> {
  const before = mails.mails.length
  await follow(page.getByRole('link', { name: 'Send a preview' }))
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(1)
  await page.getByLabel('Note').fill('Please look at the second one.')
  await follow(button(page, 'Send the preview'))
  await expectToast(page, 'The preview is being sent to 1 person.')
  await mails.received(before + 1)
  const mail = mails.mails.at(-1)
  expect(mail?.envelope.to).toEqual([email])
  expect(mail?.subject).toBe('[Preview] What November brought')
  expect(mail?.text).toStartWith('Please look at the second one.')
}

async function exportNewsletter({ page, email, call }: EditorSession, path: string): Promise<void> {
  await button(page, 'Mark as ready').click()
  await expectToast(page, 'The newsletter now has the status “Ready”.')
  await follow(page.locator('.page-actions').getByRole('link', { name: 'Export' }))
  const { html } = (await call('GET', `${path}/preview`)).json.preview
  // The page to sign in is not the newsletter.
  const cookies = await page.context().cookies()
  await page.context().clearCookies()
  await button(page, 'Copy HTML').click()
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor()
  await page.keyboard.press('Escape')
  await expectToast(page, 'Nothing was copied, because you are not signed in.')
  await page.context().addCookies(cookies)
  await button(page, 'Copy HTML').click()
  await expectToast(page, 'The HTML is copied.')
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(html)
  const exportedOn = page.locator('input[name="exported_on"]')
  const clearExportDay = () =>
    page.evaluate('document.querySelector(`[name="exported_on"]`).value = ""')
  await clearExportDay()
  await button(page, 'Copy for Gmail').click()
  await expectToast(page, 'Paste it into a new message.')
  // The day that the archive shows for a newsletter without a planned date.
  expect(await exportedOn.inputValue()).toMatch(/^\d{4}-\d\d-\d\d$/)
  const pasted = await page.evaluate<string>(
    'navigator.clipboard.read({ unsanitized: ["text/html"] }).then(([item]) => item.getType("text/html")).then((blob) => blob.text())',
  )
  // With its looks, since nothing else of them reaches the message.
  expect(pasted).toBe(html)

  await clearExportDay()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download .eml' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('Harbour-notes-second-try.eml')
  expect(await exportedOn.inputValue()).toMatch(/^\d{4}-\d\d-\d\d$/)
  const file = await Bun.file(await download.path()).text()
  expect(file).toContain('X-Unsent: 1')
  const mail = await simpleParser(file)
  expect(mail.subject).toBe('What November brought')
  expect(mail.from?.value[0]?.address).toBe(email)
  expect(String(mail.html).trim()).toBe(html.trim())

  await page.getByLabel('I have sent this newsletter').check()
  await follow(button(page, 'Mark as sent'))
  await expectToast(page, 'Marked as sent.')
  expect((await call('GET', path)).json.newsletter.status).toBe('sent')
}

test('a newsletter is created, composed, exported and marked as sent without JavaScript', async () => {
  const session = await startEditorSession({
    javaScriptEnabled: false,
    viewport: narrowScreen,
  })
  const { page, call } = session
  await blockOf(call, { title: 'Version 2 is out' })
  await blockOf(call, { title: 'A million orders' })
  await page.goto(`${app.base}/newsletters`)
  await follow(button(page, 'Create one with all ready blocks'))
  const path = new URL(page.url()).pathname
  const side = (name: string) =>
    page.getByRole('navigation', { name: 'Panel' }).getByRole('link', { name })
  await follow(side('Outline'))
  expect(await blockTitles(page)).toEqual(['Version 2 is out', 'A million orders'])
  await follow(button(page, 'Move “A million orders” up'))
  await expectToast(page, '“A million orders” is number 1 of 2')
  expect(await blockTitles(page)).toEqual(['A million orders', 'Version 2 is out'])
  await follow(button(page, 'Remove “Version 2 is out”'))
  await follow(side('Library'))
  await follow(button(page, 'Add “Version 2 is out”'))
  await follow(side('Newsletter'))
  await previewFrame(page).getByText('A million orders').first().waitFor()
  await page.getByLabel('Subject', { exact: true }).fill('What November brought')
  await follow(button(page, 'Save'))
  await sendPreview(session)
  await follow(button(page, 'Mark as ready'))
  await follow(page.locator('.page-actions').getByRole('link', { name: 'Export' }))
  await page.getByLabel('I have sent this newsletter').check()
  await follow(button(page, 'Mark as sent'))
  expect((await call('GET', path)).json.newsletter).toMatchObject({
    status: 'sent',
    subject_line: 'What November brought',
  })
  await session.context.close()
})

test('a click in the composer directly after typing is not lost', async () => {
  const { page, call, context } = await startEditorSession()
  const path = await newsletterOf(call, [await blockOf(call)], { subject_line: null })
  await page.goto(app.base + path)
  await page.getByLabel('Subject', { exact: true }).fill('What November brought')
  const ready = await button(page, 'Mark as ready').boundingBox()
  await page.mouse.move((ready?.x ?? 0) + 20, (ready?.y ?? 0) + 10)
  const saved = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.mouse.down()
  await (await saved).finished()
  await page.mouse.up()
  await expectToast(page, 'The newsletter now has the status “Ready”.')
  expect((await call('GET', path)).json.newsletter.subject_line).toBe('What November brought')
  await context.close()
})

test('typed text stays when another person changes the newsletter, and a conflict is shown', async () => {
  const { page, call, context } = await startEditorSession()
  await blockOf(call, { title: 'A million orders' })
  const path = await newsletterOf(call, [], { subject_line: 'Old', preheader_text: 'Old' })
  await page.goto(app.base + path)
  await call('PATCH', path, { subject_line: 'From a colleague' })
  await page.getByLabel('Subject', { exact: true }).fill('Mine')
  await page.keyboard.press('Tab')
  await page.getByRole('alert').getByText('Subject is now “From a colleague”').waitFor()
  await button(page, 'Mark as ready').click()
  await expectToast(page, 'cannot become ready')
  expect(await page.getByLabel('Subject', { exact: true }).inputValue()).toBe('Mine')
  expect(await page.getByRole('alert').count()).toBe(1)
  await page.getByLabel('Subject', { exact: true }).focus()
  await page.keyboard.press('Enter')
  await expectToast(page, 'Saved.')
  // Typed and not yet saved, while a block is added.
  await page.getByLabel('Preheader', { exact: true }).fill('Half a sen')
  await page.evaluate('document.querySelector("[id^=add-]").click()')
  // Not by what is said: the browser may save the field as it is replaced, and that is said, too.
  await page.locator('#blocks').getByText('A million orders').waitFor()
  expect(await page.getByLabel('Preheader', { exact: true }).inputValue()).toBe('Half a sen')
  await context.close()
})

/**
 * Types into a field while the focus stays where it is. A field that loses the focus is saved, and then the
 * dialog for signing in can open between the two and receive the text.
 */
const typeWithoutFocus = (page: Page, selector: string, text: string) =>
  page.evaluate(`(() => {
    const field = document.querySelector('${selector}')
    field.value = '${text}'
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })()`)

test('a person whose session ends while composing signs in on the same page and loses no text', async () => {
  const { page, call, context, email } = await startEditorSession()
  const path = await newsletterOf(call, [await blockOf(call, { title: 'A million orders' })])
  await page.goto(`${app.base + path}?panel=library`)
  await page.getByLabel('Subject', { exact: true }).fill('A subject that took an hour')
  await context.clearCookies()
  await typeWithoutFocus(page, '#preheader_text', 'And a preheader')
  await page.keyboard.press('Tab')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  // Who writes is known, so that only the password is asked for.
  expect(await dialog.getByLabel('Email').inputValue()).toBe(email)
  await page.keyboard.type(testPassword)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Saved.')
  expect(await page.getByLabel('Preheader', { exact: true }).inputValue()).toBe('And a preheader')
  const { json } = await call('GET', path)
  expect(json.newsletter.subject_line).toBe('A subject that took an hour')

  await context.clearCookies()
  await typeWithoutFocus(page, '#block-search-query', 'orders')
  await dialog.getByLabel('Password').fill(testPassword)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/q=orders/)
  expect(await page.getByLabel('Preheader', { exact: true }).inputValue()).toBe('And a preheader')
  await context.close()
})

test('the composer loses no text while offline, and shows a newsletter that another person has sent as sent', async () => {
  const { page, call, context } = await startEditorSession()
  const block = await blockOf(call, { title: 'A million orders' })
  await blockOf(call, { title: 'Version 2 is out' })
  const path = await newsletterOf(call, [block])
  await page.goto(`${app.base + path}?panel=library`)
  await page.route('**/blocks', (route) => route.abort())
  await button(page, 'Add “Version 2 is out”').click()
  await expectToast(page, 'The server cannot be reached.')
  await page.unroute('**/blocks')
  await button(page, 'Add “Version 2 is out”').click()
  await expectToast(page, 'Added “Version 2 is out”.')
  await send(call, path)
  await button(page, 'Remove “Version 2 is out”').click()
  await expectToast(page, 'was sent and can no longer be changed')
  await page.getByText('This newsletter was sent.').waitFor()
  expect(await blockTitles(page)).toEqual(['A million orders', 'Version 2 is out'])
  await context.close()
})

test('scripts in hostile blocks run on no page of a newsletter', async () => {
  const { page, call, context, pageErrors } = await startEditorSession()
  const ids: string[] = []
  for (const body of hostileTexts) {
    const { json } = await call('POST', '/content_blocks', {
      title: [...body.replaceAll(/\s+/g, ' ')].slice(0, 200).join(''),
      body,
      status: 'ready',
    })
    if (json.content_block) ids.push(json.content_block.id)
  }
  expect(ids.length).toBeGreaterThan(25)
  const path = await newsletterOf(call, ids, {
    title: hostileTexts[0],
    subject_line: hostileTexts[5],
  })
  for (const end of [
    '',
    '/html?marked&scheme=light',
    '?scheme=dark',
    '/export',
    '/preview',
    '/html',
  ]) {
    await page.goto(app.base + path + end)
    expect(await page.evaluate('globalThis.pwned ?? null')).toBeNull()
    for (const frame of page.frames()) expect(await frame.title()).not.toBe('pwned')
  }
  await page.goto(`${app.base}/newsletters`)
  expect(await page.evaluate('globalThis.pwned ?? null')).toBeNull()
  // Pictures that do not exist, and the sandbox that keeps scripts from running, are all there is.
  const expected = /net::|Blocked script|Content Security Policy|sandbox/
  expect(pageErrors.filter((text) => !expected.test(text))).toEqual([])
  await context.close()
})

test('every state of the composer is accessible and has no horizontal overflow on wide, very wide and narrow screens', async () => {
  const screens = [
    { viewport: wideScreen, colorScheme: 'dark' },
    { viewport: { width: 1720, height: 900 }, colorScheme: 'light' },
    { viewport: narrowScreen, colorScheme: 'light' },
  ] as const
  const { page, call, context } = await startEditorSession()
  const ready = await blockOf(call, { title: 'A'.repeat(120), block_type: 'wins_milestones' })
  const draft = await blockOf(call, { title: 'Not finished', status: 'draft' })
  const reviewed = await blockOf(call, { title: 'H'.repeat(120), status: 'draft' })
  await call('PATCH', `/content_blocks/${reviewed}`, { status: 'ready', body: 'W'.repeat(300) })
  const begun = await newsletterOf(call, [draft, ready], {
    subject_line: null,
    title: 'T'.repeat(120),
  })
  // Longer than a screen, as newsletters are: what is below a shorter one moves up when it is fitted.
  const story = await blockOf(call, { body: '<p>A paragraph of a long story.</p>'.repeat(40) })
  const sent = await newsletterOf(call, [ready, story])
  await send(call, sent)
  const empty = await newsletterOf(call)
  const views = ['', '?panel=outline', '?panel=library', '?width=phone&scheme=dark']
  const shown = [
    ...[...views, '?status=all', '?q=nothing', '/preview', '/export', '/history'].map(
      (end) => begun + end,
    ),
    ...['', '/export', '/delete'].map((end) => sent + end),
    ...[empty, '/newsletters?status=ready', '/newsletters?status=sent'],
    ...[`/library/${reviewed}/history`, `/library/${ready}/history`],
  ]
  for (const path of shown) await inspect(page, app.base + path, screens)
  await page.goto(`${app.base}${begun}`)
  await call('PATCH', begun, { subject_line: 'From a colleague' })
  await page.getByLabel('Subject', { exact: true }).fill('Mine')
  await page.keyboard.press('Tab')
  await page.getByRole('alert').waitFor()
  await inspect(page, null, screens)
  await context.close()
})

test('the composer shows the newsletter first, and the desktop preview fits, on screens of 390 to 1600 pixels', async () => {
  const { page, call, context } = await startEditorSession()
  const path = await newsletterOf(call, [await blockOf(call)])
  for (const [width, shown] of [
    [1600, ['preview', 'library', 'blocks']],
    [1280, ['preview', 'library', 'blocks']],
    [1000, ['preview', 'blocks']],
    [390, ['preview']],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(app.base + path)
    const frame = page.locator('#preview-viewport iframe')
    await frame.waitFor()
    const visible: string[] = []
    for (const id of ['preview', 'library', 'blocks']) {
      if (await page.locator(`#${id}`).isVisible()) visible.push(id)
    }
    expect({ width, visible }).toEqual({ width, visible: [...shown] })
    const room = await page.locator('#preview-viewport').boundingBox()
    const mailWidth = (await frame.boundingBox())?.width
    expect(mailWidth).toBeGreaterThan(200)
    expect(mailWidth).toBeLessThanOrEqual((room?.width ?? 0) + 1)
    expect((room?.x ?? 0) + (room?.width ?? 0)).toBeLessThanOrEqual(width)
    const lines = await page
      .locator('#preview-tools nav')
      .evaluateAll((views) => new Set(views.map((view) => view.getBoundingClientRect().y)).size)
    expect({ width, lines }).toEqual({ width, lines: 1 })
  }
  await context.close()
})

test('nothing moves on a phone before the newsletter has loaded, nor when nobody else has it open', async () => {
  const { page, call, context } = await startEditorSession({ viewport: narrowScreen })
  const path = await newsletterOf(call, [await blockOf(call)])
  const { promise: mayLoad, resolve: load } = Promise.withResolvers<void>()
  await page.route(/\/html\?marked/, async (route) => {
    await mayLoad
    await route.continue()
  })
  await page.goto(app.base + path, { waitUntil: 'domcontentloaded' })
  const frame = page.locator('#preview-viewport iframe')
  const height = () => frame.evaluate(({ style }) => style.height)
  expect(await height()).toBe('')
  load()
  await until(async () => (await height()) !== '')
  await page.locator('#viewers[data-names=""]').waitFor({ state: 'attached' })
  const margin = await page.evaluate<string>(
    'getComputedStyle(document.getElementById("viewers")).marginBottom',
  )
  expect(margin).toBe('0px')
  await context.close()
})

test('the preview loads uploaded images at once, and images of other websites only when an editor asks for them', async () => {
  const { page, call } = await startEditorSession()
  const create = { width: 60, height: 40, channels: 3 as const, background: '#0f766e' }
  const png = await sharp({ create }).png().toBuffer()
  const uri = `data:image/png;base64,${png.toString('base64')}`
  const { url: own } = (await call('POST', '/images', { image: uri, alt: 'A box' })).json.image
  const requests: string[] = []
  await page.context().route(/pixel\.test|\/media\//, async (route) => {
    requests.push(route.request().url())
    await route.fulfill({ contentType: 'image/png', body: png })
  })
  const remote = 'https://pixel.test/a.png'
  const path = await newsletterOf(call, [
    await blockOf(call, { title: 'Uploaded', image_url: own }),
    await blockOf(call, { title: 'Remote', image_url: remote }),
  ])
  await page.goto(`${app.base}${path}`, { waitUntil: 'networkidle' })
  expect(new Set(requests)).toEqual(new Set([own]))
  const loaded = page.waitForResponse(remote)
  await page.getByRole('link', { name: 'Show images' }).click()
  await loaded
  requests.length = 0
  await page.getByRole('link', { name: 'No images' }).click()
  await page.waitForURL(/images=none/)
  await page.waitForLoadState('networkidle')
  expect(requests).toEqual([])
  await page.context().close()
})

test('a second person is asked for approval in the composer, and approves there', async () => {
  const author = await startEditorSession()
  const { team, call, page } = author
  await app.sql`update teams set requires_approval = true where id = ${team.id}`
  const path = await newsletterOf(call, [await blockOf(call, {})], {
    title: 'Harbour notes',
    subject_line: 'Harbour notes',
  })
  const read = async () => (await call('GET', path)).json.newsletter
  const { email } = await member(app, team, 'admin', { name: 'Ada Quist' })
  await page.goto(`${app.base}${path}`)
  await page.getByText('Title, date and template').click()
  await page.getByLabel('Title', { exact: true }).fill('Harbour notes of June')
  await page.keyboard.press('Tab')
  await button(page, 'Ask for approval').press('Enter')
  await expectToast(page, '1 person is asked for approval.')
  await page.getByText('You asked for approval').waitFor()
  // The button is gone; the focus stays in its part of the page.
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
  expect(await button(page, 'Ask for approval').count()).toBe(0)
  expect((await read()).status).toBe('in_progress')

  const context = await browser.newContext({ viewport: wideScreen })
  await signInBrowser(context, { base: app.base, email })
  const admin = await context.newPage()
  await admin.goto(`${app.base}${path}`)
  await admin.getByText('Ines Okafor asked for approval').waitFor()
  await button(admin, 'Approve').click()
  await admin.waitForURL(`${app.base}${path}/export`)
  expect((await read()).status).toBe('ready')
  expect(author.pageErrors).toEqual([])
  await Promise.all([author.context.close(), context.close()])
})
