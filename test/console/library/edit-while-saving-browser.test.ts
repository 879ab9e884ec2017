import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Team } from '../../../src/features/teams/index.ts'
import { signInBrowser } from '../../support/browser/browser.ts'
import { startBrowserApp } from '../../support/browser/browser-app.ts'
import { member } from '../../support/console.ts'
import { blockOf, newsletterOf, unlimitedClient } from '../../support/newsletters.ts'

const { app, browser } = await startBrowserApp()

/** A page of an editor of a team. */
async function openPage(team: Team, path: string): Promise<Page> {
  const { email } = await member(app, team, 'editor')
  const context = await browser.newContext({
    baseURL: app.base,
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  })
  await signInBrowser(context, { base: app.base, email })
  const page = await context.newPage()
  await page.goto(path)
  return page
}

const editor = (page: Page) => page.locator('.in-place-editor')
const title = (page: Page) => editor(page).getByLabel('Title')
const row = (page: Page, name: string) =>
  page.locator('#block-list').getByRole('link', { name, exact: true })
const preview = (page: Page) => page.locator('#preview-panel')
const region = (page: Page, name: string) => page.getByRole('link', { name: `Edit ${name}` })

/** Opens a block of the library beside the list, or of a newsletter over it, and changes its title. */
async function edit(page: Page, name: string, changed: string): Promise<void> {
  if (page.url().endsWith('/library')) {
    await row(page, name).focus()
    await page.keyboard.press('e')
  } else await region(page, name).click()
  await title(page).fill(changed)
}

/** Presses Save. The first request whose address contains `delayed` waits for `answer`. */
async function save(page: Page, delayed: string | null) {
  const sent = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<'send' | 'fail'>()
  const isDelayed = (url: URL) => url.href.includes(delayed ?? '')
  await page.route(isDelayed, async (route) => {
    sent.resolve()
    await ((await answer.promise) === 'send' ? route.continue() : route.abort())
  })
  await editor(page).getByRole('button', { name: 'Save', exact: true }).click()
  await sent.promise
  return answer
}

const actionOf = (page: Page) => editor(page).locator('form').getAttribute('action')

/** The library or a newsletter with two blocks, whose first one is edited. */
async function startEditing(place: string) {
  const team = await app.team()
  const call = await unlimitedClient(app, team)
  const second = await blockOf(call, { title: 'Second story', status: 'draft' })
  const block = await blockOf(call, { title: 'First story', status: 'draft' })
  const path = place === 'library' ? '/library' : await newsletterOf(call, [block, second])
  const page = await openPage(team, path)
  await edit(page, 'First story', 'First story, again')
  return { page, call, block }
}

/** Chooses the other block with the keyboard, because the editor can cover it. */
const chooseOther = (page: Page) =>
  page.url().endsWith('/library')
    ? row(page, 'Second story').press('Enter')
    : region(page, 'Second story').press('Enter')

/** The other block is shown: its preview, or its form. */
async function untilOtherIsShown(page: Page): Promise<void> {
  if (page.url().endsWith('/library'))
    return await preview(page).getByRole('heading', { name: 'Second story' }).waitFor()
  await page.getByRole('dialog', { name: 'Second story' }).waitFor()
  await title(page).waitFor()
  expect(await title(page).inputValue()).toBe('Second story')
}

for (const place of ['library', 'newsletter']) {
  test(`an editor in the ${place} that is closed while it is saved stays, and says that somebody else has changed the text`, async () => {
    const { page, call, block } = await startEditing(place)
    await call('PATCH', `/content_blocks/${block}`, { title: 'Of somebody else' })
    const answer = await save(page, await actionOf(page))
    await page.keyboard.press('Escape')
    await editor(page).getByRole('link', { name: 'Cancel' }).click()
    answer.resolve('send')
    await editor(page).getByText('Of somebody else').first().waitFor()
    expect(await title(page).inputValue()).toBe('First story, again')
    await page.context().close()
  })

  test(`an editor in the ${place} stays when another block is chosen while it is saved and the server cannot be reached`, async () => {
    const { page } = await startEditing(place)
    const answer = await save(page, await actionOf(page))
    await chooseOther(page)
    // The other block would have been loaded by then.
    await page.evaluate('fetch(location.href).then((response) => response.text())')
    answer.resolve('fail')
    await editor(page).getByText('The server cannot be reached').waitFor()
    expect(await title(page).inputValue()).toBe('First story, again')
    await page.context().close()
  })

  test(`text that is typed in the ${place} while an editor is saved stays and is saved next, beside what somebody else has changed`, async () => {
    const { page, call, block } = await startEditing(place)
    await call('PATCH', `/content_blocks/${block}`, { body: 'Of somebody else' })
    const answer = await save(page, await actionOf(page))
    await title(page).fill('First story, and more')
    answer.resolve('send')
    await editor(page).locator('form:not([aria-busy])').waitFor()
    const stored = async () => (await call('GET', `/content_blocks/${block}`)).json.content_block
    expect(await stored()).toMatchObject({ title: 'First story, again' })
    expect(await title(page).inputValue()).toBe('First story, and more')
    await editor(page).getByRole('button', { name: 'Save', exact: true }).click()
    await editor(page).waitFor({ state: 'detached' })
    const saved = { title: 'First story, and more', body: expect.stringContaining('somebody') }
    expect(await stored()).toMatchObject(saved)
    await page.context().close()
  })

  test(`another block that is chosen in the ${place} while an editor is saved is shown after the answer, and the saved text is no draft`, async () => {
    const { page } = await startEditing(place)
    const answer = await save(page, await actionOf(page))
    await chooseOther(page)
    answer.resolve('send')
    await untilOtherIsShown(page)
    await page.keyboard.press('Escape')
    const frame = page.frameLocator('iframe.preview-frame')
    if (place === 'library') await row(page, 'First story, again').waitFor()
    else await frame.getByRole('heading', { name: 'First story, again' }).waitFor()
    await edit(page, 'First story, again', 'First story')
    expect(await editor(page).getByText('is restored').count()).toBe(0)
    await page.context().close()
  })
}

for (const [place, delayed] of [
  ['library', '/library/changed'],
  ['newsletter', '/drafts'],
] as const) {
  test(`another block that is chosen in the ${place} while saved text is being shown is shown after it`, async () => {
    const { page } = await startEditing(place)
    if (place === 'newsletter') await editor(page).getByText('Draft saved').waitFor()
    const answer = await save(page, delayed)
    await chooseOther(page)
    answer.resolve('send')
    await untilOtherIsShown(page)
    expect(await page.getByText('cannot be reached').count()).toBe(0)
    await page.context().close()
  })
}
