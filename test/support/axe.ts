import { expect } from 'bun:test'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds serious or critical on the page that is open, by WCAG 2.2 AA: rules and elements. */
export async function seriousFindings(page: Page): Promise<unknown[]> {
  await page.evaluate(axe.source)
  return await page.evaluate<unknown[]>(`axe
    .run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] })
    .then(({ violations }) => violations
      .filter(({ impact }) => ['serious', 'critical'].includes(impact))
      .map(({ id, nodes }) => ({ id, elements: nodes.map(({ html }) => html) })))`)
}

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
