import { expect } from 'bun:test'
import type { Page } from 'playwright-core'

const script = Bun.file(new URL(import.meta.resolve('axe-core/axe.min.js')))
const prepared = new WeakSet<Page>()

/**
 * Gives axe to every page that `page` opens from now on. That takes a third of the CPU time of giving it
 * to a page that is open.
 */
async function prepareAxe(page: Page): Promise<void> {
  if (prepared.has(page)) return
  prepared.add(page)
  await page.addInitScript({ content: await script.text() })
}

/** Gives axe to the page that is open, unless it has it. */
async function loadAxe(page: Page): Promise<void> {
  if (await page.evaluate<boolean>('"axe" in globalThis')) return
  await page.evaluate(await script.text())
}

/** What axe finds serious or critical on the page that is open, by WCAG 2.2 AA: rules and elements. */
export async function seriousFindings(page: Page): Promise<unknown[]> {
  await loadAxe(page)
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
  if (url) {
    await prepareAxe(page)
    await page.goto(url)
  }
  await loadAxe(page)
  if (screens.length === 0) return await expectNoFaults(page)
  for (const { viewport, colorScheme } of screens) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await expectNoFaults(page)
  }
}

async function expectNoFaults(page: Page): Promise<void> {
  const faults = await page.evaluate<{ id: string; nodes: string[] }[]>(`axe
    .run({ iframes: false, preload: false, resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] })
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
