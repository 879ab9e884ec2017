import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { folderStorage, purgeImages, s3Storage } from '../../../src/features/images/index.ts'
import { updateUnreferenced } from '../../../src/features/images/purge/sql.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { purgeVersions } from '../../../src/features/versions/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { connect, type Sql, transaction } from '../../../src/lib/database/db.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { photo } from '../../support/hostile/hostile-images.ts'
import { startS3 } from '../../support/providers/s3.ts'
import { temporaryFolder } from '../../support/run/test-run.ts'

const dayMs = 24 * 60 * 60 * 1000

let app: TestApp
let team: Team
let call: ReturnType<typeof client>

beforeAll(async () => {
  app = await startApp()
  team = await app.team()
  call = client(app.base, await app.key(team, ['write', 'read']))
})
afterAll(() => app.close())

async function upload(by = call): Promise<{ url: string; path: string }> {
  const image = `data:;base64,${(await photo()).toString('base64')}`
  const { url } = (await by('POST', '/images', { image, alt: 'A photo' })).json.image
  return { url, path: new URL(url).pathname }
}

const statusOf = async ({ path }: { path: string }) => (await fetch(app.base + path)).status

/** Runs the nightly purge, `days` days from now. */
async function purgeAfter(days: number): Promise<void> {
  const now = () => new Date(Date.now() + days * dayMs)
  await purgeImages({ sql: app.sql, now, storage: app.images.storage })
}

test('an image is deleted 30 days after the last block that used it, now or in its history, unless it was sent', async () => {
  const [unused, asImage, inBody, sent] = [
    await upload(),
    await upload(),
    await upload(),
    await upload(),
  ]
  const title = 'A block'
  const withImage = { title, body: 'Text.', image_url: asImage.url }
  const block = (await call('POST', '/content_blocks', withImage)).json.content_block
  await call('POST', '/content_blocks', { title, body: `<p>Look:</p><img src="${inBody.url}">` })
  await send(sent.url)
  await purgeAfter(0)
  await purgeAfter(29)
  expect(await statusOf(unused)).toBe(200)
  await purgeAfter(31)
  expect(await Promise.all([unused, asImage, inBody, sent].map(statusOf))).toEqual([
    404, 200, 200, 200,
  ])
  await call('PATCH', `/content_blocks/${block.id}`, { image_url: null })
  await purgeAfter(40)
  await purgeAfter(71)
  expect(await statusOf(asImage)).toBe(200)
  await call('DELETE', `/content_blocks/${block.id}`)
  await purgeVersions({ sql: app.sql, now: systemClock })
  await purgeAfter(80)
  await purgeAfter(109)
  expect(await statusOf(asImage)).toBe(200)
  await purgeAfter(111)
  expect(await Promise.all([asImage, inBody, sent].map(statusOf))).toEqual([404, 200, 200])
})

/** Sends a newsletter with one block and deletes the block. */
async function send(imageUrl: string): Promise<void> {
  const body = { title: 'Sent', body: 'Text.', image_url: imageUrl, status: 'ready' }
  const block = (await call('POST', '/content_blocks', body)).json.content_block
  const input = { title: 'A newsletter', subject_line: 'News' }
  const { id } = (await call('POST', '/newsletters', input)).json.newsletter
  await call('POST', `/newsletters/${id}/blocks`, { content_block_id: block.id })
  const { html } = (await call('GET', `/newsletters/${id}/preview`)).json.preview
  expect(html).toContain(imageUrl)
  expect(html).toContain('alt="A photo"')
  await call('PATCH', `/newsletters/${id}`, { status: 'ready' })
  const { json } = await call('PATCH', `/newsletters/${id}`, { status: 'sent' })
  expect(json.newsletter.status).toBe('sent')
  expect((await call('DELETE', `/content_blocks/${block.id}`)).status).toBe(204)
}

test('an image that is uploaded again is stored for another 30 days', async () => {
  const image = `data:;base64,${(await photo()).toString('base64')}`
  const first = (await call('POST', '/images', { image })).json.image
  await purgeAfter(0)
  await call('POST', '/images', { image })
  await purgeAfter(31)
  expect(await statusOf({ path: new URL(first.url).pathname })).toBe(200)
})

test('the file of an image stays while another team has the same image', async () => {
  const image = `data:;base64,${(await photo()).toString('base64')}`
  const other = await app.team()
  const otherCall = client(app.base, await app.key(other, ['write']))
  const { url } = (await call('POST', '/images', { image })).json.image
  await otherCall('POST', '/images', { image })
  const block = { title: 'x', body: 'Text.', image_url: url }
  await otherCall('POST', '/content_blocks', block)
  await purgeAfter(0)
  await purgeAfter(31)
  expect(await statusOf({ path: new URL(url).pathname })).toBe(200)
  const rows =
    await app.sql`select team_id from images where hash = ${/[0-9a-f]{64}/.exec(url)?.[0] ?? ''}`
  expect(rows.map(({ team_id }) => team_id)).toEqual([other.id])
})

