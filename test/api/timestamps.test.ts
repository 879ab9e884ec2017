import { afterAll, beforeAll, expect, test } from 'bun:test'
import { client, startApp, type TestApp } from '../support/app.ts'

let app: TestApp
let call: ReturnType<typeof client>
beforeAll(async () => {
  app = await startApp()
  call = client(app.base, await app.key(await app.team(), ['read', 'write']))
})
afterAll(() => app.close())

test.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00'])(
  'the time %s, which PostgreSQL cannot store, is refused with the name of its field',
  async (time) => {
    const item = { title: 'A win', body: 'We did it.', publish_after: time }
    for (const path of ['/content_blocks', '/webhooks/ingest']) {
      expect((await call('POST', path, item)).json).toMatchObject({
        status: 422,
        fields: [{ pointer: '/publish_after' }],
      })
    }
    const query = new URLSearchParams({ updated_after: time })
    expect((await call('GET', `/content_blocks?${query}`)).status).toBe(422)
  },
)

test('a time is read as RFC 3339 writes it, and a leap second is the second after it', async () => {
  const item = { title: 'A win', body: 'We did it.' }
  const path = `/content_blocks/${(await call('POST', '/content_blocks', item)).json.content_block.id}`
  for (const [time, stored] of [
    ['2027-01-31t09:00:00z', '2027-01-31T09:00:00.000Z'],
    ['2027-01-31T09:00:00.25z', '2027-01-31T09:00:00.250Z'],
    ['2027-01-31T09:00:00.5+00:00', '2027-01-31T09:00:00.500Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['1990-12-31T15:59:60.5-08:00', '1991-01-01T00:00:00.500Z'],
  ]) {
    const { json } = await call('PATCH', path, { publish_after: time })
    expect(json.content_block.publish_after).toBe(stored)
  }
  for (const time of ['2016-12-31T12:30:60Z', '2016-12-30T23:59:60Z', '2016-12-31T23:59:61Z']) {
    const { json } = await call('PATCH', path, { publish_after: time })
    expect(json.errors).toEqual(['publish_after must be a time such as 2027-01-31T09:00:00Z'])
  }
})

test('a time in a query is read with the plus of its zone, also when the plus is not percent-encoded', async () => {
  const item = { title: 'A win', body: 'We did it.' }
  const { id, created_at } = (await call('POST', '/content_blocks', item)).json.content_block
  const inZone = (ms: number) =>
    new Date(Date.parse(created_at) + ms + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
  const idsFrom = async (ms: number) => {
    const { json } = await call('GET', `/content_blocks?created_after=${inZone(ms)}`)
    return json.content_blocks.map((block: { id: string }) => block.id)
  }
  expect(await idsFrom(0)).toContain(id)
  expect(await idsFrom(1000)).not.toContain(id)
  expect((await call('GET', '/content_blocks?created_after=2027-01-31+09:00:00Z')).status).toBe(422)
})

test.each([
  ['2023-02-29', 'a day that exists'],
  ['1900-02-29', 'a day that exists'],
  ['2026-13-01', 'a day that exists'],
  ['2100-01-01', 'in the years 1900 to 2099'],
  ['01.12.2026', 'a date such as 2027-01-31'],
  ['2026-12-01T00:00:00Z', 'a date such as 2027-01-31'],
])('the date %s is refused, and the error says that it must be %s', async (date, what) => {
  const sent = { title: 'Week 48', scheduled_date: date }
  const { json } = await call('POST', '/newsletters', sent)
  expect(json.errors).toEqual([`scheduled_date must be ${what}`])
})

test('a time long ago is the same in every response, in whichever time zone PostgreSQL is', async () => {
  const [row] = await app.sql<{ name: string }[]>`select current_database() as name`
  const database = app.sql(row?.name ?? '')
  await app.sql`alter database ${database} set timezone to 'Europe/Berlin'`
  const inBerlin = await startApp({ on: app })
  try {
    const key = await app.key(await app.team(), ['read', 'write'])
    const berlin = client(inBerlin.base, key)
    for (const time of ['0001-01-01', '0050-03-01', '1880-06-01'].map(
      (day) => `${day}T00:00:00.000Z`,
    )) {
      const item = { title: 'A win', body: 'We did it.', publish_after: time }
      const { json } = await berlin('POST', '/webhooks/ingest', item)
      const alone = await berlin('GET', `/content_blocks/${json.content_block.id}`)
      const list = await berlin('GET', '/content_blocks?per_page=1')
      const blocks = [json.content_block, alone.json.content_block, list.json.content_blocks[0]]
      expect(blocks.map(({ publish_after }) => publish_after)).toEqual([time, time, time])
    }
  } finally {
    await inBerlin.close()
    await app.sql`alter database ${database} reset timezone`
  }
})

test('a block is the same in a list and by itself, however many digits its times have', async () => {
  const ids: string[] = []
  for (const digits of ['', '.1', '.12', '.123', '.123456']) {
    const { json } = await call('POST', '/content_blocks', { title: 'A win', body: 'We did it.' })
    const time = `2026-11-20T09:30:00${digits}Z`
    await app.sql`
      update content_blocks set created_at = ${time}::text::timestamptz, updated_at = ${time}::text::timestamptz,
        image_url = 'https://acme.example/a.png', image_focal_x = 0.5, author = 'Ada', publish_after = ${time}::text::timestamptz
      where id = ${json.content_block.id}`
    ids.unshift(json.content_block.id)
  }
  const { json } = await call('GET', '/content_blocks?per_page=5')
  for (const [n, id] of ids.entries()) {
    const alone = await call('GET', `/content_blocks/${id}`)
    expect(json.content_blocks[n]).toEqual(alone.json.content_block)
  }
})
