import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { isLongRun } from '../properties.ts'
import { addToPage } from './page-additions.ts'

const script = Bun.file(new URL(import.meta.resolve('axe-core/axe.min.js')))
/** How often each page was inspected on several screens. */
const turns = new WeakMap<Page, number>()

/**
 * Gives axe to every page that `page` opens from now on. That takes a third of the CPU time of giving it
 * to a page that is open.
 */
async function prepareAxe(page: Page): Promise<void> {
  const content = await script.text()
  await addToPage(page, 'axe', () => page.addInitScript({ content }))
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

const allRules = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']
const screenRules = ['color-contrast']

/** How somebody sees a page. */
interface Screen {
  viewport: { width: number; height: number }
  colorScheme: 'light' | 'dark'
}

/** The composer inserts its warnings when it has loaded, which moves lines by less. */
const maxLayoutShift = 0.03

export const wideScreen = { width: 1280, height: 800 }
export const narrowScreen = { width: 390, height: 844 }

/**
 * Throws when a page, or the one that is open (null), has faults that keep people out, moves its content
 * while it loads, or runs over the edge, on the screen of the browser or on each of `screens`. The page is loaded only once for them, and
 * all rules are checked on one of them in turn: most faults are in the HTML, which is the same on all.
 */
export async function inspect(
  page: Page,
  url: string | null,
  screens: readonly Screen[] = [],
): Promise<void> {
  if (url) {
    await prepareAxe(page)
    await page.goto(url)
    const { sum, elements } = await layoutShiftOf(page)
    expect({ at: url, moved: sum < maxLayoutShift ? [] : elements }).toEqual({ at: url, moved: [] })
  }
  await loadAxe(page)
  if (screens.length === 0) return await expectNoFaults(page, allRules)
  const turn = turns.get(page) ?? 0
  turns.set(page, turn + 1)
  for (const [at, { viewport, colorScheme }] of screens.entries()) {
    await page.setViewportSize(viewport)
    // A color that changes gradually would be measured in between.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const isTurn = isLongRun || at === turn % screens.length
    await expectNoFaults(page, isTurn ? allRules : screenRules)
  }
}

/**
 * How far things on a page moved while it loaded, without a person having done something: the sum of its
 * layout shifts, which is good below 0.1 (https://web.dev/articles/cls), and the things that moved.
 */
async function layoutShiftOf(page: Page): Promise<{ sum: number; elements: string[] }> {
  return await page.evaluate<{ sum: number; elements: string[] }>(`new Promise((resolve) => {
    const found = { sum: 0, elements: [] }
    const add = (entries) => {
      for (const { value, hadRecentInput, sources } of entries) {
        if (hadRecentInput) continue
        found.sum += value
        found.elements.push(...sources.map(({ node }) => (node?.outerHTML ?? '').slice(0, 200)))
      }
    }
    const observer = new PerformanceObserver((list) => add(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => {
      add(observer.takeRecords())
      resolve(found)
    })
  })`)
}

async function expectNoFaults(page: Page, rules: readonly string[]): Promise<void> {
  const faults = await page.evaluate<{ id: string; nodes: string[] }[]>(`axe
    .run({ iframes: false, preload: false, resultTypes: ['violations'], runOnly: ${JSON.stringify(rules)} })
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
