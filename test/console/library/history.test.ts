import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Team } from '../../../src/features/teams/index.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { type Person, signedIn } from '../../support/console.ts'
import {
  approvalForm,
  blockOf,
  type Call,
  newsletterOf,
  unlimitedClient,
} from '../../support/newsletters.ts'

let app: TestApp
let team: Team
let call: Call
let ada: Person
let grace: Person
beforeAll(async () => {
  app = await startApp()
  team = await app.team()
  call = await unlimitedClient(app, team)
  ada = await signedIn(app, team, 'editor', { name: 'Ada Lovelace' })
  grace = await signedIn(app, team, 'editor', { name: 'Grace Hopper' })
})
afterAll(() => app.close())
// Also after a test that failed.
afterEach(() => app.sql`update teams set requires_approval = false`.execute())

/** The content of a page without tags, with one space between words. */
const textOf = (html: string) =>
  html
    .slice(html.indexOf('<main'))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')

const block = async (id: string) => (await call('GET', `/content_blocks/${id}`)).json.content_block
const newsletter = async (path: string) => (await call('GET', path)).json.newsletter

/** A block that a program created, and Ada and then a program changed. */
async function changedBlock(): Promise<{ id: string; path: string }> {
  const id = await blockOf(call, {
    title: 'Summer party',
    body: 'On the roof, from six.',
    status: 'draft',
  })
  const form = { title: 'Summer party', body: 'On the roof, from seven.', block_type: 'general' }
  await ada.post(`/library/${id}/edit`, { ...form, version: '1' })
  await call('PATCH', `/content_blocks/${id}`, { title: 'Winter party', block_type: 'poll' })
  return { id, path: `/library/${id}/history` }
}

