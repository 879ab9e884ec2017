import type { Page } from 'playwright-core'

// What the names depend on: they close when the text loses the focus.
const readState = `({
  focus: document.activeElement.outerHTML.slice(0, 200),
  hasFocus: document.hasFocus(),
  scriptHasRun: typeof showSuggestions === 'function',
  text: document.activeElement.value,
})`

/** Waits for the names that are offered after `@`. The error says what they depend on. */
export async function untilNamesAreOffered(page: Page): Promise<void> {
  try {
    await page.locator('.mention-list').waitFor()
  } catch (cause) {
    const state = JSON.stringify(await page.evaluate(readState))
    throw new Error(`No names are offered: ${state}`, { cause })
  }
}
