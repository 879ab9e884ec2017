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

/** How somebody sees a page. */
interface Screen {
  viewport: { width: number; height: number }
  colorScheme: 'light' | 'dark'
}

export const wideScreen = { width: 1280, height: 800 }
export const narrowScreen = { width: 390, height: 844 }

/**
 * Throws when a page, or the one that is open (null), has faults that keep people out, or runs over the
 * edge, on the screen of the browser or on each of `screens`. The page is loaded only once for them.
 */
export async function inspect(
  page: Page,
  url: string | null,
  screens: readonly Screen[] = [],
): Promise<void> {
  if (url) await page.goto(url)
  await page.evaluate(axe.source)
  if (screens.length === 0) return await expectNoFaults(page)
  for (const { viewport, colorScheme } of screens) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await expectNoFaults(page)
  }
}

async function expectNoFaults(page: Page): Promise<void> {
  const faults = await page.evaluate<{ id: string; nodes: string[] }[]>(`axe
    .run({ iframes: false, runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] })
    .then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })))`)
  const over = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  const screen = page.viewportSize()
  expect({ at: page.url(), screen, faults, over }).toEqual({
    at: page.url(),
    screen,
    faults: [],
    over: 0,
  })
}
