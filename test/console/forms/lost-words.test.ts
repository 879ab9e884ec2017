import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { adapter as github } from '../../../integrations/github/adapter.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { openBrowser, signInBrowser } from '../../support/browser/browser.ts'
import {
  type Examples,
  examplesFor,
  isFile,
  pathOf,
  routes,
} from '../../support/browser/console-walk.ts'
import { type Person, signedIn, testPassword } from '../../support/console.ts'
import { sample } from '../../support/properties.ts'
import { until } from '../../support/until.ts'

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

/** Types a word of its own into each text field of the forms of a page, and returns the words of each form. */
const typeWords = `(() => [...document.querySelectorAll('form[data-draft]')].map((form) => {
  const words = []
  for (const field of form.querySelectorAll('${typed}')) {
    if (field.readOnly || field.type === 'hidden') continue
    const word = 'word' + crypto.randomUUID().slice(0, 8)
    const editor = field.previousElementSibling
    const isRich = editor?.classList.contains('rich-text')
    if (isRich) editor.innerHTML = '<p>' + word + '</p>'
    else if (field.type === 'email') field.value = word + '@people.test'
    else if (field.type === 'url') field.value = 'https://' + word + '.test/'
    else field.value = word
    words.push(word)
    ;(isRich ? editor : field).dispatchEvent(new Event('input', { bubbles: true }))
  }
  return words
}))()`

/** The words that are in no field of the page. */
const missingWords = (words: readonly string[]) => `(() => {
  const texts = [...document.querySelectorAll('input, textarea, .rich-text')].map((one) => one.value ?? one.textContent)
  return ${JSON.stringify(words)}.filter((word) => !texts.some((text) => text.includes(word)))
})()`

/** The words that this browser does not store. */
const unstoredWords = (words: readonly string[]) => `(() => {
  const texts = Object.values({ ...localStorage })
  return ${JSON.stringify(words)}.filter((word) => !texts.some((text) => text.includes(word)))
})()`

// What the pages look like is not tested here, and takes half of the time.
const looks = ['*.css', '*/html*', '*.svg', '*.png', '*/live']

/** A tab in which timers run when the test says so, and in which forms may be left. */
async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setBlockedURLs', { urls: looks })
  page.on('dialog', (dialog) => void dialog.accept())
  await page.clock.install()
  return page
}

/** Opens a page, also while the page before it leads somewhere else because its form was accepted. */
async function open(page: Page, path: string): Promise<void> {
  try {
    await page.goto(app.base + path, { waitUntil: 'domcontentloaded' })
  } catch (error) {
    if (!String(error).includes('ERR_ABORTED')) throw error
    await open(page, path)
  }
}

/** Ends the page as a crash does: nothing is stored that was not stored before. */
const crash = (page: Page) =>
  page.evaluate(
    `addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true)`,
  )

/** Lets the timers of a page run that store what was typed. */
const runTimers = (page: Page) => page.clock.runFor(1500)

const wordsOn = async (page: Page) => ((await page.evaluate(typeWords)) as string[][]).flat()

interface Interruption {
  name: string
  words: readonly string[]
}

