import { expect } from 'bun:test'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Throws when a page, or the one that is open, has faults that keep people out, or runs over the edge. */
export async function inspect(page: Page, url: string | null): Promise<void> {
  if (url) await page.goto(url)
  await page.evaluate(axe.source)
  const faults = await page.evaluate<{ id: string; nodes: string[] }[]>(`axe
    .run({ iframes: false, runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] })
    .then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })))`)
  const over = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect({ at: page.url(), faults, over }).toEqual({ at: page.url(), faults: [], over: 0 })
}
