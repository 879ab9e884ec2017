import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import type { Team } from '../../../src/features/teams/index.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { follow, openBrowser, signInBrowser } from '../../support/browser/browser.ts'
import { member } from '../../support/console.ts'
import { hostileTexts } from '../../support/hostile/hostile-texts.ts'
import { blockOf, type Call, newsletterOf, unlimitedClient } from '../../support/newsletters.ts'
import { sample } from '../../support/properties.ts'
import { until } from '../../support/until.ts'

let browser: Browser
let app: TestApp
beforeAll(async () => {
  browser = await openBrowser()
  app = await startApp()
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

/** An editor's browser on the library of a new team that has these drafts, the last one on top. */
async function openLibrary(
  titles: readonly string[],
  options: BrowserContextOptions = {},
): Promise<{ page: Page; call: Call; team: Team; ids: string[]; pageErrors: string[] }> {
  const team = await app.team()
  const call = await unlimitedClient(app, team)
  const ids: string[] = []
  for (const title of titles) ids.push(await blockOf(call, { title, status: 'draft' }))
  const { email } = await member(app, team, 'editor')
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  await signInBrowser(context, { base: app.base, email })
  const page = await context.newPage()
  const pageErrors: string[] = []
  page.on('pageerror', (error) => pageErrors.push(error.message))
  page.on('dialog', async (dialog) => {
    pageErrors.push(`dialog: ${dialog.message()}`)
    await dialog.dismiss()
  })
  await page.goto(`${app.base}/library`)
  return { page, call, team, ids, pageErrors }
}

/** Whether the message of the last action is on the screen and not transparent. */
const isToastInSight = `(() => {
  const toast = document.getElementById('toast')
  const { top, bottom } = toast.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight && toast.matches('.danger')
})()`

const statusOf = async (call: Call, id = '') =>
  (await call('GET', `/content_blocks/${id}`)).json.content_block.status

test('the keyboard moves through the list, previews and approves blocks', async () => {
  const { page, call, ids, pageErrors } = await openLibrary(['Third', 'Second', 'First'])
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.locator('#preview-panel').getByRole('heading', { name: 'Second' }).waitFor()
  await page.keyboard.press('k')
  await page.locator('#preview-panel').getByRole('heading', { name: 'First' }).waitFor()
  await page.keyboard.press('a')
  await page.getByText('“First” is approved.').waitFor()
  expect(await statusOf(call, ids[2])).toBe('ready')
  // The next block is selected now.
  await page.locator('#preview-panel').getByRole('heading', { name: 'Second' }).waitFor()
  await page.keyboard.press('x')
  expect(await page.getByLabel('Select Second').isChecked()).toBeTrue()
  await page.keyboard.press('/')
  await page.keyboard.type('jax')
  expect(await page.getByLabel('Search').inputValue()).toBe('jax')
  expect(await statusOf(call, ids[1])).toBe('draft')
  const second = page.getByRole('link', { name: 'Second', exact: true })
  // The search replaces the rows, and with them the focus.
  await second.waitFor({ state: 'detached' })
  await page.getByLabel('Search').fill('Second')
  await second.waitFor()
  await page.waitForURL(/q=Second/)
  await second.focus()
  await page.keyboard.press('e')
  await page.getByLabel('Title').fill('Seconds')
  // The keys of the list are text in the form, and Escape keeps what was typed.
  await page.getByRole('textbox', { name: 'Text' }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('a jaded index')
  await page.keyboard.press('Escape')
  await page.locator('#preview-panel').getByRole('heading', { name: 'Second' }).waitFor()
  await page.keyboard.press('e')
  await page.getByText('Text that was not saved is restored.').waitFor()
  expect(await page.getByLabel('Title').inputValue()).toBe('Seconds')
  expect(await page.getByRole('textbox', { name: 'Text' }).textContent()).toBe('a jaded index')
  await page.getByRole('button', { name: 'Save', exact: true }).last().click()
  await page.getByRole('link', { name: 'Seconds', exact: true }).waitFor()
  await page.locator('#preview-panel').getByRole('heading', { name: 'Seconds' }).waitFor()
  expect((await call('GET', `/content_blocks/${ids[1]}`)).json.content_block).toMatchObject({
    ...{ title: 'Seconds', body: '<p>a jaded index</p>', status: 'draft' },
  })
  expect(pageErrors).toEqual([])
  await page.context().close()
})

test('approving with the mouse keeps the page, the scroll position and the block beside the list', async () => {
  const titles = Array.from({ length: 20 }, (_, n) => `Block ${n + 1}`)
  const { page, call, ids } = await openLibrary(titles)
  await page.getByRole('link', { name: 'Block 11', exact: true }).click()
  await page.locator('#preview-panel').getByRole('heading', { name: 'Block 11' }).waitFor()
  const approve = page.getByRole('button', { name: 'Approve Block 10', exact: true })
  await approve.scrollIntoViewIfNeeded()
  await page.evaluate('document.documentElement.dataset.same = "yes"')
  const before = await page.evaluate('scrollY')
  await approve.click()
  const undo = page.getByRole('button', { name: 'Undo: Block 10', exact: true })
  await undo.waitFor()
  expect(await statusOf(call, ids[9])).toBe('ready')
  expect(await page.evaluate('scrollY')).toBe(before)
  expect(await page.evaluate('document.documentElement.dataset.same')).toBe('yes')
  expect(
    await page.locator('#preview-panel').getByRole('heading', { name: 'Block 11' }).count(),
  ).toBe(1)
  expect(await page.locator('#tabs').textContent()).toContain('19')
  await undo.click()
  await approve.waitFor()
  expect(await undo.count()).toBe(0)
  await page.getByText('“Block 10” is a draft again.').waitFor()
  expect(await statusOf(call, ids[9])).toBe('draft')
  await page.context().close()
})

test('a draft is declined by keyboard in place of its row, and Undo restores it', async () => {
  const { page, call, ids, pageErrors } = await openLibrary(['Third', 'Second', 'First'])
  await page.keyboard.press('j')
  await page.locator('#preview-panel').getByRole('heading', { name: 'First' }).waitFor()
  await page.keyboard.press('d')
  const undo = page.getByRole('button', { name: 'Undo: First', exact: true })
  await undo.waitFor()
  expect((await call('GET', `/content_blocks/${ids[2]}`)).status).toBe(404)
  expect(await page.locator('#tabs').textContent()).toContain('2')
  await page.locator('#preview-panel').getByRole('heading', { name: 'Second' }).waitFor()
  await undo.click()
  await page.getByRole('link', { name: 'First', exact: true }).waitFor()
  expect(await statusOf(call, ids[2])).toBe('draft')
  await page.keyboard.press('Escape')
  await page.locator('#preview-panel').waitFor({ state: 'hidden' })
  await page.keyboard.press('?')
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  expect(pageErrors).toEqual([])
  await page.context().close()
})

test('after a block is declined by keyboard the next one is selected, and after Undo the keys review the block again', async () => {
  const { page, call, ids } = await openLibrary(['Fifth', 'Fourth', 'Third', 'Second', 'First'])
  const preview = (title: string) =>
    page.locator('#preview-panel').getByRole('heading', { name: title }).waitFor()
  const undo = (title: string) => page.getByRole('button', { name: `Undo: ${title}`, exact: true })
  const focused = () => page.evaluate('document.activeElement.textContent')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await preview('Third')
  await page.keyboard.press('d')
  await preview('Fourth')
  expect(await focused()).toBe('Fourth')
  await page.keyboard.press('k')
  await preview('Second')
  await page.keyboard.press('j')
  await preview('Fourth')
  await page.keyboard.press('a')
  await preview('Fifth')
  await undo('Fourth').click()
  await page.getByText('“Fourth” is a draft again.').waitFor()
  await page.keyboard.press('d')
  await page.getByText('“Fourth” is declined.').waitFor()
  expect((await call('GET', `/content_blocks/${ids[1]}`)).status).toBe(404)
  await page.keyboard.press('z')
  await page.getByText('“Fourth” is restored.').waitFor()
  expect(await focused()).toBe('Fourth')
  await page.keyboard.press('a')
  await page.getByText('“Fourth” is approved.').waitFor()
  await undo('Fourth').click()
  await page.getByText('“Fourth” is a draft again.').waitFor()
  await page.keyboard.press('a')
  await page.getByText('“Fourth” is approved.').waitFor()
  expect(await statusOf(call, ids[1])).toBe('ready')
  await page.context().close()
})

test('a block that is declined before its preview has loaded does not open another page', async () => {
  const { page, call, ids } = await openLibrary(['Second', 'First'])
  const first = ids[1] ?? ''
  const isPreviewRefused = Promise.withResolvers<void>()
  await page.route(`**/library/${first}`, async (route) => {
    await until(async () => (await call('GET', `/content_blocks/${first}`)).status === 404)
    await route.fulfill({ response: await route.fetch() })
    isPreviewRefused.resolve()
  })
  await page.route(`**/library/${first}/delete`, async (route) => {
    const response = await route.fetch()
    await isPreviewRefused.promise
    await route.fulfill({ response })
  })
  await page.keyboard.press('j')
  await page.keyboard.press('d')
  await page.getByText('“First” is declined.').waitFor()
  await page.locator('#preview-panel').getByRole('heading', { name: 'Second' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/library')
  await page.context().close()
})

test('keys that are pressed before the server answers review one block each, and the selection stays where they left it', async () => {
  const { page, call, ids, pageErrors } = await openLibrary(['Fourth', 'Third', 'Second', 'First'])
  const areAllPressed = Promise.withResolvers<void>()
  const requests: string[] = []
  await page.route('**/library/*/delete', async (route) => {
    requests.push(new URL(route.request().url()).pathname)
    await areAllPressed.promise
    await route.continue()
  })
  for (const key of ['j', 'd', 'd', 'j', 'd', 'j']) await page.keyboard.press(key)
  areAllPressed.resolve()
  for (const title of ['First', 'Second'])
    await page.getByRole('button', { name: `Undo: ${title}`, exact: true }).waitFor()
  expect(requests).toEqual([3, 2].map((at) => `/library/${ids[at]}/delete`))
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Third')
  await page.keyboard.press('d')
  await page.locator('#preview-panel').getByRole('heading', { name: 'Fourth' }).waitFor()
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Fourth')
  expect(await statusOf(call, ids[0])).toBe('draft')
  expect(pageErrors).toEqual([])
  await page.context().close()
})

test('the number of drafts in the navigation changes with the block that is reviewed', async () => {
  const { page } = await openLibrary(['Second', 'First'])
  // Without the connection to the server, nothing else changes the number. `pageshow` comes after the load.
  await page.evaluate('removeEventListener("pageshow", connectLive); disconnectLive()')
  const count = page.locator('#draft-count [aria-hidden]')
  await page.keyboard.press('j')
  await page.keyboard.press('d')
  await page.getByText('“First” is declined.').waitFor()
  expect(await count.textContent()).toBe('1')
  await page.getByRole('button', { name: 'Undo: First', exact: true }).click()
  await page.getByText('“First” is restored.').waitFor()
  expect(await count.textContent()).toBe('2')
  await page.context().close()
})

test.each([
  ['beside the preview', true],
  ['over the whole page', false],
])(
  'the row of a reviewed block %s leaves the titles of the others as long as they are',
  async (_, hasPreview) => {
    const long =
      'a title that is longer than the list beside the preview and needs all the space it gets'
    const { page } = await openLibrary(
      ['Third', 'Second', 'First'].map((name) => `${name}: ${long} ${long}`),
    )
    await page.getByRole('link', { name: /^Third/ }).press('x')
    if (hasPreview) {
      await page.getByRole('link', { name: /^Third/ }).click()
      await page.locator('#preview-panel #block').waitFor()
    }
    const widthOfThird = async () =>
      (await page.getByRole('link', { name: /^Third/ }).boundingBox())?.width
    const before = await widthOfThird()
    await page.getByRole('button', { name: /^Approve First/ }).click()
    await page.getByText(/^“First: .* is approved/).waitFor()
    expect(await widthOfThird()).toBeGreaterThanOrEqual((before ?? 0) - 1)
    // A key opens the next block beside the list.
    if (hasPreview) await page.getByRole('link', { name: /^Second/ }).press('d')
    else await page.getByRole('button', { name: /^Decline Second/ }).click()
    const declined = page.getByText(/^Declined: Second/)
    await declined.waitFor()
    expect(await widthOfThird()).toBeGreaterThanOrEqual((before ?? 0) - 1)
    expect((await declined.boundingBox())?.width ?? 0).toBeGreaterThanOrEqual(before ?? 0)
    await page.context().close()
  },
)

test('blocks are selected as a range, and the selected drafts are declined', async () => {
  const titles = ['Five', 'Four', 'Three', 'Two', 'One']
  const { page, call, ids } = await openLibrary(titles)
  await page.getByLabel('Select One').check()
  await page.getByLabel('Select Three').click({ modifiers: ['Shift'] })
  expect(await page.locator('.block-row input:checked').count()).toBe(3)
  await page.getByRole('button', { name: 'Decline selected' }).click()
  await page.getByRole('button', { name: 'Undo: Three', exact: true }).waitFor()
  const statuses = await Promise.all(
    ids.map(async (id) => (await call('GET', `/content_blocks/${id}`)).status),
  )
  expect(statuses).toEqual([200, 200, 404, 404, 404])
  await page.context().close()
})

test('all blocks are selected, also on older pages, and what is done with them is undone with one click', async () => {
  const { page } = await openLibrary(Array.from({ length: 33 }, (_, n) => `Story ${n}.`))
  const drafts = (count: number) => page.getByRole('link', { name: `Drafts ${count}` }).waitFor()
  await page.getByLabel('Select all').check()
  await page.getByText('30 selected', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Select older blocks too' }).click()
  await page.locator('#selected-count', { hasText: '33 selected' }).waitFor()
  await page.getByRole('button', { name: 'Decline selected' }).click()
  await page.locator('#bulk-result', { hasText: '33 blocks declined.' }).waitFor()
  await drafts(0)
  await page.keyboard.press('Enter')
  await page.locator('#bulk-result', { hasText: '33 blocks restored.' }).waitFor()
  await drafts(33)
  await page.getByLabel('Select all').check()
  await page.getByRole('button', { name: 'Approve selected' }).click()
  await page.locator('#bulk-result', { hasText: '33 blocks approved.' }).waitFor()
  await drafts(0)
  await page.keyboard.press('z')
  await page.locator('#bulk-result', { hasText: '33 blocks set back to draft.' }).waitFor()
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  await drafts(33)
  await page.context().close()
})

test('a block that is in a newsletter is not declined, and the page says why', async () => {
  const { page, call, ids } = await openLibrary(['In use'])
  await newsletterOf(call, ids, { title: 'November news' })
  await page.getByRole('button', { name: 'Decline In use', exact: true }).click()
  const message = page.getByText('The block is in the newsletter "November news"')
  await message.waitFor()
  expect(await message.textContent()).toEndWith('.')
  expect(await message.textContent()).not.toContain('Go back')
  expect(await page.getByRole('link', { name: 'In use', exact: true }).isVisible()).toBeTrue()
  await page.context().close()
})

test('when the server cannot be reached, the page says so where the person decides about a block', async () => {
  const titles = Array.from({ length: 30 }, (_, n) => `Block ${n + 1}`)
  const { page, call, ids } = await openLibrary(titles)
  await page.route('**/status*', (route) => route.abort())
  const approve = page.getByRole('button', { name: 'Approve Block 1', exact: true })
  await approve.scrollIntoViewIfNeeded()
  await approve.click()
  await page.getByText('The server cannot be reached.').waitFor()
  expect(await page.evaluate(isToastInSight)).toBeTrue()
  expect(await statusOf(call, ids[0])).toBe('draft')
  await page.unroute('**/status*')
  await approve.click()
  await page.getByText('“Block 1” is approved.').waitFor()
  await page.context().close()
})

test('approving without JavaScript returns to the same part of the list, with Undo', async () => {
  const titles = Array.from({ length: 31 }, (_, n) => `Block ${n + 1}`)
  const { page, call, ids } = await openLibrary(titles, { javaScriptEnabled: false })
  await page.getByRole('link', { name: 'Older' }).click()
  const { searchParams } = new URL(page.url())
  await page.getByRole('button', { name: 'Approve Block 1', exact: true }).click()
  await page.getByText('“Block 1” is approved.').waitFor()
  expect(new URL(page.url()).searchParams.get('after')).toBe(searchParams.get('after'))
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('“Block 1” is a draft again.').waitFor()
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  expect(await statusOf(call, ids[0])).toBe('draft')
  await page.context().close()
})

test('the first Tab reaches the link that skips the navigation', async () => {
  const { page } = await openLibrary(['One'])
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.className')).toBe('skip')
  await page.context().close()
})

test('images of other websites are loaded only when a reader asks for them', async () => {
  const { page, call } = await openLibrary([])
  const requests: string[] = []
  await page.route('https://pixel.test/**', async (route) => {
    requests.push(route.request().url())
    await route.fulfill({ status: 204 })
  })
  const body = '<p>Hi <img src="https://pixel.test/a.png" alt="" width="1" height="1"></p>'
  const id = await blockOf(call, { title: 'Tracked', body, image_url: 'https://pixel.test/b.png' })
  for (const path of ['/library', '/library?status=all', `/library/${id}`, `/library/${id}/edit`]) {
    await page.goto(app.base + path, { waitUntil: 'networkidle' })
  }
  expect(requests).toEqual([])
  await page.goto(`${app.base}/library/${id}`)
  await page.getByRole('link', { name: 'Show images' }).click()
  await until(async () => requests.length >= 2)
  expect(requests.toSorted()).toEqual(['https://pixel.test/a.png', 'https://pixel.test/b.png'])
  await page.context().close()
})

test('a title of 255 characters without spaces stays inside the page', async () => {
  const { page, call } = await openLibrary([])
  const id = await blockOf(call, { title: 'W'.repeat(255), status: 'draft' })
  for (const path of ['/library', `/library/${id}`, `/library/${id}/edit`]) {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(app.base + path)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    }
  }
  await page.context().close()
})

test('a filter applies at once, keeps the focus and changes the URL', async () => {
  const { page, call } = await openLibrary(['The harbour party', 'Something else'])
  await blockOf(call, { title: 'A poll', block_type: 'poll', status: 'draft' })
  await page.reload()
  expect(await page.getByRole('button', { name: 'Filter' }).isVisible()).toBeFalse()
  await page.getByLabel('Search', { exact: true }).fill('harbour')
  await page
    .getByRole('link', { name: 'Something else', exact: true })
    .waitFor({ state: 'detached' })
  expect(await page.evaluate('document.activeElement.id')).toBe('q')
  await page.waitForURL(/q=harbour/)
  await page.getByLabel('Search', { exact: true }).fill('')
  await page.getByLabel('Type', { exact: true }).selectOption('poll')
  await page.getByRole('link', { name: 'A poll', exact: true }).waitFor()
  await page
    .getByRole('link', { name: 'The harbour party', exact: true })
    .waitFor({ state: 'detached' })
  await page.getByLabel('Select all').check()
  expect(await page.getByLabel('Select A poll').isChecked()).toBeTrue()
  await page.context().close()
})

test('without JavaScript a button applies the filters', async () => {
  const titles = ['The harbour party', 'Something else']
  const { page } = await openLibrary(titles, { javaScriptEnabled: false })
  await page.getByLabel('Search', { exact: true }).fill('harbour')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.waitForURL(/q=harbour/)
  expect(await page.locator('.block-row-title').allTextContents()).toEqual(['The harbour party'])
  await page.context().close()
})

test('a block is one line of the list, with the logo of its provider', async () => {
  const { page, ids } = await openLibrary(['A title that is quite long and needs a lot of space'])
  await app.sql`update content_blocks set provider = 'github' where id = ${ids[0] ?? ''}`
  await page.reload()
  const logo = await page.locator('.block-row > svg path').getAttribute('d')
  expect(await Bun.file('node_modules/simple-icons/icons/github.svg').text()).toContain(`${logo}`)
  const rows = page.locator('.block-row')
  const height = () =>
    rows.evaluateAll((all) => Math.max(...all.map((row) => row.getBoundingClientRect().height)))
  expect(await height()).toBeLessThan(50)
  await page.locator('a.block-row-title').click()
  await page.locator('#preview-content #block').waitFor()
  expect(await height()).toBeLessThan(50)
  await page.context().close()
})

test('keyboard shortcuts do nothing after they are turned off', async () => {
  const { page, call, ids } = await openLibrary(['Only'])
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  const stored = page.waitForResponse('**/account/shortcuts')
  await page.getByLabel('Use these keys').uncheck()
  await stored
  await page.reload()
  await page.getByRole('link', { name: 'Only', exact: true }).focus()
  for (const key of ['a', 'e', 'x']) await page.keyboard.press(key)
  expect(new URL(page.url()).pathname).toBe('/library')
  expect(await page.getByLabel('Select Only').isChecked()).toBeFalse()
  expect(await statusOf(call, ids[0])).toBe('draft')
  await page.context().close()
})

test.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('several blocks are approved together %s', async (_, javaScriptEnabled) => {
  const { page, call, ids } = await openLibrary(['One', 'Two', 'Three'], { javaScriptEnabled })
  await page.getByLabel('Select One').check()
  await page.getByLabel('Select Three').check()
  await page.getByRole('button', { name: 'Approve selected' }).click()
  await page.getByText('2 blocks approved.').first().waitFor()
  const statuses = await Promise.all(ids.map((id) => statusOf(call, id)))
  expect(statuses).toEqual(['ready', 'draft', 'ready'])
  await page.context().close()
})

test('what a person types before the editor has loaded stays, and the typing goes on in the editor', async () => {
  const { page, pageErrors } = await openLibrary([])
  const allowed = Promise.withResolvers<void>()
  await page.route(/\/editor\./, async (route) => {
    await allowed.promise
    await route.continue()
  })
  await page.goto(`${app.base}/library/new`, { waitUntil: 'commit' })
  await page.getByLabel('Text', { exact: true }).fill('Opened')
  allowed.resolve()
  const editor = page.locator('.rich-text')
  await editor.getByText('Opened').waitFor()
  await page.keyboard.type('!')
  expect(await editor.textContent()).toBe('Opened!')
  expect(pageErrors).toEqual([])
  await page.context().close()
})

test('the editor saves headings, bold text and links as they look', async () => {
  const { page, call, pageErrors } = await openLibrary([])
  await follow(page.getByRole('link', { name: 'New block' }))
  await page.getByLabel('Title').fill('A bridge')
  const text = page.getByRole('textbox', { name: 'Text' })
  await text.click()
  await page.getByRole('button', { name: 'Bold' }).click()
  await page.keyboard.type('Opened')
  await page.getByRole('button', { name: 'Bold' }).click()
  await page.keyboard.type(' today')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await page.keyboard.type('two lanes')
  await page.getByRole('button', { name: 'Add to the library' }).click()
  await page.waitForURL(/\/library\/cb_/)
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const { json } = await call('GET', `/content_blocks/${id}`)
  const { body, body_format } = json.content_block
  expect(body_format).toBe('html')
  expect(body).toMatch(/<b>Opened<\/b>\s*today/)
  expect(body).toMatch(/<ul><li>(<p>)?two lanes/)
  // Saved untouched, it stays to the letter.
  await page.goto(`${app.base}/library/${id}/edit`)
  await page.getByLabel('Title').fill('The bridge')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  const again = await call('GET', `/content_blocks/${id}`)
  expect(again.json.content_block).toMatchObject({ title: 'The bridge', body })
  expect(pageErrors).toEqual([])
  await page.context().close()
})

test('the editor formats lines by Markdown markers, and sets, changes and removes links', async () => {
  const { page, call, pageErrors } = await openLibrary([])
  await follow(page.getByRole('link', { name: 'New block' }))
  await page.getByLabel('Title').fill('A bridge')
  const text = page.getByRole('textbox', { name: 'Text' })
  await text.click()
  await page.keyboard.type('**Six** is 2 * 3, _not seven_, a_b_c *so far*.')
  await page.keyboard.press('Enter')
  await page.keyboard.type('# News')
  // The line is a heading already.
  await page.keyboard.press('Home')
  await page.keyboard.type('## ')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('- two lanes')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.type('**By** noon')
  await page.keyboard.press('Enter')
  await page.keyboard.type('plan')
  await page.keyboard.press('Shift+Home')
  await page.getByRole('button', { name: 'Link', exact: true }).click()
  const address = page.getByLabel('Web or email address')
  await address.fill('nowhere')
  await page.getByRole('button', { name: 'Set the link' }).click()
  expect(await address.evaluate((field) => field.matches(':invalid'))).toBe(true)
  await address.fill('example.com/plan')
  await page.getByRole('button', { name: 'Set the link' }).click()
  await page.getByRole('button', { name: 'Add to the library' }).click()
  await page.waitForURL(/\/library\/cb_/)
  const path = `/content_blocks/${new URL(page.url()).pathname.split('/').at(-1)}`
  const bodyNow = async () => (await call('GET', path)).json.content_block.body
  expect(await bodyNow()).toContain(
    '<p><b>Six</b> is 2 * 3, <i>not seven</i>, a_b_c <i>so far</i>.</p>',
  )
  expect(await bodyNow()).toMatch(/<h3>News<\/h3>\s*<ul><li>(<p>)?two lanes/)
  expect(await bodyNow()).toContain('<p><b>By</b> noon</p>')
  expect(await bodyNow()).toContain('<a href="https://example.com/plan">plan</a>')

  for (const [button, expected] of [
    ['Set the link', '<a href="mailto:ada@acme.test">plan</a>'],
    ['Remove the link', '<p>plan</p>'],
  ] as const) {
    await page.goto(`${page.url().replace(/\/edit$/, '')}/edit`)
    await page.getByRole('link', { name: 'plan' }).click()
    await page.keyboard.press('Control+k')
    await address.fill('mailto:ada@acme.test')
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await bodyNow()).toContain(expected)
  }
  expect(pageErrors).toEqual([])
  await page.context().close()
})

test('the time before which a block is not sent is shown and typed in the reader’s time zone', async () => {
  const { page, call, ids } = await openLibrary(['Held'], { timezoneId: 'America/New_York' })
  await call('PATCH', `/content_blocks/${ids[0]}`, { publish_after: '2099-01-11T15:00:00Z' })
  await page.goto(`${app.base}/library/${ids[0]}/edit`)
  expect(await page.getByLabel('Not before').inputValue()).toBe('2099-01-11T10:00')
  await page.getByLabel('Not before').fill('2099-07-01T09:00')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  const { json } = await call('GET', `/content_blocks/${ids[0]}`)
  expect(json.content_block.publish_after).toBe('2099-07-01T13:00:00.000Z')
  await page.context().close()
})

test.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('a block that is declined on its page is restored %s', async (_, javaScriptEnabled) => {
  const { page, call, ids } = await openLibrary(['Slipped'], { javaScriptEnabled })
  await page.goto(`${app.base}/library/${ids[0]}`)
  await page.getByRole('button', { name: 'Decline' }).click()
  await page.getByText('“Slipped” is declined.').waitFor()
  expect((await call('GET', `/content_blocks/${ids[0]}`)).status).toBe(404)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('“Slipped” is restored.').waitFor()
  expect(await statusOf(call, ids[0])).toBe('draft')
  await page.context().close()
})

test('new blocks are counted above the list and in the navigation without moving what is read, and appear when the person asks for them', async () => {
  const { page, call } = await openLibrary(['There before'])
  await page.getByLabel('Select There before').check()
  await page.getByRole('link', { name: 'There before', exact: true }).focus()
  await blockOf(call, { title: 'Just in', status: 'draft' })
  const newBlocks = page.getByRole('button', { name: '1 new block' })
  await newBlocks.waitFor()
  expect(await page.getByRole('status').first().textContent()).toBe('There is a new block.')
  expect(await page.locator('.block-row').count()).toBe(1)
  expect(await page.evaluate('document.activeElement.textContent')).toBe('There before')
  expect(await page.locator('#draft-count').textContent()).toStartWith('2')
  await newBlocks.click()
  await page.getByRole('link', { name: 'Just in', exact: true }).waitFor()
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Just in')
  expect(await newBlocks.isHidden()).toBeTrue()
  expect(await page.getByLabel('Select There before').isChecked()).toBeTrue()
  await page.context().close()
})

test('rows that others change or delete are refreshed where they are, and are no longer selected', async () => {
  const { page, call, ids } = await openLibrary(['Approved', 'Rewritten', 'Deleted', 'Mine'])
  const [approved, rewritten, deleted] = ids
  for (const title of ['Approved', 'Rewritten', 'Deleted', 'Mine']) {
    await page.getByLabel(`Select ${title}`).check()
  }
  await call('PATCH', `/content_blocks/${approved}`, { status: 'ready' })
  await call('PATCH', `/content_blocks/${rewritten}`, { title: 'Rewritten by others' })
  await call('DELETE', `/content_blocks/${deleted}`)
  await page.getByText('This block was deleted.').waitFor()
  await page.getByRole('link', { name: 'Rewritten by others', exact: true }).waitFor()
  await page.locator(`[data-id="${approved}"]`).getByText('Ready').waitFor()
  expect(await page.locator('.block-row input:checked').evaluateAll((all) => all.length)).toBe(1)
  expect(await page.getByLabel('Select Mine').isChecked()).toBeTrue()
  // What was missed while the page was hidden or not connected is shown once it is connected again.
  await page.evaluate('disconnectLive()')
  await call('PATCH', `/content_blocks/${rewritten}`, { title: 'Rewritten twice' })
  await page.evaluate('connectLive()')
  await page.getByRole('link', { name: 'Rewritten twice', exact: true }).waitFor()
  await page.context().close()
})

test('scripts in blocks run on no page of the library', async () => {
  const { page, call, pageErrors } = await openLibrary([])
  const ids: string[] = []
  for (const text of hostileTexts) {
    const item = {
      title: `A ${text}`.slice(0, 200),
      body: `Words. ${text}`,
      author: text.slice(0, 200),
    }
    const { status, json } = await call('POST', '/webhooks/ingest', item)
    if (status === 201) ids.push(json.content_block.id)
  }
  expect(ids.length).toBeGreaterThan(40)
  const lists = ['/library', `/library?status=draft&after=${ids[20]}`]
  for (const path of [
    ...lists,
    ...sample(ids, 4).flatMap((id) => [`/library/${id}`, `/library/${id}/edit`]),
  ]) {
    await page.goto(app.base + path, { waitUntil: 'domcontentloaded' })
    expect(await page.evaluate('globalThis.pwned')).toBeUndefined()
    expect(await page.locator('h1').count()).toBeGreaterThanOrEqual(1)
    expect(new URL(page.url()).origin).toBe(app.base)
  }
  expect(pageErrors).toEqual([])
  await page.context().close()
})

test('the preview of a block is as high as the block, up to a limit, and runs no script', async () => {
  const { page, call, ids, pageErrors } = await openLibrary(['Short'])
  const paragraphs = (count: number) => '<p>A sentence of some length.</p>'.repeat(count)
  const middle = await blockOf(call, { title: 'Middle', body: paragraphs(20), status: 'draft' })
  const long = await blockOf(call, { title: 'Long', body: paragraphs(200), status: 'draft' })
  const image = await sharp({
    create: { width: 1200, height: 600, channels: 3, background: '#0f766e' },
  })
    .png()
    .toBuffer()
  const dataUri = `data:image/png;base64,${image.toString('base64')}`
  const uploaded = (await call('POST', '/images', { image: dataUri })).json.image.url
  const illustrated = await blockOf(call, {
    title: 'Illustrated',
    body: '<p>Text below the image.</p>',
    status: 'draft',
    image_url: uploaded,
  })
  const frame = page.locator('iframe.block-frame')
  const body = page.frameLocator('iframe.block-frame').locator('body')
  const [borders, spaceBelow] = [2, 24]
  const heights = async () => [
    (await frame.boundingBox())?.height ?? 0,
    ((await body.boundingBox())?.height ?? 0) + borders + spaceBelow,
  ]
  const isFitted = async () => {
    const [shown = 0, needed = 0] = await heights()
    return needed > borders + spaceBelow && Math.abs(shown - needed) <= 2
  }
  for (const [title, id] of [
    ['Short', ids[0]],
    ['Middle', middle],
    ['Illustrated', illustrated],
  ] as const) {
    await page.goto(`${app.base}/library/${id}`)
    await body.getByText(title).first().waitFor()
    await until(isFitted)
    await page.goto(`${app.base}/library`)
    await page.getByRole('link', { name: title, exact: true }).click()
    await page.locator('#preview-panel').getByRole('heading', { name: title }).waitFor()
    await body.getByText(title).first().waitFor()
    await until(isFitted)
  }
  await page.goto(`${app.base}/library/${long}`)
  await body.getByText('Long').first().waitFor()
  await until(async () => (await heights())[0] === 1280)
  const allowed = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'
  expect(await frame.getAttribute('sandbox')).toBe(allowed)
  expect(pageErrors).toEqual([])
  await page.context().close()
})