test('the purge does not compare each image of a team with each reference', async () => {
  let plan = ''
  const explaining = async (parts: TemplateStringsArray, ...values: string[]) => {
    const [first = '', ...others] = parts
    const statement = Object.assign([`explain ${first}`, ...others], { raw: parts.raw })
    plan = JSON.stringify(await app.sql(statement, ...values))
  }
  const input = { referenced: ['0'.repeat(64)], at: new Date() }
  await updateUnreferenced(explaining as unknown as Sql, team.id, input)
  expect(plan).toContain('hashed SubPlan')
})

test('a team whose images cannot be cleaned up does not stop the cleanup of the other teams', async () => {
  const teams = [await app.team(), await app.team()]
  const [first, second] = teams.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const imageOf = async (owner: Team | undefined) =>
    await upload(client(app.base, await app.key(owner ?? team, ['write'])))
  const [locked, due] = [await imageOf(first), await imageOf(second)]
  await purgeAfter(0)
  const sql = connect(app.database.address, {
    name: 'tidings test',
    session: { lock_timeout: 100 },
  })
  const now = () => new Date(Date.now() + 31 * dayMs)
  await transaction(app.sql, async (tx) => {
    await tx`select from images where team_id = ${first?.id ?? ''} for update`
    const failed = purgeImages({ sql, now, storage: app.images.storage })
    expect(await failed.catch(({ code }) => code)).toBe('database_unavailable')
  })
  await sql.end()
  expect(await Promise.all([locked, due].map(statusOf))).toEqual([200, 404])
})

test('references to images are found in more texts than one statement reads', async () => {
  const image = await upload()
  await call('POST', '/content_blocks', { title: 'x', body: 'Text.', image_url: image.url })
  await app.sql`
    insert into content_blocks (id, team_id, title, body, body_format, block_type, status, source, created_at, updated_at)
    select 'cb_' || lpad(n::text, 32, '0'), ${team.id}, 'x', 'About /media/.', 'text', 'general', 'draft', 'webhook', now(), now()
    from generate_series(1, 400) n`
  const [other] = await app.sql<[{ id: string }]>`
    select id from content_blocks where team_id = ${team.id} order by id limit 1`
  const inVersion = await upload()
  await app.sql`
    insert into block_versions (team_id, block_id, version, content, changes, created_at)
    select ${team.id}, ${other.id}, n, jsonb_build_object('image_url', case when n = 401 then ${inVersion.url} else '/media/x' end), '{}', now()
    from generate_series(1, 401) n`
  await purgeAfter(0)
  await purgeAfter(31)
  expect(await Promise.all([image, inVersion].map(statusOf))).toEqual([200, 200])
})

test('a block cannot keep or show an image of another team', async () => {
  const other = await app.team()
  const image = await upload(client(app.base, await app.key(other, ['write'])))
  await call('POST', '/content_blocks', { title: 'x', body: 'Text.', image_url: image.url })
  await purgeAfter(0)
  await purgeAfter(31)
  expect(await statusOf(image)).toBe(404)
})

test('files without an image are deleted after a day, and parts of files too', async () => {
  const folder = await temporaryFolder('media')
  const storage = folderStorage(folder)
  const names = ['a', 'b'].map((digit) => `${digit.repeat(64)}.png`)
  for (const name of names) await storage.write(name, Buffer.from('x'), 'image/png')
  const [old = ''] = names
  await Bun.write(join(folder, 'aa', 'incoming-1'), 'half')
  const past = new Date(Date.now() - 2 * dayMs)
  await utimes(join(folder, 'aa', old), past, past)
  await utimes(join(folder, 'aa', 'incoming-1'), past, past)
  await purgeImages({ sql: app.sql, now: systemClock, storage })
  expect(await readdir(join(folder, 'aa'))).toEqual([])
  expect(await storage.read(names[1] ?? '')).not.toBeNull()
})

test('images can be in an S3-compatible store instead of a folder', async () => {
  // Two files a page, so that a list needs several requests.
  const store = startS3({ pageSize: 2 })
  const storage = s3Storage(store.settings)
  const names = ['c', 'd', 'e'].map((digit) => `${digit.repeat(64)}.jpg`)
  for (const name of names) await storage.write(name, Buffer.from(`of ${name}`), 'image/jpeg')
  const [first = ''] = names
  expect(Buffer.from((await storage.read(first)) ?? []).toString()).toBe(`of ${first}`)
  expect(await storage.read(`${'f'.repeat(64)}.jpg`)).toBeNull()
  const listed = await Array.fromAsync(storage.list())
  expect(listed.map(({ name }) => name)).toEqual(names)
  await purgeImages({ sql: app.sql, now: systemClock, storage })
  expect([...store.objects.keys()]).toEqual([])
  await store.close()
})
