import { afterAll, beforeAll, expect, test } from 'bun:test'
import { inspect, narrowScreen, wideScreen } from '../../support/browser/axe.ts'
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

test.each([
  ['with', 1280, true],
  ['without', 390, false],
] as const)(
  'an editor adds cover, texts, a callout and a poll %s JavaScript at %d pixels',
  async (_, width, javaScriptEnabled) => {
    const path = await newsletterOf(call, [await blockOf(call, { title: 'The lift works' })])
    const viewport = { width, height: 900 }
    const page = await session.open(`${path}/frame`, { viewport, javaScriptEnabled })
    await page.getByLabel('Introduction').fill('Good morning.\n\nThis is short.')
    await page.getByLabel('Closing text').fill('See you.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').first().waitFor()
    await page.goto(`${path}/elements/new?type=callout`)
    await page.getByLabel('Heading').fill('Closed')
    await page.getByLabel('Text').fill('From Friday on.')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('Callout: Closed').first().waitFor()
    await page.goto(`${path}/elements/new?type=poll`)
    await page.getByLabel('Question').fill('Where?')
    await page.getByLabel('Answers').fill('At the river javascript:alert(1)')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('Answer 1 needs a web address.').first().waitFor()
    expect(await page.getByLabel('Question').inputValue()).toBe('Where?')
    await page.getByLabel('Answers').fill('At the river https://forms.test/river')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('Poll: Where?').first().waitFor()
    await page.context().close()
    const { newsletter } = (await call('GET', path)).json
    expect(newsletter).toMatchObject({
      intro: '<p>Good morning.</p><p>This is short.</p>',
      closing: '<p>See you.</p>',
    })
    expect(newsletter.elements.map(({ type }: { type: string }) => type)).toEqual([
      ...['section', 'callout', 'poll'],
    ])
  },
)

test('the forms of cover, texts and elements are accessible on wide and narrow screens', async () => {
  const path = await newsletterOf(call, [await blockOf(call)])
  const page = await session.open(path)
  const screens = [wideScreen, narrowScreen].map(
    (viewport) => ({ viewport, colorScheme: 'light' }) as const,
  )
  for (const form of ['frame', 'elements/new?type=callout', 'elements/new?type=poll']) {
    await inspect(page, `${path}/${form}`, screens)
  }
  await page.context().close()
})
