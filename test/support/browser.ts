import chromium from '@sparticuz/chromium'
import { type Browser, chromium as engine } from 'playwright-core'

/** A headless Chromium out of an npm package: nothing to install, also as root. */
export async function openBrowser(): Promise<Browser> {
  return await engine.launch({
    executablePath: await chromium.executablePath(),
    // It only ever opens our own pages, and as root there is no sandbox.
    args: ['--no-sandbox', '--headless=shell'],
  })
}
