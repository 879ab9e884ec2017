import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../../support/app.ts'
import { signedIn } from '../../support/console.ts'
import { blockOf, newsletterOf, send, unlimitedClient } from '../../support/newsletters.ts'

let nowMs = Date.now()
let app: TestApp
beforeAll(async () => {
  app = await startApp({ now: () => new Date(nowMs) })
})
afterAll(async () => {
  await app.close()
})

const button = 'Undo “Mark as sent”'

/** A newsletter with one block that was marked as sent just now. */
async function sentNewsletter() {
  const team = await app.team()
  const editor = await signedIn(app, team, 'editor')
  const call = await unlimitedClient(app, team)
  const block = await blockOf(call)
  const path = await newsletterOf(call, [block])
  await send(call, path)
  await editor.get(path)
  return { team, editor, call, block, path }
}

const statusOf = async (call: Awaited<ReturnType<typeof unlimitedClient>>, block: string) =>
  (await call('GET', `/content_blocks/${block}`)).json.content_block.status

test('“Mark as sent” can be undone: the newsletter and its blocks are ready and can be changed again', async () => {
  const { editor, call, block, path } = await sentNewsletter()
  expect((await editor.get(path)).html).toContain(button)
  expect((await editor.post(`${path}/undo-send`)).location).toBe(path)
  const { newsletter } = (await call('GET', path)).json
  expect(newsletter).toMatchObject({ status: 'ready', sent_at: null })
  expect(
    newsletter.blocks.map(
      ({ content_block }: { content_block: { id: string } }) => content_block.id,
    ),
  ).toEqual([block])
  expect(await statusOf(call, block)).toBe('ready')
  expect((await call('PATCH', path, { title: 'Corrected' })).status).toBe(200)
  await send(call, path)
  expect(await statusOf(call, block)).toBe('used')
})

test('after ten minutes “Mark as sent” cannot be undone', async () => {
  const { editor, call, path } = await sentNewsletter()
  nowMs += 10 * 60_000
  expect((await editor.get(path)).html).not.toContain(button)
  await editor.post(`${path}/undo-send`)
  expect((await editor.get(path)).html).toContain('more than ten minutes ago')
  expect((await call('GET', path)).json.newsletter.status).toBe('sent')
})

test('“Mark as sent” is not undone when a block was deleted since, and nothing changes', async () => {
  const { editor, call, block, path } = await sentNewsletter()
  expect((await call('DELETE', `/content_blocks/${block}`)).status).toBe(204)
  await editor.post(`${path}/undo-send`)
  expect((await editor.get(path)).html).toContain('One of its blocks was deleted')
  const { newsletter } = (await call('GET', path)).json
  expect(newsletter).toMatchObject({ status: 'sent', blocks_count: 1 })
})

test('a block that another newsletter was sent with stays used when “Mark as sent” is undone', async () => {
  const { editor, call, block, path } = await sentNewsletter()
  await call('PATCH', `/content_blocks/${block}`, { status: 'ready' })
  await send(call, await newsletterOf(call, [block], { title: 'December' }))
  await editor.post(`${path}/undo-send`)
  expect((await call('GET', path)).json.newsletter.status).toBe('ready')
  expect(await statusOf(call, block)).toBe('used')
})

test('two people who undo “Mark as sent” at once undo it once', async () => {
  const { team, editor, call, path } = await sentNewsletter()
  const colleague = await signedIn(app, team, 'editor')
  await colleague.get(path)
  await Promise.all([editor, colleague].map((person) => person.post(`${path}/undo-send`)))
  expect((await call('GET', path)).json.newsletter.status).toBe('ready')
  const entries = await app.sql`
    select from audit_log where team_id = ${team.id} and action = 'newsletter_send_undone'`
  expect(entries).toHaveLength(1)
})
