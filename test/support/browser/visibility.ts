import type { Page } from 'playwright-core'

/** Lets a page believe that its tab is hidden, or visible again. */
export async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)
}
