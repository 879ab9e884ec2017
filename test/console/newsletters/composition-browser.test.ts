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
  ['with editors, and with', 1280, true],
  ['in plain text, without', 390, false],
] as const)(
  'an editor adds cover, texts, a callout and a poll %s JavaScript at %d pixels',
  async (_, width, javaScriptEnabled) => {
    const path = await newsletterOf(call, [await blockOf(call, { title: 'The lift works' })])
    const viewport = { width, height: 900 }
    const editors = javaScriptEnabled ? 1 : 0
    const nextParagraph = javaScriptEnabled ? '\n' : '\n\n'
    const page = await session.open(`${path}/frame`, { viewport, javaScriptEnabled })
    const field = (name: string) => page.getByRole('textbox', { name, exact: true })
    expect(await page.getByRole('button', { name: 'Bold' }).count()).toBe(editors * 2)
    await field('Introduction').fill(`Good morning.${nextParagraph}This is short.`)
    await field('Closing text').fill('See you.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').first().waitFor()
    await page.goto(`${path}/elements/new?type=callout`)
    expect(await page.getByRole('button', { name: 'Bold' }).count()).toBe(editors)
    await field('Heading').fill('Closed')
    await field('Text').fill('From Friday on.')
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
