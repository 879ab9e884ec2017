import type { Disposable, Page } from 'playwright-core'

const added = new WeakMap<Page, Map<string, Disposable>>()

/** Adds a script or a function to each page that `page` opens from now on; once for each name. */
export async function addToPage(
  page: Page,
  name: string,
  add: () => Promise<Disposable>,
): Promise<void> {
  const additions = added.get(page) ?? new Map<string, Disposable>()
  added.set(page, additions)
  if (!additions.has(name)) additions.set(name, await add())
}

/** Removes what `addToPage` has added. */
export async function removeAdditions(page: Page): Promise<void> {
  const additions = added.get(page)
  added.delete(page)
  await Promise.all([...(additions?.values() ?? [])].map((addition) => addition.dispose()))
}
