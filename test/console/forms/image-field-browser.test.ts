import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page, Route } from 'playwright-core'
import sharp from 'sharp'
import type { Team } from '../../../src/features/teams/index.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { inspect } from '../../support/browser/axe.ts'
import { openBrowser, signInBrowser } from '../../support/browser/browser.ts'
import { member } from '../../support/console.ts'

let app: TestApp
let browser: Browser
let team: Team
let file: Buffer
beforeAll(async () => {
  app = await startApp()
  browser = await openBrowser()
  team = await app.team()
  file = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#0a84ff' } })
    .png()
    .toBuffer()
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

/** The form of a new block; each editor is another one, who has no unsaved text. */
async function openEditor(options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const { email } = await member(app, team, 'editor')
  const context = await browser.newContext(options)
  await signInBrowser(context, { base: app.base, email })
  const page = await context.newPage()
  await page.goto(`${app.base}/library/new`)
  await page.getByLabel('Title').fill('Summer party')
  return page
}

/** Gives the page a file as a drag or the clipboard does. */
const transfer = (page: Page, event: 'drop' | 'paste', type = 'image/png', name = 'roof.png') =>
  page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${file.toString('base64')}'), (one) => one.charCodeAt(0))
    const data = new DataTransfer()
    data.items.add(new File([bytes], '${name}', { type: '${type}' }))
    const init = { bubbles: true, cancelable: true, dataTransfer: data, clipboardData: data }
    if ('${event}' === 'drop')
      document.querySelector('[data-image-field]').dispatchEvent(new DragEvent('drop', init))
    else document.querySelector('#title').dispatchEvent(new ClipboardEvent('paste', init))
  })()`)

/** Writes the text, saves the block and returns it. */
async function save(page: Page) {
  await page.getByLabel('What the image shows').fill('A roof')
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  await text.fill('From six.')
  await page.getByRole('button', { name: 'Add to the library' }).click()
  await page.waitForURL(/\/library\/cb_/)
  const [block] = await app.sql`
    select image_url, image_alt, image_focal_x, image_focal_y from content_blocks
    where team_id = ${team.id} order by id desc limit 1`
  return block ?? {}
}

test('a new block asks what its image shows once there is an image, and at once without JavaScript', async () => {
  const page = await openEditor()
  const description = page.getByLabel('What the image shows')
  const size = page.getByLabel('Size', { exact: true })
  expect(await description.isVisible()).toBeFalse()
  expect(await size.isVisible()).toBeFalse()
  await page.getByLabel('File').setInputFiles({
    name: 'roof.png',
    mimeType: 'image/png',
    buffer: file,
  })
  await size.waitFor()
  expect(await page.evaluate('document.activeElement.name')).toBe('image_alt')
  await page.context().close()
  const plain = await openEditor({ javaScriptEnabled: false })
  expect(await plain.getByLabel('What the image shows').isVisible()).toBeTrue()
  expect(await plain.getByLabel('Size', { exact: true }).isVisible()).toBeTrue()
  await plain.context().close()
})

test('an address of an image asks what the image shows', async () => {
  const page = await openEditor()
  await page.getByText('Web address').click()
  await page.getByLabel('Address of the image').fill('https://pictures.example/roof.png')
  await page.getByLabel('What the image shows').waitFor()
  await page.context().close()
})

const ours = expect.stringMatching(/\/media\/[0-9a-f]{64}\.png$/)

test.each(['chosen', 'dropped', 'pasted'])(
  'an image that is %s in the block editor is uploaded, shown and saved with its focal point',
  async (way) => {
    const page = await openEditor()
    if (way === 'chosen') {
      const input = { name: 'roof.png', mimeType: 'image/png', buffer: file }
      await page.getByLabel('File').setInputFiles(input)
    } else await transfer(page, way === 'dropped' ? 'drop' : 'paste')
    await page.getByText('Uploaded. Now say what it shows.').waitFor()
    const preview = page.locator('[data-image-preview] img')
    await preview.waitFor()
    expect((await preview.boundingBox())?.width).toBeGreaterThan(80)
    await page.getByRole('radio', { name: 'Middle center' }).focus()
    await page.keyboard.press('ArrowLeft')
    const block = await save(page)
    const focus = { image_focal_x: 0, image_focal_y: 0.5 }
    expect(block).toMatchObject({ image_url: ours, image_alt: 'A roof', ...focus })
    await page.context().close()
  },
)

/** An editor with an image and its text, in which the next upload waits until the test answers it. */
async function openWithImage() {
  const page = await openEditor()
  await transfer(page, 'drop')
  await page.getByText('Uploaded. Now say what it shows.').waitFor()
  await page.getByLabel('What the image shows').fill('A roof')
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('From six.')
  const delayed = Promise.withResolvers<Route>()
  await page.route('**/images', (route) => delayed.resolve(route), { times: 1 })
  return { page, upload: delayed.promise, address: page.locator('[name=image_url]') }
}

const second = { name: 'door.png', mimeType: 'image/png' }
const secondUrl = 'https://pictures.example/door.png'
const newestImage = async () => {
  const [block] = await app.sql`
    select image_url from content_blocks where team_id = ${team.id} order by id desc limit 1`
  return block?.['image_url']
}

const isUploading = (page: Page) => page.getByText('The image is being uploaded.').waitFor()
const add = (page: Page) => page.getByRole('button', { name: 'Add to the library' }).click()

test.each([
  ['dropped', 'a script'],
  ['pasted', 'a script'],
  ['dropped', 'the browser'],
])(
  'a block that is saved while an image that was %s is uploaded, and that %s sends, is saved with this image',
  async (way, sender) => {
    const { page, upload } = await openWithImage()
    if (sender === 'the browser') await page.evaluate('drafts.clear()')
    await transfer(page, way === 'dropped' ? 'drop' : 'paste')
    await isUploading(page)
    await add(page)
    await (await upload).fulfill({ json: { url: secondUrl } })
    await page.waitForURL(/\/library\/cb_/)
    expect(await newestImage()).toBe(secondUrl)
    await page.context().close()
  },
)

test('a block is not saved when the upload fails that it waits for, and the editor says why', async () => {
  const { page, upload } = await openWithImage()
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/library/new')) sent++
  })
  await transfer(page, 'drop')
  await isUploading(page)
  await add(page)
  await (await upload).fulfill({ status: 503, json: {} })
  await page.getByText('The image could not be uploaded.').waitFor()
  await page.locator('button:not([aria-busy])', { hasText: 'Add to the library' }).waitFor()
  expect(sent).toBe(0)
  await add(page)
  await page.waitForURL(/\/library\/cb_/)
  expect(await newestImage()).toEqual(ours)
  await page.context().close()
})

test.each([
  ['a proxy answers with a page of its own', 200],
  ['the session has ended and the network is gone', 401],
])(
  'a block whose image is not uploaded because %s can be saved again, and the editor says why',
  async (_, status) => {
    const { page, upload } = await openWithImage()
    await page.route('**/login', (route) => route.abort())
    await transfer(page, 'drop')
    await isUploading(page)
    await add(page)
    await (await upload).fulfill({ status, contentType: 'text/html', body: '<p>Sign in</p>' })
    await page.getByText('The image could not be uploaded.').waitFor()
    await page.locator('button:not([aria-busy])', { hasText: 'Add to the library' }).waitFor()
    await add(page)
    await page.waitForURL(/\/library\/cb_/)
    expect(await newestImage()).toEqual(ours)
    await page.context().close()
  },
)

test('an image for the text that a proxy does not let through can be inserted again', async () => {
  const page = await openEditor()
  await page.getByRole('textbox', { name: 'Text', exact: true }).click()
  await page.getByRole('button', { name: 'Image', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Image' })
  await dialog.getByLabel('Image file').setInputFiles({ ...second, buffer: file })
  await dialog.getByLabel('What the image shows').fill('A door')
  await page.route('**/images', (route) => route.fulfill({ body: '<p>Sign in</p>' }), { times: 1 })
  await dialog.getByRole('button', { name: 'Insert the image' }).click()
  await dialog.getByText('The image could not be uploaded.').waitFor()
  await dialog.getByRole('button', { name: 'Insert the image' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.context().close()
})

test('of two images that are chosen one after the other, the second one stays, however long the first one takes', async () => {
  const { page, upload, address } = await openWithImage()
  await page.getByLabel('File').setInputFiles({ ...second, buffer: file })
  const first = await upload
  await page.route('**/images', (route) => route.fulfill({ json: { url: secondUrl } }))
  await transfer(page, 'drop')
  await page.getByText('The image is uploaded.').waitFor()
  const late = { url: 'https://pictures.example/late.png' }
  // The browser has cancelled it meanwhile.
  await first.fulfill({ json: late }).catch(() => undefined)
  expect(await address.inputValue()).toBe(secondUrl)
  await add(page)
  await page.waitForURL(/\/library\/cb_/)
  expect(await newestImage()).toBe(secondUrl)
  await page.context().close()
})

test('an image that is removed, or an address that is typed, during an upload is what the block is saved with', async () => {
  for (const change of ['remove', 'address']) {
    const { page, upload } = await openWithImage()
    await page.getByLabel('File').setInputFiles({ ...second, buffer: file })
    const route = await upload
    if (change === 'remove') await page.getByLabel('Remove the image').check()
    else {
      await page.getByText('Web address').click()
      await page.getByLabel('Address of the image').fill(secondUrl)
    }
    const late = { url: 'https://pictures.example/late.png' }
    await route.fulfill({ json: late }).catch(() => undefined)
    expect(await page.locator('progress').isVisible()).toBeFalse()
    await add(page)
    await page.waitForURL(/\/library\/cb_/)
    expect(await newestImage()).toBe(change === 'remove' ? null : secondUrl)
    await page.context().close()
  }
})

test('a file that is not an image is refused before and after the upload, and the editor says what to do', async () => {
  const page = await openEditor()
  await transfer(page, 'drop', 'application/pdf', 'plan.pdf')
  await page.getByText('“plan.pdf” is not a JPEG, PNG, GIF, WebP or AVIF image.').waitFor()
  const buffer = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
  await page.getByLabel('File').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
  await page.getByText('Image must be a complete JPEG').waitFor()
  expect(await page.getByLabel('File').getAttribute('aria-invalid')).toBe('true')
  const large = Buffer.alloc(10 * 1024 * 1024 + 1)
  const input = { name: 'b.png', mimeType: 'image/png', buffer: large }
  await page.getByLabel('File').setInputFiles(input)
  await page.getByText('“b.png” has 11 MB. Choose an image of at most 10 MB').waitFor()
  await page.context().close()
})

test('the block editor uploads an image without JavaScript', async () => {
  const page = await openEditor({ javaScriptEnabled: false })
  const input = { name: 'roof.png', mimeType: 'image/png', buffer: file }
  await page.getByLabel('File').setInputFiles(input)
  expect(await save(page)).toMatchObject({ image_url: ours, image_alt: 'A roof' })
  await page.context().close()
})

test('the toolbar of the block editor inserts an image with what it shows into the text', async () => {
  const page = await openEditor()
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  await text.click()
  await page.keyboard.type('From six.')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Image', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Image' })
  const chooseFile = (buffer: Buffer) =>
    dialog
      .getByLabel('Image file')
      .setInputFiles({ name: 'roof.png', mimeType: 'image/png', buffer })
  await dialog.getByLabel('What the image shows').fill('The roof at dawn')
  // The space above the dialog is that below it.
  const unequal = await page.evaluate<number>(`(() => {
    const { offsetTop, offsetHeight } = document.querySelector('dialog[open]')
    return 2 * offsetTop + offsetHeight - innerHeight
  })()`)
  expect(Math.abs(unequal)).toBeLessThan(2)
  await chooseFile(Buffer.from('no image'))
  await dialog.getByRole('button', { name: 'Insert the image' }).click()
  await dialog.getByText('Image must be a complete JPEG').waitFor()
  await inspect(page, null)
  await chooseFile(file)
  await dialog.getByRole('button', { name: 'Insert the image' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.keyboard.type(' Bring a hat.')
  await page.getByRole('button', { name: 'Add to the library' }).click()
  await page.waitForURL(/\/library\/cb_/)
  const [block] = await app.sql`
    select body, image_url from content_blocks where team_id = ${team.id} order by id desc limit 1`
  expect(block?.['image_url']).toBeNull()
  expect(block?.['body']).toMatch(
    /From six\..*<img [^>]*\/media\/[0-9a-f]{64}\.png"[^>]* ?\/?>.*Bring a hat\./s,
  )
  expect(block?.['body']).toContain('alt="The roof at dawn"')
  await page.context().close()
})
