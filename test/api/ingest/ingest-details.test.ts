import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { findJsonError } from '../../../src/api/errors/json-error.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { growthOf, maxLinearGrowth } from '../../support/growth.ts'

let app: TestApp
let call: ReturnType<typeof client>
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
// A key each, so that no test meets another's rate limit.
beforeEach(async () => {
  call = client(app.base, await app.key(await app.team(), ['read', 'write']))
})

test.each([
  ['a comma after the last member', '{\n  "title": "x",\n}', 3, 1],
  ['a name without quotes', '{\n  "title": "x",\n  body: "y"}', 3, 3],
  ['a missing bracket', '{"title": "x"', 1, 14],
  ['a line break in a string', '{"title": "🎉", "body": "one\ntwo"}', 1, 24],
  ['a template that was not filled in', '{"title": {{title}}}', 1, 12],
])(
  'a body that is not JSON because of %s gets 400 with its line and column',
  async (_, body, line, column) => {
    const { status, json } = await call('POST', '/webhooks/ingest', body)
    expect(status).toBe(400)
    expect(json).toMatchObject({ code: 'invalid_json', line, column })
    expect(json.detail).toContain(`at line ${line}, column ${column}`)
  },
)

test('the time to find where a body is not JSON grows linearly with its length', async () => {
  const broken = (size: number) => findJsonError(`{"a": ["x" "\\"",${'"y" "z",\n'.repeat(size)}`)
  expect(await growthOf(broken, 2_000)).toBeLessThan(maxLinearGrowth)
})

test('a title of zero-width characters gets 422, and one with an emoji of several characters does not', async () => {
  const post = (title: string) => call('POST', '/webhooks/ingest', { title, body: 'Text.' })
  for (const title of ['\u200b', '\u2060\ufeff\u200d', '\u00ad \u3164', '\u2800', '\ufe0f']) {
    expect((await post(title)).json).toMatchObject({ status: 422, detail: 'title is required' })
  }
  for (const title of ['👩‍👩‍👧', '❤️', '1️⃣', 'ß', '東', '!', '\u200bx']) {
    expect((await post(title)).status).toBe(201)
  }
})

test('a response of the ingest webhook has the ETag of its block, with which the block can be changed', async () => {
  const item = { title: 'A win', body: 'Text.', external_id: 'etag-1' }
  const first = await call('POST', '/webhooks/ingest', item)
  const path = `/content_blocks/${first.json.content_block.id}`
  const ifMatch = (tag: string | null) => ({ 'if-match': tag ?? '' })
  const changed = await call('PATCH', path, { title: 'B' }, ifMatch(first.headers.get('etag')))
  expect([first.headers.get('etag'), changed.status]).toEqual(['"v1"', 200])
  const late = await call('PATCH', path, { title: 'C' }, ifMatch(first.headers.get('etag')))
  expect(late.status).toBe(412)
  const again = await call('POST', '/webhooks/ingest', item)
  expect([again.status, again.headers.get('etag')]).toEqual([200, '"v2"'])
  const dryRun = await call('POST', '/webhooks/ingest?dry_run=true', item)
  expect(dryRun.headers.get('etag')).toBeNull()
})

test('the number of a page of a list is null when a cursor leads to it', async () => {
  for (const title of ['one', 'two']) await call('POST', '/webhooks/ingest', { title, body: 'x' })
  const first = await call('GET', '/content_blocks?per_page=1')
  const next = await call('GET', `/content_blocks?per_page=1&after=${first.json.meta.next_cursor}`)
  expect([first.json.meta.page, next.json.meta.page]).toEqual([1, null])
})