describe('the history of a block', () => {
  test('the history of a block names who made each version, a person or a program, and what they changed', async () => {
    const { path } = await changedBlock()
    const text = textOf((await grace.get(path)).html)
    expect(text).toMatch(/Title, Type.*Ada Lovelace.*Text.*Created/)
    const keys = await app.sql`select name from api_keys where team_id = ${team.id}`
    expect(keys.some(({ name }) => text.includes(name))).toBe(true)
    const form = { title: 'By hand', body: 'Written in the console.', block_type: 'general' }
    const { location } = await ada.post('/library/new', form)
    expect(textOf((await grace.get(`${location}/history`)).html)).toMatch(/Ada Lovelace.*Created/)
  })

  test('the history of a block shows the words that differ between a version and the one before, or any other one', async () => {
    const { path } = await changedBlock()
    const { html } = await grace.get(`${path}?version=2`)
    expect(html).toMatch(/<del>six<\/del>.*<ins>seven<\/ins>/s)
    expect(html).not.toContain('<del>Summer</del>')
    const all = (await grace.get(`${path}?version=3&with=1`)).html
    expect(all).toMatch(/<del>Summer<\/del>.*<ins>Winter<\/ins>/s)
    expect(all).toMatch(/<del>six<\/del>.*<ins>seven<\/ins>/s)
    expect(all).toContain('<del>General</del>')
    // Before the first version there is none to compare it with.
    const first = (await grace.get(`${path}?version=1`)).html
    expect([all, first].map((page) => page.includes('Compare with'))).toEqual([true, false])
  })

  test('a version is restored as the next version, in the name of the person, with an entry in the audit log', async () => {
    const { id, path } = await changedBlock()
    const { status, location } = await grace.post(`${path}/restore`, { version: '1', current: '3' })
    expect([status, location]).toEqual([303, `/library/${id}`])
    const restored = { title: 'Summer party', body: 'On the roof, from six.', version: 4 }
    expect(await block(id)).toMatchObject({ ...restored, block_type: 'general' })
    expect(textOf((await ada.get(path)).html)).toMatch(/Grace Hopper.*Restores version 1/)
    const entries = await app.sql`
      select action from audit_log where team_id = ${team.id} order by id desc limit 1`
    expect(entries).toMatchObject([{ action: 'block_version_restored' }])
  })

  test('nothing is restored over a change that the person has not seen', async () => {
    const { id, path } = await changedBlock()
    const { location } = await grace.post(`${path}/restore`, { version: '1', current: '2' })
    expect(location).toBe(path)
    expect((await grace.get(path)).html).toContain('Someone else has changed it meanwhile')
    expect(await block(id)).toMatchObject({ title: 'Winter party', version: 3 })
  })

  test('the history of a block names a changed author and link, and restores them', async () => {
    const id = await blockOf(call, { title: 'Party', body: 'At six.', status: 'draft' })
    const form = { title: 'Party', body: 'At six.', block_type: 'general', version: '1' }
    const credit = { author: 'Grace Hopper', source_url: 'https://acme.example/party' }
    await ada.post(`/library/${id}/edit`, { ...form, ...credit })
    await ada.post(`/library/${id}/edit`, { ...form, version: '2', author: '', source_url: '' })
    const path = `/library/${id}/history`
    const { html } = await grace.get(`${path}?version=3`)
    expect(html).toMatch(/<del>Grace Hopper<\/del>.*<del>https:\/\/acme\.example\/party<\/del>/s)
    expect(textOf(html)).toContain('Author, Link')
    await grace.post(`${path}/restore`, { version: '2', current: '3' })
    const origin = { author: 'Grace Hopper', url: 'https://acme.example/party' }
    expect(await block(id)).toMatchObject({ origin, version: 4 })
  })

  test('versions from before authors could be changed leave the author as it is', async () => {
    const item = { title: 'Rye', body: 'Out.', external_id: crypto.randomUUID(), author: 'Mira' }
    const { json } = await call('POST', '/webhooks/ingest', item)
    const { id } = json.content_block
    await call('PATCH', `/content_blocks/${id}`, { title: 'Rye 2' })
    await app.sql`
      update block_versions set content = content - '{author,source_url}'::text[] where block_id = ${id}`
    await call('PATCH', `/content_blocks/${id}`, { title: 'Rye 3' })
    const changes = await app.sql`
      select changes from block_versions where block_id = ${id} and version = 3`
    expect(changes).toMatchObject([{ changes: ['title'] }])
    await ada.post(`/library/${id}/history/restore`, { version: '1', current: '3' })
    expect(await block(id)).toMatchObject({ title: 'Rye', origin: { author: 'Mira' } })
  })

  test('a restored text is not ready without a review, and a ready block stays ready', async () => {
    const { id, path } = await changedBlock()
    await ada.post(`/library/${id}/status`, { to: 'ready', back: '/library' })
    await grace.post(`${path}/restore`, { version: '1', current: '4' })
    expect(await block(id)).toMatchObject({ status: 'ready', title: 'Summer party' })
    expect(textOf((await ada.get(`${path}?version=4`)).html)).toContain('Status Draft Ready')
  })

  test('a new block stores no version, so that ingest does not pay for the history', async () => {
    const id = await blockOf(call, { title: 'New', body: 'New.' })
    const stored = await app.sql`select version from block_versions where block_id = ${id}`
    expect(stored).toHaveLength(0)
    expect((await ada.get(`/library/${id}/history`)).html).toContain('No changes yet')
  })

  test('the history of a block keeps the last 100 versions, however often a block is changed', async () => {
    const id = await blockOf(call, { title: 'Often', body: 'Changed.' })
    await app.sql`update content_blocks set version = 200 where id = ${id}`
    for (const version of [90, 99, 101, 199]) {
      await app.sql`
        insert into block_versions (team_id, block_id, version, content, changes, created_at)
        values (${team.id}, ${id}, ${version}, '{}', '{}', now())`
    }
    await call('PATCH', `/content_blocks/${id}`, { title: 'More often' })
    const left = await app.sql`select version from block_versions where block_id = ${id} order by 1`
    expect(left.map(({ version }) => version)).toEqual([199, 200, 201])
  })

  test('the history of a block survives the deletion of a block that is undone', async () => {
    const { id, path } = await changedBlock()
    await ada.post(`/library/${id}/delete`)
    await ada.post(`/library/${id}/restore`)
    expect(textOf((await ada.get(path)).html)).toContain('Title, Type')
  })

  test('HTML in an old version is sanitized when it is shown', async () => {
    const { id, path } = await changedBlock()
    await app.sql`
      update block_versions set content = content || '{"body": "<p onclick=alert(1)>Old<script>alert(2)</script></p>", "body_format": "html"}'
      where block_id = ${id} and version = 2`
    const { html } = await ada.get(`${path}?version=2`)
    expect(html).not.toContain('onclick')
    expect(html).not.toContain('alert(2)')
  })

  test('a version of another team is not found, and viewers see no history', async () => {
    const { path } = await changedBlock()
    const stranger = await signedIn(app, await app.team(), 'admin')
    expect((await stranger.get(path)).status).toBe(404)
    const restore = await stranger.post(`${path}/restore`, { version: '1', current: '3' })
    expect(restore.status).toBe(404)
    const viewer = await signedIn(app, team, 'viewer')
    expect((await viewer.get(path)).status).toBe(403)
  })
})

