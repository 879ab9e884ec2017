import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { adapter as slack } from '../../../integrations/slack/adapter.ts'
import { createConnection } from '../../../src/features/connections/index.ts'
import { endPostAttempt } from '../../../src/features/newsletter-posts/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { sendChange } from '../../../src/lib/database/changes.ts'
import { signInBrowser } from '../../support/browser/browser.ts'
import { startBrowserApp } from '../../support/browser/browser-app.ts'
import { setVisibility } from '../../support/browser/visibility.ts'
import { member, signedIn, testPassword } from '../../support/console.ts'
import { blockOf, newsletterOf, send } from '../../support/newsletters.ts'
import { until } from '../../support/until.ts'

const { app, browser, team, call } = await startBrowserApp({ adapters: [slack] })

/** A page in the browser of a new editor of the team. */
async function open(name: string, path: string): Promise<Page> {
  const { email } = await member(app, team, 'editor', { name })
  const context = await browser.newContext({
    baseURL: app.base,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
  await signInBrowser(context, { base: app.base, email })
  const page = await context.newPage()
  await page.goto(path)
  return page
}

const editor = (page: Page) => page.getByRole('dialog')
const emailOf = (page: Page) => page.frameLocator('iframe.preview-frame')

/** A newsletter with two blocks that two people have open. */
async function openTwice(): Promise<{ path: string; ada: Page; grace: Page; blocks: string[] }> {
  const titles = ['The lift works', 'A new colleague']
  const blocks = []
  for (const title of titles) blocks.push(await blockOf(call, { title, block_type: 'general' }))
  const path = await newsletterOf(call, blocks, { intro: 'Hello.' })
  return { path, ada: await open('Ada', path), grace: await open('Grace', path), blocks }
}

const newsletterAt = async (path: string) => (await call('GET', path)).json.newsletter

async function close(...pages: Page[]): Promise<void> {
  for (const page of pages) await page.context().close()
}

/** Opens the form of a part over the newsletter, and types into its field. */
async function writeInPlace(
  page: Page,
  { link, field, text }: Record<'link' | 'field' | 'text', string>,
) {
  await page.getByRole('link', { name: link, exact: true }).first().click()
  await editor(page).locator(field).fill(text)
}

const save = (page: Page) => editor(page).getByRole('button', { name: 'Save', exact: true }).click()

/** The second person has written something else meanwhile, sees both texts, and keeps both. */
async function keepBoth(page: Page, theirs: string): Promise<void> {
  await save(page)
  await editor(page).locator('.their-text', { hasText: theirs }).waitFor()
  await editor(page).getByRole('button', { name: 'Keep both' }).click()
  await editor(page).waitFor({ state: 'detached' })
}

for (const part of [
  {
    name: 'the introduction',
    link: 'Edit Introduction',
    field: '.rich-text',
    stored: (newsletter: Record<string, string>) => newsletter['intro'],
  },
  {
    name: 'the heading of a section',
    link: 'Edit News',
    field: '[name=heading]',
    stored: (newsletter: { elements: { heading: string }[] }) => newsletter.elements[0]?.heading,
  },
]) {
  test(`two people who change ${part.name} at once in the newsletter both see both texts, and no word is lost`, async () => {
    const { path, ada, grace } = await openTwice()
    await writeInPlace(ada, { ...part, text: 'Words of Ada' })
    await writeInPlace(grace, { ...part, text: 'Words of Grace' })
    await save(ada)
    await editor(ada).waitFor({ state: 'detached' })
    await keepBoth(grace, 'Words of Ada')
    const stored = String(part.stored(await newsletterAt(path)))
    expect([stored.includes('Words of Ada'), stored.includes('Words of Grace')]).toEqual([
      true,
      true,
    ])
    await ada.getByRole('link', { name: 'Show the changes' }).click()
    await emailOf(ada).getByText('Words of Grace').first().waitFor()
    await close(ada, grace)
  })
}

test('two people who change a block at once in the newsletter both see both texts, and no word is lost', async () => {
  const { ada, grace, blocks } = await openTwice()
  const block = { link: 'Edit The lift works', field: '.rich-text' }
  await writeInPlace(ada, { ...block, text: 'Words of Ada' })
  await writeInPlace(grace, { ...block, text: 'Words of Grace' })
  await save(ada)
  await editor(ada).waitFor({ state: 'detached' })
  await keepBoth(grace, 'Words of Ada')
  const { json } = await call('GET', `/content_blocks/${blocks[0]}`)
  expect(json.content_block.body).toMatch(/Words of Ada.*Words of Grace/s)
  await close(ada, grace)
})

test('two people who change subject, preheader, order and blocks of a newsletter at once keep all changes', async () => {
  const { path, ada, grace, blocks } = await openTwice()
  const third = await blockOf(call, { title: 'The third one' })
  await ada.getByLabel('Subject', { exact: true }).fill('The subject of Ada')
  await grace.getByLabel('Preheader').fill('The preheader of Grace')
  await ada.keyboard.press('Tab')
  await until(async () => (await newsletterAt(path)).subject_line === 'The subject of Ada')
  await grace.keyboard.press('Tab')
  await until(async () => (await newsletterAt(path)).preheader_text === 'The preheader of Grace')
  await ada.getByRole('button', { name: 'Move “A new colleague” up' }).click()
  await until(async () => (await newsletterAt(path)).blocks[0].content_block.id === blocks[1])
  // Her page shows the order of before.
  await grace.getByRole('button', { name: 'Remove “The lift works”' }).click()
  await until(async () => (await newsletterAt(path)).blocks.length === 1)
  await call('POST', `${path}/blocks`, { content_block_id: third })
  const { subject_line, preheader_text, blocks: left } = await newsletterAt(path)
  expect([subject_line, preheader_text]).toEqual(['The subject of Ada', 'The preheader of Grace'])
  expect(
    left.map(({ content_block }: { content_block: { title: string } }) => content_block.title),
  ).toEqual(['A new colleague', 'The third one'])
  await ada.getByRole('link', { name: 'Show the changes' }).click()
  await until(
    async () => (await ada.getByLabel('Preheader').inputValue()) === 'The preheader of Grace',
  )
  await close(ada, grace)
})

test('two people who move blocks at the same moment both move them', async () => {
  const people = [await signedIn(app, team, 'editor'), await signedIn(app, team, 'editor')]
  const blocks: string[] = []
  for (const title of ['One', 'Two', 'Three', 'Four']) blocks.push(await blockOf(call, { title }))
  const path = `/newsletters/${(await call('POST', '/newsletters', { title: 'Order' })).json.newsletter.id}`
  for (const content_block_id of blocks) await call('POST', `${path}/blocks`, { content_block_id })
  const ids = (await newsletterAt(path)).blocks.map(({ id }: { id: string }) => id)
  const moves = [{ down: ids[0] }, { up: ids[3] }]
  await Promise.all(people.map((one, at) => one.post(`${path}/order`, moves[at])))
  const order = (await newsletterAt(path)).blocks.map(({ id }: { id: string }) => ids.indexOf(id))
  expect(order).toEqual([1, 0, 3, 2])
})

test('a person who is removed while writing is told so, and the text stays on the page', async () => {
  const { email } = await member(app, team, 'editor', { name: 'Grace' })
  const context = await browser.newContext({ baseURL: app.base, reducedMotion: 'reduce' })
  await signInBrowser(context, { base: app.base, email })
  const grace = await context.newPage()
  await grace.goto('/library/new')
  await grace.getByLabel('Title').fill('Words of Grace')
  await grace.getByRole('textbox', { name: 'Text', exact: true }).fill('All of them.')
  await grace.locator('.autosave-state', { hasText: 'Draft saved' }).waitFor()
  const admin = await signedIn(app, team, 'admin')
  const [row] =
    await app.sql`select id from members where team_id = ${team.id} and email = ${email}`
  await admin.post(`/settings/members/${row?.['id']}/remove`)
  await grace.getByRole('button', { name: 'Add to the library' }).click()
  const dialog = grace.getByRole('dialog', { name: 'Sign in again' })
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Password').fill(testPassword)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByRole('alert').getByText('You are no longer a member of a team.').waitFor()
  await grace.keyboard.press('Escape')
  expect(await grace.getByLabel('Title').inputValue()).toBe('Words of Grace')
  const stored = await grace.evaluate<string>('JSON.stringify({ ...localStorage })')
  expect(stored).toContain('All of them.')
  await close(grace)
})

test('a person who may no longer edit is told so when saving, and the text stays on the page', async () => {
  const { ada, grace } = await openTwice()
  const block = { link: 'Edit The lift works', field: '.rich-text', text: 'Words of Grace' }
  await writeInPlace(grace, block)
  await app.sql`update members set role = 'viewer' where team_id = ${team.id} and name = 'Grace'`
  await save(grace)
  await editor(grace).getByRole('alert').getByText('needs the role').waitFor()
  expect(await editor(grace).locator('.rich-text').textContent()).toContain('Words of Grace')
  await close(ada, grace)
})

for (const deleted of [
  {
    name: 'a section',
    link: 'Section: People',
    field: '[name=heading]',
    remove: (path: string, element: string) => call('DELETE', `${path}/elements/${element}`),
  },
  {
    name: 'a block',
    link: 'The lift works',
    field: '[name=title]',
    remove: async (path: string, _: string, block = '') => {
      const { blocks } = await newsletterAt(path)
      await call('DELETE', `${path}/blocks/${blocks[0].id}`)
      return await call('DELETE', `/content_blocks/${block}`)
    },
  },
]) {
  test(`a person who edits ${deleted.name} that another person deletes is told so, and the text stays on the page`, async () => {
    const block = await blockOf(call, { title: 'The lift works' })
    const path = await newsletterOf(call, [block])
    const section = { type: 'section', heading: 'People' }
    const { json } = await call('POST', `${path}/elements`, section)
    const grace = await open('Grace', path)
    await grace.locator('#blocks').getByRole('link', { name: deleted.link, exact: true }).click()
    await editor(grace).locator(deleted.field).fill('Words of Grace')
    const { status } = await deleted.remove(path, json.element.id, block)
    expect(status).toBeLessThan(300)
    await save(grace)
    await editor(grace).getByRole('alert').waitFor()
    expect(await editor(grace).locator(deleted.field).inputValue()).toBe('Words of Grace')
    const stored = await grace.evaluate<string>('JSON.stringify({ ...localStorage })')
    expect(stored).toContain('Words of Grace')
    await close(grace)
  })
}

/** An editor's open page of a sent newsletter, and the end of an attempt to post it to a chat. */
async function openWithPost() {
  const { id: connectionId } = await createConnection(systemContext(app.forwarder, team.id), {
    adapter: slack,
    given: { signing_secret: 'a secret', bot_token: 'xoxb-1', newsletter_channel: 'C0NEWS' },
  })
  const path = await newsletterOf(call, [await blockOf(call)])
  await send(call, path)
  const page = await open('Ada', '/account')
  // A message that is sent before the page listens is not repeated.
  const listens = page.waitForResponse(`**${path}/live`)
  await page.goto(path)
  await listens
  const newsletter = path.split('/').at(-1) ?? ''
  const postId = `np_${crypto.randomUUID().replaceAll('-', '')}`
  const end = async (status: 'failed' | 'posted') => {
    await app.sql`
      insert into newsletter_posts (id, team_id, newsletter_id, connection_id, channel, created_at, status)
      values (${postId}, ${team.id}, ${newsletter}, ${connectionId}, 'C0NEWS', now(), 'posting')
      on conflict (team_id, id) do update set status = 'posting'`
    const post = { teamId: team.id, postId }
    await endPostAttempt(app.forwarder, post, { status, reason: 'No such channel.' })
  }
  return { page, path, newsletter, end, problem: page.locator('#problems a') }
}

test('a post to a chat that fails appears on the open page of its newsletter, and goes when it is in the channel', async () => {
  const { page, path, end, problem } = await openWithPost()
  await end('failed')
  await problem.waitFor()
  expect(await problem.getAttribute('href')).toBe(`${path}/export#post-to-chat`)
  await end('posted')
  await problem.waitFor({ state: 'detached' })
  await close(page)
})

test('an open page that learns of many posts at once is requested once at a time, and shows the newest state', async () => {
  const { page, path, newsletter, end, problem } = await openWithPost()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const asked = Promise.withResolvers<void>()
  let requests = 0
  await page.route(`**${path}`, async (route) => {
    requests += 1
    const isFirst = requests === 1
    const response = await route.fetch()
    if (isFirst) asked.resolve()
    await (isFirst ? first : second).promise
    await route.fulfill({ response })
  })
  await end('failed')
  await asked.promise
  for (const status of ['failed', 'failed', 'posted'] as const) await end(status)
  // Messages arrive in their order: the page has got those before this one.
  const change = { topic: 'newsletter', team: team.id, newsletter, version: 99, by: null } as const
  await sendChange(app.sql, change)
  await page.getByRole('link', { name: 'Show the changes' }).waitFor()
  expect(requests).toBe(1)
  first.resolve()
  await problem.waitFor()
  second.resolve()
  await problem.waitFor({ state: 'detached' })
  expect(requests).toBe(2)
  await close(page)
})

test('a post to a chat that fails while the page of its newsletter is hidden appears when it is visible again', async () => {
  const { page, end, problem } = await openWithPost()
  await setVisibility(page, 'hidden')
  await end('failed')
  expect(await problem.count()).toBe(0)
  await setVisibility(page, 'visible')
  await problem.waitFor()
  await close(page)
})

test('a post to a chat that fails while its newsletter is open in the background appears when the tab is shown', async () => {
  const { page, end, problem } = await openWithPost()
  await page.addInitScript(
    `Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })`,
  )
  await page.reload()
  await end('failed')
  expect(await problem.count()).toBe(0)
  await setVisibility(page, 'visible')
  await problem.waitFor()
  await close(page)
})
