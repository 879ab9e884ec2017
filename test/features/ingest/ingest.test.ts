import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Team } from '../../../src/features/teams/index.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'

let app: TestApp
let team: Team
let call: ReturnType<typeof client>
beforeAll(async () => {
  app = await startApp()
  team = await app.team()
  call = client(app.base, await app.key(team, ['write']))
  // What another process does between two statements of a request, and rows that the database refuses.
  await app.sql`
    create function disturb() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then raise exception 'refused'; end if;
      if tg_level = 'ROW' then
        if new.title like 'Refused%' then raise exception 'refused'; end if;
        return new;
      end if;
      delete from content_blocks where external_id like 'deleted-%';
      delete from idempotency_keys where key like 'deleted-%';
      return null;
    end $$`
  await app.sql`
    create trigger refuse before insert on content_blocks for each row execute function disturb()`
})
afterAll(() => app.close())

const item = (title: string, more: object = {}) => ({ title, body: 'Text.', ...more })
const statuses = (json: { results: { status: number }[] }) =>
  json.results.map(({ status }) => status)

/** Runs `work` while another process deletes, after each insert, the rows whose key begins with `deleted-`. */
async function whileDeleted<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
  await app.sql`
    create trigger delete_stored after insert on ${app.sql(table)} for each statement execute function disturb()`
  try {
    return await work()
  } finally {
    await app.sql`drop trigger delete_stored on ${app.sql(table)}`
  }
}

test('an item that the database refuses fails alone, and the other items of its batch are stored', async () => {
  const items = [
    item('First'),
    item('Refused'),
    item('Third', { external_id: 'third' }),
    item('Fourth', { external_id: 'fourth', idempotency_key: 'fourth' }),
  ]
  const first = await call('POST', '/webhooks/ingest/bulk', { items })
  expect(statuses(first.json)).toEqual([201, 500, 201, 201])
  expect(await app.sql`select title from content_blocks order by title`).toMatchObject([
    { title: 'First' },
    { title: 'Fourth' },
    { title: 'Third' },
  ])
  expect((await call('POST', '/webhooks/ingest', item('Refused'))).status).toBe(500)
  const two = await call('POST', '/webhooks/ingest/bulk', {
    items: [item('Fifth'), item('Refused')],
  })
  expect(statuses(two.json)).toEqual([201, 500])
})

test('an item whose first block is deleted at the same moment gets 409, and a repetition stores it', async () => {
  const again = item('Deleted', { external_id: 'deleted-1' })
  expect((await call('POST', '/webhooks/ingest', again)).status).toBe(201)
  const bulk = () => call('POST', '/webhooks/ingest/bulk', { items: [again] })
  const during = await whileDeleted('content_blocks', bulk)
  expect(during.json.results).toMatchObject([
    { status: 409, problem: { code: 'request_in_progress' } },
  ])
  expect((await call('POST', '/webhooks/ingest', again)).status).toBe(201)
})

test('an item whose first response is deleted at the same moment gets 409, and a repetition stores it', async () => {
  const send = () =>
    call('POST', '/webhooks/ingest', item('Deleted response'), { 'idempotency-key': 'deleted-2' })
  expect((await send()).status).toBe(201)
  const during = await whileDeleted('idempotency_keys', send)
  expect([during.status, during.json.code]).toEqual([409, 'request_in_progress'])
  expect((await send()).status).toBe(201)
})

describe('known items', () => {
  const known = (id: string) => item('Known', { external_id: id })
  const under = (key: string, id: string) =>
    call('POST', '/webhooks/ingest', known(id), { 'idempotency-key': key })

  test('a known item under a new Idempotency-Key gets the first block, and a repetition gets the same response again', async () => {
    const first = await call('POST', '/webhooks/ingest', known('known-1'))
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null])
    const second = await under('again', 'known-1')
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, null])
    const third = await under('again', 'known-1')
    expect([third.status, third.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    for (const { json } of [second, third]) {
      expect(json).toMatchObject({
        duplicate: true,
        content_block: { id: first.json.content_block.id },
      })
    }
  })

  test('a known item under a new Idempotency-Key leaves the key free when the response cannot be stored', async () => {
    const first = await call('POST', '/webhooks/ingest', known('known-2'))
    await app.sql`
      create trigger refuse before update on idempotency_keys for each row execute function disturb()`
    expect((await under('refused', 'known-2')).status).toBe(500)
    await app.sql`drop trigger refuse on idempotency_keys`
    const again = await under('refused', 'known-2')
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect(again.json.content_block.id).toBe(first.json.content_block.id)
  })
})

test('an error under an Idempotency-Key stays its response after the request has become valid', async () => {
  const key = await app.key(team, ['write'], { allow_auto_ready: false })
  const send = () =>
    client(app.base, key)('POST', '/webhooks/ingest', item('Ready', { auto_ready: true }), {
      'idempotency-key': 'early',
    })
  const first = await send()
  expect(first.status).toBe(403)
  await app.sql`update api_keys set allow_auto_ready = true where prefix = ${key.slice(0, 14)}`
  const again = await send()
  expect([again.status, again.json.detail]).toEqual([403, first.json.detail])
})

test('Markdown that shows nothing is refused with a message about its content', async () => {
  const { status, json } = await call('POST', '/webhooks/ingest', {
    ...item('Nothing'),
    body: '[](https://news.test)',
    body_format: 'markdown',
  })
  expect([status, json.errors?.[0]?.message ?? json.detail]).toEqual([422, 'body has no content'])
})
