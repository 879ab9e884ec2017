import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import {
  type EditorInBrowser,
  startEditorInBrowser,
} from '../../support/browser/editor-in-browser.ts'
import { blockOf, type Call, newsletterOf } from '../../support/newsletters.ts'

let call: Call
let session: EditorInBrowser
beforeAll(async () => {
  session = await startEditorInBrowser()
  call = session.call
})
afterAll(() => session.close())

const text = 'Something happened that readers would like to hear about. '.repeat(12)

const openPage = (path: string): Promise<Page> =>
  session.open(path, { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })

const region = (page: Page, name: string) => page.getByRole('link', { name: `Edit ${name}` })
const editor = (page: Page) => page.getByRole('dialog')
const emailOf = (page: Page) => page.frameLocator('iframe.preview-frame')

/** The distance of an element from the upper edge of the window, in pixels. */
const topOf = (element: Locator) => element.evaluate((one) => one.getBoundingClientRect().top)

test('a click in the newsletter opens the form of a block over it, and saving shows the change at the same scroll position', async () => {
  const titles = ['First of all', 'In the middle', 'At the very end']
  const blocks = await Promise.all(titles.map((title) => blockOf(call, { title, body: text })))
  const page = await openPage(await newsletterOf(call, blocks))
  const last = region(page, 'At the very end')
  // A click of the browser's driver would scroll by itself.
  const before = await last.evaluate((one) => {
    one.scrollIntoView({ block: 'center' })
    one.click()
    return one.getBoundingClientRect().top
  })
  // Sizes of scaled newsletters are rounded to pixels.
  const scrolledBy = async (element: Locator) => Math.abs((await topOf(element)) - before)
  await editor(page).getByLabel('Title').fill('At last')
  expect(await scrolledBy(last)).toBeLessThan(1.5)
  await editor(page).getByRole('button', { name: 'Save' }).click()
  await emailOf(page).getByRole('heading', { name: 'At last' }).waitFor()
  expect(await editor(page).count()).toBe(0)
  expect(await scrolledBy(region(page, 'At last'))).toBeLessThan(1.5)
  const { json } = await call('GET', `/content_blocks/${blocks[2]}`)
  expect(json.content_block.title).toBe('At last')
  await page.context().close()
})

test('text of a form over the newsletter that is closed without saving is there when it opens again', async () => {
  const block = await blockOf(call, { title: 'The lift works' })
  const page = await openPage(await newsletterOf(call, [block]))
  await region(page, 'The lift works').click()
  await editor(page).getByLabel('Title').fill('The lift works again')
  await editor(page).locator('.rich-text').fill('To the fourth floor.')
  await page.keyboard.press('Escape')
  await editor(page).waitFor({ state: 'detached' })
  expect(await page.evaluate('document.activeElement.className')).toContain('canvas-region')
  await page.keyboard.press('Enter')
  await editor(page).getByText('Text that was not saved is restored.').waitFor()
  expect(await editor(page).getByLabel('Title').inputValue()).toBe('The lift works again')
  expect(await editor(page).locator('.rich-text').textContent()).toBe('To the fourth floor.')
  await editor(page).getByRole('button', { name: 'Discard' }).click()
  await editor(page)
    .getByText('Text that was not saved is restored.')
    .waitFor({ state: 'detached' })
  expect(await editor(page).getByLabel('Title').inputValue()).toBe('The lift works')
  await page.context().close()
})

test('introduction and the heading of a section are edited in the newsletter', async () => {
  const block = await blockOf(call, { title: 'The lift works', block_type: 'wins_milestones' })
  const path = await newsletterOf(call, [block])
  const page = await openPage(path)
  await page.getByRole('link', { name: 'Introduction', exact: true }).click()
  await editor(page).locator('.rich-text').fill('Good morning.')
  await editor(page).getByRole('button', { name: 'Save' }).click()
  await emailOf(page).getByText('Good morning.').waitFor()
  await region(page, 'Wins and milestones').click()
  await editor(page).getByLabel('Heading').fill('What worked')
  await editor(page).getByRole('button', { name: 'Save' }).click()
  await emailOf(page).getByRole('heading', { name: 'What worked' }).waitFor()
  const { json } = await call('GET', path)
  expect(json.newsletter).toMatchObject({
    intro: '<p>Good morning.</p>',
    elements: [{ type: 'section', heading: 'What worked', before_position: 1 }],
  })
  await page.context().close()
})

