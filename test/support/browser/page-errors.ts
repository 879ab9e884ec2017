import type { Page } from 'playwright-core'

// Playwright types before the browser has set the focus, which then stays where it is.
const expected = [
  'Autofocus processing was blocked because a document already has a focused element.',
]

/**
 * What goes wrong on a page from now on, in a list that grows: errors of scripts, messages in the console, such as
 * those of refused scripts and styles, and dialogs, which are dismissed. Messages that begin with `except` are left out.
 */
export function watchErrors(
  page: Page,
  { except = [] }: { except?: readonly string[] } = {},
): string[] {
  const errors: string[] = []
  const ignored = [...expected, ...except]
  page.on('console', (message) => {
    const text = message.text()
    if (ignored.some((one) => text.startsWith(one))) return
    const { url } = message.location()
    errors.push(`${text} ${URL.canParse(url) ? new URL(url).pathname : ''}`.trim())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('dialog', async (dialog) => {
    errors.push(`dialog: ${dialog.message()}`)
    await dialog.dismiss()
  })
  return errors
}