/** A person who types into the forms of a page, in two tabs, and the words that were lost. */
function createTypist([page, second]: [Page, Page], path: string) {
  const losses: { path: string; name: string; words: string[] }[] = []
  let typedCount = 0
  const type = async (tab: Page) => {
    const words = await wordsOn(tab)
    typedCount += words.length
    return words
  }
  const count = async (tab: Page, { name, words }: Interruption) => {
    // A page with newer text on the server loads itself again, which ends the evaluation.
    const lost = await until(() =>
      tab.evaluate<string[]>(missingWords(words)).catch((error: Error) => {
        if (error.message.includes('context was destroyed')) return null
        throw error
      }),
    )
    if (lost.length > 0) losses.push({ path, name, words: lost })
  }
  return {
    losses,
    typedCount: () => typedCount,
    async leaveAndReturn() {
      await open(page, path)
      const words = await type(page)
      await page.reload({ waitUntil: 'domcontentloaded' })
      await count(page, { name: 'reload', words })
      await page.goto('about:blank')
      await page.goBack({ waitUntil: 'domcontentloaded' })
      await count(page, { name: 'back', words })
      return words
    },
    /** Types in a second tab, too; both crash. */
    async useTwoTabs(words: readonly string[]) {
      await open(second, path)
      await count(second, { name: 'second tab', words })
      const later = await type(second)
      const both = [...words, ...later]
      await runTimers(second)
      await until(async () => ((await page.evaluate(unstoredWords(both))) as string[]).length === 0)
      await Promise.all([crash(page), crash(second)])
      await second.goto('about:blank')
      await open(page, path)
      await count(page, { name: 'crash', words: later })
    },
    async loseNetwork() {
      await page.context().setOffline(true)
      const words = await type(page)
      await runTimers(page)
      await until(async () => (await page.evaluate(formsNotOffline)) === 0)
      await page.context().setOffline(false)
      await count(page, { name: 'network', words })
    },
    /** The session ends before a form is sent; the person signs in again on the same page. */
    async endSession(index: number) {
      await open(page, path)
      const words = ((await page.evaluate(typeWords)) as string[][])[index] ?? []
      typedCount += words.length
      await page.context().clearCookies()
      const left = page.waitForEvent('framenavigated', (frame) => frame === page.mainFrame())
      left.catch(() => undefined)
      const action = await page.evaluate(send(index))
      await page.locator('dialog[open] form').waitFor()
      const repeated = page.waitForRequest(
        (request) => request.url() === action && !isPreview(request),
      )
      await page.evaluate(signInAgain(admin.email))
      const response = await (await repeated).response()
      if (!response) throw new Error(`${path} was left before its form was answered`)
      const sent = response.request().postData() ?? ''
      const lost = words.filter((word) => !sent.includes(word))
      if (lost.length > 0) losses.push({ path, name: 'session', words: lost })
      // A form with an error is shown again.
      const isShown = response.status() === 422
      if (isShown)
        await until(
          async () => ((await page.evaluate(missingWords(words))) as string[]).length === 0,
        )
      if (response.headers()['hx-redirect'] !== undefined) await left
      else await crash(page)
    },
    /** The server restarts while each form is sent. */
    async restartServer() {
      const words = await type(page)
      await page.evaluate(sendDuringRestart)
      await until(async () => (await page.evaluate(formsNotRefused)) === 0)
      await count(page, { name: 'server', words })
      await crash(page)
    },
  }
}

/** How many forms do not say yet that their text is kept on the device. */
const formsNotOffline = `[...document.querySelectorAll('form[data-draft]')].filter((form) =>
  !['Offline, kept here', 'Kept on this device only'].includes(form.querySelector('.autosave-state')?.textContent)).length`

/** Sends a form of the page; returns its address. */
const send = (index: number) => `(() => {
  const form = document.querySelectorAll('form[data-draft]')[${index}]
  form.noValidate = true
  form.requestSubmit()
  return new URL(form.getAttribute('action'), location).href
})()`

/** Forms with a preview are also sent for it while a person types. */
const isPreview = (request: Request) => request.postData()?.includes('preview=on') ?? false

/** Signs in again in the dialog of the page. */
const signInAgain = (email: string) => `(() => {
  const form = document.querySelector('dialog[open] form')
  form.elements.email.value = '${email}'
  form.elements.password.value = '${testPassword}'
  form.requestSubmit()
})()`

/** Sends each form while the server restarts, as a proxy reports it. */
const sendDuringRestart = `(() => {
  window.fetch = async () => new Response('<h1>Bad gateway</h1>', { status: 502 })
  for (const form of document.querySelectorAll('form[data-draft]')) {
    form.noValidate = true
    form.requestSubmit()
  }
})()`

/** How many forms do not say yet that the server cannot be reached; the composer says it for all. */
const formsNotRefused = `[...document.querySelectorAll('form[data-draft]')].filter((form) =>
  !form.querySelector('.draft-notice.danger') && !document.querySelector('#toast.danger')).length`

test('every form with text is interrupted in the middle, on each page in another way, and no word is lost', async () => {
  const context = await browser.newContext()
  await signInBrowser(context, { base: app.base, email: admin.email })
  const tabs: [Page, Page] = [await openTab(context), await openTab(context)]
  const typists: ReturnType<typeof createTypist>[] = []
  const stored = forms.filter(({ isStored }) => isStored)
  for (const [turn, path] of [...new Set(stored.map((form) => form.path))].entries()) {
    const typist = createTypist(tabs, path)
    const formsOfPage = stored.filter((form) => form.path === path)
    const interruptions = [
      async () => await typist.useTwoTabs(await typist.leaveAndReturn()),
      () => typist.loseNetwork(),
      () => typist.restartServer(),
      async () => {
        for (const index of formsOfPage.keys()) await typist.endSession(index)
      },
    ]
    await open(tabs[0], path)
    for (const interrupt of sample(interruptions, 2, turn)) await interrupt()
    typists.push(typist)
  }
  expect(typists.flatMap(({ losses }) => losses)).toEqual([])
  expect(typists.filter(({ typedCount }) => typedCount() === 0)).toEqual([])
  expect(typists.reduce((sum, { typedCount }) => sum + typedCount(), 0)).toBeGreaterThan(80)
  await context.close()
})
