import { expect } from 'bun:test'
import type { Page } from 'playwright-core'

/** Does something, and waits until the server has stored a draft of a form that contains this text. */
export async function untilDraftStored(
  page: Page,
  text: string,
  act: () => Promise<unknown>,
): Promise<void> {
  const response = page.waitForResponse((one) => {
    const sent = new URLSearchParams(one.request().postData() ?? '')
    const isDraft = new URL(one.url()).pathname === '/drafts'
    return isDraft && sent.get('content')?.includes(JSON.stringify(text).slice(1, -1)) === true
  })
  const [stored] = await Promise.all([response, act()])
  expect(stored.ok()).toBeTrue()
}