describe('the history of a newsletter', () => {
  test('the history of a newsletter shows changed texts, and blocks and headings that were added, moved or removed', async () => {
    const [one, two] = [
      await blockOf(call, { title: 'One' }),
      await blockOf(call, { title: 'Two' }),
    ]
    const path = await newsletterOf(call, [one], { intro: '<p>Hello.</p>' })
    await call('PATCH', path, { intro: '<p>Good morning.</p>' })
    await call('POST', `${path}/blocks`, { content_block_id: two, position: 1 })
    await call('POST', `${path}/elements`, { type: 'section', heading: 'News', before_position: 1 })
    const { html } = await grace.get(`${path}/history`)
    expect(html).toContain('<ins>Section: News')
    const first = (await newsletter(path)).version
    const all = (await grace.get(`${path}/history?version=${first}&with=1`)).html
    expect(all).toMatch(/<del>Hello<\/del>.*<ins>Good morning<\/ins>/s)
    expect(textOf(all)).toMatch(/Section: News Two One/)
  })

  test('a version is restored with its texts, blocks and headings; blocks that were deleted since are left out and counted', async () => {
    const ids = [await blockOf(call, { title: 'One' }), await blockOf(call, { title: 'Two' })]
    const path = await newsletterOf(call, ids, { intro: '<p>Hello.</p>' })
    await call('POST', `${path}/elements`, { type: 'section', heading: 'News', before_position: 2 })
    const { version, blocks, elements } = await newsletter(path)
    await call('PATCH', path, { intro: null, title: 'Other' })
    for (const one of blocks) await call('DELETE', `${path}/blocks/${one.id}`)
    await call('DELETE', `${path}/elements/${elements[0].id}`)
    await call('DELETE', `/content_blocks/${ids[0]}`)
    const current = (await newsletter(path)).version
    const form = { version: String(version), current: String(current) }
    expect((await ada.post(`${path}/history/restore`, form)).location).toBe(path)
    expect((await ada.get(path)).html).toContain('1 block was deleted since')
    const after = await newsletter(path)
    expect(after).toMatchObject({ intro: '<p>Hello.</p>', version: current + 1 })
    expect(after.blocks).toMatchObject([{ position: 1, content_block: { title: 'Two' } }])
    expect(after.elements).toMatchObject([{ heading: 'News', before_position: 1 }])
    expect(textOf((await ada.get(`${path}/history`)).html)).toContain(`Restores version ${version}`)
  })

  test('restoring a version ends an approval, and the person who restored it cannot approve it', async () => {
    const id = await blockOf(call, { title: 'One', status: 'ready' })
    const path = await newsletterOf(call, [id], { subject_line: 'News' })
    await app.sql`update teams set requires_approval = true where id = ${team.id}`
    await call('PATCH', path, { intro: '<p>New.</p>' })
    const { version } = await newsletter(path)
    await ada.post(`${path}/approval`, await approvalForm(ada, path))
    expect((await newsletter(path)).status).toBe('ready')
    const form = { version: String(version - 1), current: String(version + 1) }
    await grace.post(`${path}/history/restore`, form)
    expect((await newsletter(path)).status).toBe('in_progress')
    await grace.post(`${path}/approval`, await approvalForm(grace, path))
    expect((await newsletter(path)).status).toBe('in_progress')
  })

  test('a newsletter that was sent shows its history and restores nothing', async () => {
    const id = await blockOf(call, { title: 'One', status: 'ready' })
    const path = await newsletterOf(call, [id], { subject_line: 'News' })
    for (const status of ['ready', 'sent']) await call('PATCH', path, { status })
    const { html } = await ada.get(`${path}/history?version=1`)
    expect(html).toContain('Version 1')
    expect(html).not.toContain('Restore this version')
    const { version } = await newsletter(path)
    await ada.post(`${path}/history/restore`, { version: '1', current: String(version) })
    expect(await newsletter(path)).toMatchObject({ status: 'sent', version })
  })
})
