import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  Disposable,
  Page,
} from 'playwright-core'
import { removeAdditions } from './page-additions.ts'

/** Options that can be changed after a context was created. */
type Screen = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'reducedMotion'>

const events = ['console', 'dialog', 'download', 'pageerror', 'popup', 'request', 'response']

/**
 * Makes `newContext` return a context that a test has closed, without its cookies and stored data, where one has the
 * same options. Its first page is the one of that test: a new page needs a new process, which takes Chromium eight
 * times the CPU time of opening another URL. Returns a function that closes all contexts.
 */
export function reuseContexts(browser: Browser): () => Promise<void> {
  const create = browser.newContext.bind(browser)
  const emptied = new Map<string, ((screen: Screen) => Promise<BrowserContext>)[]>()
  const opened = new Set<() => Promise<void>>()

  browser.newContext = async (options = {}) => {
    const { viewport, colorScheme, reducedMotion, ...fixed } = options
    const key = JSON.stringify(fixed)
    const same = emptied.get(key) ?? []
    emptied.set(key, same)
    const reopen = same.pop()
    if (reopen) return await reopen(options)
    const context = await create(fixed)
    const close = context.close.bind(context)
    const openPage = context.newPage.bind(context)
    const openSession = context.newCDPSession.bind(context)
    const page = await openPage()
    let unopened: Page | null = null
    let isOpen = false
    // A clock that was replaced stays for all pages.
    let isReusable = true
    let sessions: CDPSession[] = []
    const scripts: Disposable[] = []
    opened.add(close)
    const open = async (screen: Screen) => {
      isOpen = true
      unopened = page
      sessions = []
      await changeScreen(page, screen)
      return context
    }
    const installClock = context.clock.install.bind(context.clock)
    context.clock.install = async (...given) => {
      isReusable = false
      await installClock(...given)
    }
    for (const owner of [context, page]) recordScripts(owner, scripts)
    Object.assign(context, {
      async newPage() {
        const first = unopened
        unopened = null
        return first ?? (await openPage())
      },
      async newCDPSession(target: Page) {
        const session = await openSession(target)
        sessions.push(session)
        return session
      },
      async close() {
        if (!isOpen) return
        isOpen = false
        const additions = scripts.splice(0)
        const isEmpty =
          isReusable &&
          (await emptyContext(context, page, { sessions, additions }).catch(() => false))
        if (isEmpty) same.push(open)
        else {
          opened.delete(close)
          await close()
        }
      },
    })
    return await open(options)
  }

  return async () => {
    const all = [...opened]
    opened.clear()
    emptied.clear()
    await Promise.all(all.map((close) => close()))
  }
}

/** Records the scripts that are added for each page that is opened from now on. */
function recordScripts(owner: BrowserContext | Page, scripts: Disposable[]): void {
  const { addInitScript } = owner
  Object.assign(owner, {
    async addInitScript(...given: unknown[]) {
      const script: Disposable = await Reflect.apply(addInitScript, owner, given)
      scripts.push(script)
      return script
    },
  })
}

async function changeScreen(page: Page, screen: Screen): Promise<void> {
  await page.setViewportSize(screen.viewport ?? { width: 1280, height: 720 })
  await page.emulateMedia({
    colorScheme: screen.colorScheme ?? 'light',
    reducedMotion: screen.reducedMotion ?? 'no-preference',
  })
}

/** Removes what a test has left in a context, except its first page. False when that is closed. */
async function emptyContext(
  context: BrowserContext,
  page: Page,
  { sessions, additions }: { sessions: readonly CDPSession[]; additions: readonly Disposable[] },
): Promise<boolean> {
  if (page.isClosed()) return false
  const others = context.pages().filter((other) => other !== page)
  await Promise.all(others.map((other) => other.close()))
  for (const event of events) page.removeAllListeners(event)
  await Promise.all([
    context.setOffline(false),
    context.unrouteAll({ behavior: 'ignoreErrors' }),
    page.unrouteAll({ behavior: 'ignoreErrors' }),
    removeAdditions(page),
    ...additions.map((addition) => addition.dispose().catch(() => undefined)),
    ...sessions.map((session) => session.detach().catch(() => undefined)),
  ])
  if (page.url() !== 'about:blank') await openEmptyPage(page)
  await context.clearCookies()
  await page.mouse.move(-1, -1)
  return true
}

const leavePage = `
  // Text that is not saved does not keep the page open.
  addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
  // A page of the same origin, so that the next one is opened in the same process.
  location.href = URL.createObjectURL(new Blob([], { type: 'text/html' }))`

/** Ends the scripts of the page that is open, and removes what they have stored. */
async function openEmptyPage(page: Page): Promise<void> {
  await Promise.all([page.waitForURL(/^blob:/), page.evaluate(leavePage)])
  await page.evaluate('localStorage.clear(); sessionStorage.clear()')
}
