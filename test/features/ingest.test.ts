import { afterAll, beforeAll, expect, test } from 'bun:test'
import { client, startApp, type TestApp } from '../support/app.ts'

let app: TestApp
let call: ReturnType<typeof client>
beforeAll(async () => {
  app = await startApp()
  call = client(app.base, await app.key(await app.team(), ['write']))
  // What another process does between two statements of a request, and rows that the database refuses.
  await app.sql`
    create function disturb() returns trigger language plpgsql as $$
    begin
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
    create trigger forget after insert on ${app.sql(table)} for each statement execute function disturb()`
  try {
    return await work()
  } finally {
    await app.sql`drop trigger forget on ${app.sql(table)}`
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
})

test('an item whose first block is deleted at the same moment gets 409, and a repetition stores it', async () => {
  const again = item('Deleted', { external_id: 'deleted-1' })
  expect((await call('POST', '/webhooks/ingest', again)).status).toBe(201)
  const during = await whileDeleted('content_blocks', () => call('POST', '/webhooks/ingest', again))
  expect([during.status, during.json.code, during.headers.get('retry-after')]).toEqual([
    409,
    'request_in_progress',
    '1',
  ])
  expect((await call('POST', '/webhooks/ingest', again)).status).toBe(201)
})

test('an item whose first response is deleted at the same moment gets 409, and a repetition stores it', async () => {
  const send = () =>
    call('POST', '/webhooks/ingest', item('Forgotten'), { 'idempotency-key': 'deleted-2' })
  expect((await send()).status).toBe(201)
  const during = await whileDeleted('idempotency_keys', send)
  expect([during.status, during.json.code]).toEqual([409, 'request_in_progress'])
  expect((await send()).status).toBe(201)
})