test('errors of a form over the newsletter are shown in it, and the text stays', async () => {
  const block = await blockOf(call, { title: 'The lift works' })
  const page = await openPage(await newsletterOf(call, [block]))
  await region(page, 'The lift works').click()
  await editor(page).getByLabel('Title').fill('The lift works again')
  await editor(page).locator('[name=source_url]').fill('javascript:alert(1)')
  await editor(page).getByRole('button', { name: 'Save' }).click()
  await editor(page).locator('.field-error').waitFor()
  expect(await editor(page).getByLabel('Title').inputValue()).toBe('The lift works again')
  await editor(page).locator('[name=source_url]').fill('')
  await editor(page).getByRole('button', { name: 'Save' }).click()
  await emailOf(page).getByRole('heading', { name: 'The lift works again' }).waitFor()
  await page.context().close()
})

test('a warning leads to the place that it refers to, in the newsletter and in the form', async () => {
  const body = text.repeat(3)
  const blocks = [
    await blockOf(call, { title: 'Long', body }),
    await blockOf(call, { title: 'Not finished', status: 'draft' }),
  ]
  const page = await openPage(await newsletterOf(call, blocks, { subject_line: null }))
  await region(page, 'Not finished').waitFor()
  const warnings = page.getByRole('region', { name: 'Before you send it' })
  await warnings.getByRole('link', { name: '“Not finished” is still a draft.' }).click()
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
    'Edit Not finished',
  )
  expect(await page.locator('.canvas-region.has-warning').count()).toBe(1)
  await warnings.getByRole('link', { name: 'The subject line is missing.' }).click()
  expect(await page.evaluate('document.activeElement.name')).toBe('subject_line')
  await page.context().close()
})

test('a block is dragged from the library into the newsletter, between two of its blocks', async () => {
  const blocks = [await blockOf(call, { title: 'Above' }), await blockOf(call, { title: 'Below' })]
  const path = await newsletterOf(call, blocks)
  await blockOf(call, { title: 'Dragged' })
  const page = await openPage(path)
  const handle = page.locator('#library li', { hasText: 'Dragged' }).locator('.drag-handle')
  await region(page, 'Below').waitFor()
  const dropLine = page.locator('#drop-line')
  // The layout can change while the page loads, and browsers start a drag in their own time.
  while ((await dropLine.count()) === 0) {
    await page.mouse.up()
    const [from, to] = [await handle.boundingBox(), await region(page, 'Below').boundingBox()]
    if (!from || !to) throw new Error('There is nothing to drag.')
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
    await page.mouse.down()
    for (let n = 0; n < 20 && (await dropLine.count()) === 0; n++) {
      await page.mouse.move(to.x + 60 + (n % 5), to.y + 6 + (n % 3))
    }
  }
  await page.mouse.up()
  await emailOf(page).getByRole('heading', { name: 'Dragged' }).waitFor()
  const { json } = await call('GET', path)
  const titles = json.newsletter.blocks.map(
    ({ content_block }: { content_block: { title: string } }) => content_block.title,
  )
  expect(titles).toEqual(['Above', 'Dragged', 'Below'])
  await page.context().close()
})

test('a handle for dragging appears when its script has loaded', async () => {
  const page = await openPage(await newsletterOf(call, [await blockOf(call, { title: 'Above' })]))
  const requested = Promise.withResolvers<void>()
  const allowed = Promise.withResolvers<void>()
  await page.route(/\/sortable\./, async (route) => {
    requested.resolve()
    await allowed.promise
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await requested.promise
  await region(page, 'Above').waitFor()
  expect(await page.locator('.drag-handle').count()).toBe(0)
  allowed.resolve()
  await page.locator('#blocks .drag-handle').waitFor()
  await page.context().close()
})

test('width and color scheme of the newsletter stay as they were chosen', async () => {
  const path = await newsletterOf(call, [await blockOf(call)])
  const page = await openPage(path)
  await page.getByRole('link', { name: 'Phone' }).click()
  await page.locator('iframe.phone').waitFor()
  await page.getByRole('link', { name: 'Dark' }).click()
  await page.locator('#scheme-dark[aria-current]').waitFor()
  await page.goto(await newsletterOf(call, [await blockOf(call)]))
  await page.locator('iframe.phone').waitFor()
  expect(await page.locator('#scheme-dark').getAttribute('aria-current')).toBe('true')
  await page.getByRole('link', { name: 'Desktop' }).click()
  await page.locator('iframe.desktop').waitFor()
  await page.goto(path)
  await page.locator('iframe.desktop').waitFor()
  await page.context().close()
})

test('the frame of the composer can be measured, and runs no script', async () => {
  const path = await newsletterOf(call, [await blockOf(call)])
  const page = await openPage(path)
  await page.locator('.canvas-region').first().waitFor()
  const allowed = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'
  const frame = page.locator('iframe.preview-frame')
  expect(await frame.getAttribute('sandbox')).toBe(allowed)
  const response = await page.goto((await frame.getAttribute('src')) ?? '')
  const policy = response?.headers()['content-security-policy'] ?? ''
  expect(policy).toStartWith(`sandbox ${allowed};`)
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("form-action 'none'")
  await page.context().close()
})
