import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { adapter as github } from '../../integrations/github/adapter.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { openBrowser, signInBrowser } from '../support/browser.ts'
import { type Person, signedIn } from '../support/console.ts'
import { type Examples, examplesFor, isFile, pathOf, routes } from '../support/console-walk.ts'
import { until } from '../support/until.ts'

let app: TestApp
let browser: Browser
let admin: Person & { email: string }
let examples: Examples
let forms: readonly PageForm[]
beforeAll(async () => {
  app = await startApp({ adapters: [github], forward: false })
  browser = await openBrowser()
  const team = await app.team()
  admin = await signedIn(app, team, 'admin')
  examples = await examplesFor(app, team, 'Harbour')
  forms = await formsOfAllPages()
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

interface PageForm {
  path: string
  action: string
  texts: string[]
  isStored: boolean
}

const typed = 'input:not([type]), input[type=text], input[type=url], input[type=email], textarea'

/** The forms of a page in which people type text, with the names of these fields. */
async function formsOf(path: string): Promise<PageForm[]> {
  const { html, status } = await admin.get(path)
  const found: PageForm[] = []
  const text = { element: (field: HTMLRewriterTypes.Element) => addText(found.at(-1), field) }
  const rewriter = new HTMLRewriter()
    .on('form[method=post]', {
      element(form) {
        const action = form.getAttribute('action') ?? ''
        found.push({ path, action, texts: [], isStored: form.hasAttribute('data-draft') })
      },
    })
    .on('form[method=post] textarea', text)
    .on('form[method=post] input', text)
  if (status === 200) await rewriter.transform(new Response(html)).text()
  return found.filter(({ texts }) => texts.length > 0)
}

function addText(form: PageForm | undefined, field: HTMLRewriterTypes.Element): void {
  const type = field.getAttribute('type') ?? 'text'
  const isTyped = ['text', 'url', 'email'].includes(type) && !field.hasAttribute('readonly')
  if (isTyped) form?.texts.push(field.getAttribute('name') ?? '')
}

async function formsOfAllPages(): Promise<PageForm[]> {
  const pages = routes.filter((one) => one.method === 'GET' && one.role !== null && !isFile(one))
  const types = ['section', 'callout', 'poll'].map((type) => `?type=${type}`)
  const paths = pages.flatMap((route) => {
    const path = pathOf(route, examples)
    return path.endsWith('/elements/new') ? types.map((type) => path + type) : [path]
  })
  const all: PageForm[] = []
  for (const path of paths) all.push(...(await formsOf(path)))
  return [...new Map(all.map((form) => [form.action, form])).values()]
}

// What a person types there is a code or a word that is typed again, or it is chosen and not written.
const exceptions = [
  /^\/account\/second-factor/,
  /^\/account\/password/,
  /^\/account\/time-zone/,
  /^\/account\/passkeys/,
]

test('every form with text stores what is typed, so that no interruption loses it', () => {
  const unstored = forms.filter(
    ({ action, isStored }) => !isStored && !exceptions.some((one) => one.test(action)),
  )
  expect(unstored.map(({ path, action, texts }) => ({ path, action, texts }))).toEqual([])
  expect(forms.length).toBeGreaterThan(18)
})

/** Types a word of its own into each text field of the forms of a page, and returns the words once they are stored. */
const typeWords = `(async () => {
  const words = []
  for (const form of document.querySelectorAll('form[data-draft]')) {
    for (const field of form.querySelectorAll('${typed}')) {
      if (field.readOnly || field.type === 'hidden') continue
      const word = 'word' + crypto.randomUUID().slice(0, 8)
      const editor = field.previousElementSibling
      if (editor?.classList.contains('rich-text')) editor.innerHTML = '<p>' + word + '</p>'
      else field.value = word
      words.push(word)
      const target = editor?.classList.contains('rich-text') ? editor : field
      target.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }
  return words
})()`

const areStored = (words: readonly string[]) =>
  `${JSON.stringify(words)}.every((word) => Object.values({ ...localStorage }).some((text) => text.includes(word)))`

const shownTexts = `[...document.querySelectorAll('input, textarea, .rich-text')]
  .map((one) => one.value ?? one.textContent).join(' ')`

/** The words that were typed on a page and are not in its fields after its tab has crashed. */
async function lostWords(context: BrowserContext, path: string) {
  const page = await context.newPage()
  await page.goto(app.base + path)
  const words = (await page.evaluate(typeWords)) as string[]
  await until(async () => (await page.evaluate(areStored(words))) === true)
  await page.close({ runBeforeUnload: false })
  const next = await context.newPage()
  await next.goto(app.base + path)
  // The page loads itself again when the server has newer text.
  const shown = await until(() => next.evaluate<string>(shownTexts).catch(() => null))
  await next.close({ runBeforeUnload: false })
  return { typed: words.length, lost: words.filter((word) => !shown.includes(word)) }
}

test('the tab of every form with text crashes while a person types, and no word is lost', async () => {
  const context = await browser.newContext()
  await signInBrowser(context, { base: app.base, email: admin.email })
  const counts: { path: string; typed: number; lost: string[] }[] = []
  for (const path of new Set(forms.filter(({ isStored }) => isStored).map((form) => form.path))) {
    counts.push({ path, ...(await lostWords(context, path)) })
  }
  expect(counts.filter(({ lost, typed }) => lost.length > 0 || typed === 0)).toEqual([])
  expect(counts.reduce((sum, { typed }) => sum + typed, 0)).toBeGreaterThan(50)
  await context.close()
})
