import type { Page } from 'playwright-core'
import { addToPage } from './page-additions.ts'

// A live region is known when it was in the page, in sight or visually hidden, before its text changed. Alerts are
// announced also when they appear. What a modal dialog covers is not announced.
const recorder = `(() => {
  const selector = '[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]'
  const known = new WeakSet()
  const isExposed = (region) => {
    const modal = document.querySelector('dialog:modal')
    return region.isConnected && region.checkVisibility({ visibilityProperty: true }) &&
      !region.closest('[aria-hidden=true]') && (!modal || modal.contains(region))
  }
  const look = (records) => {
    const changed = new Set(records.filter(({ type }) => type !== 'attributes').map(({ target }) =>
      (target.closest ? target : target.parentElement)?.closest(selector)))
    for (const region of document.querySelectorAll(selector)) {
      if (!isExposed(region)) { known.delete(region); continue }
      const isNew = !known.has(region)
      known.add(region)
      const text = region.innerText.replace(/\\s+/g, ' ').trim()
      const isAnnounced = isNew ? region.role === 'alert' : changed.has(region)
      if (isAnnounced && text !== '') globalThis.heard(text)
    }
  }
  const start = () => {
    look([])
    const options = { childList: true, subtree: true, characterData: true, attributes: true }
    new MutationObserver(look).observe(document.body, options)
  }
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start)
  else start()
})()`

/** Records what a screen reader announces without a move of the focus, on every page that opens from now on. */
export async function listenTo(page: Page): Promise<string[]> {
  const heard: string[] = []
  const hear = (text: string) => void heard.push(text)
  await addToPage(page, 'heard', () => page.exposeFunction('heard', hear))
  await addToPage(page, 'recorder', () => page.addInitScript({ content: recorder }))
  return heard
}
