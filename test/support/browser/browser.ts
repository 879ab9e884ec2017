import { existsSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import chromium, { inflate } from '@sparticuz/chromium'
import {
  type Browser,
  type BrowserContext,
  chromium as engine,
  type Locator,
} from 'playwright-core'
import { logIn, person } from '../console.ts'
import { reuseContexts } from './reuse-contexts.ts'

// Less than half of the time that `bun test` gives a test, so that the error says what did not happen.
// Playwright's 30 s are few on a busy machine.
const waitAtMostMs = 120_000

// Pages are open for too short a time to earn back the CPU time of the slow compilers, of threads and of
// frequent garbage collection: axe takes half as much with these.
const scriptFlags = '--no-turbofan --no-maglev --single-threaded --min-semi-space-size=16'

let opened: Promise<Browser> | undefined

/**
 * A headless Chromium out of an npm package: nothing to install, also as root and on a machine that
 * has neither its libraries nor a font. All test files of a process use the same one, because a start
 * costs CPU time: `close` closes what a file has opened in it, and it ends with the process.
 */
export async function openBrowser(): Promise<Browser> {
  const running = await opened?.catch(() => undefined)
  if (running?.isConnected()) return running
  opened = launchBrowser()
  return await opened
}

async function launchBrowser(): Promise<Browser> {
  const executablePath = await chromium.executablePath()
  // It is unpacked once per machine, for its owner alone; others may run these tests too.
  await chmod(executablePath, 0o755).catch(() => undefined)
  const browser = await engine.launch({
    executablePath,
    // It only ever opens our own pages, and as root there is no sandbox.
    args: ['--no-sandbox', '--headless=shell', `--js-flags=${scriptFlags}`],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: await libraries(),
      FONTCONFIG_PATH: `${tmpdir()}/fonts`,
    },
  })
  browser.on('context', (context) => context.setDefaultTimeout(waitAtMostMs))
  browser.close = reuseContexts(browser)
  return browser
}

/** Signs a person in without a visit to the sign-in page: the browser gets the cookies of a new session. */
export async function signInBrowser(
  context: BrowserContext,
  { base, email }: { base: string; email: string },
): Promise<void> {
  const visitor = person(base)
  const { status } = await logIn(visitor, email)
  if (status !== 303) throw new Error(`${email} cannot sign in: status ${status}`)
  await context.addCookies(
    [...visitor.cookies].map(([name, value]) => ({ name, value, url: base })),
  )
}

/**
 * Clicks what leads to another page, and waits until that page and its scripts are loaded. A click alone
 * ends before its scripts have run, so that what follows would reach a page that does not react yet.
 */
export async function follow(target: Locator): Promise<void> {
  const page = target.page()
  await target.waitFor()
  // Not the end of loading the page that contains it.
  await page.waitForLoadState('load')
  await Promise.all([page.waitForEvent('load'), target.click()])
}

/** The folder of the libraries Chromium needs; the package unpacks them on Amazon's machines alone. */
async function libraries(): Promise<string> {
  const folder = `${tmpdir()}/al2023`
  if (!existsSync(folder)) {
    const archive = new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium'))
    await inflate(fileURLToPath(archive))
  }
  return `${folder}/lib`
}
