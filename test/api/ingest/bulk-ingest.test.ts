import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createIngest } from '../../../src/features/ingest/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

let app: TestApp
let team: Team
let call: ReturnType<typeof client>
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
// A key each, so that no test meets another's rate limit.
beforeEach(async () => {
  team = await app.team()
  call = client(app.base, await app.key(team, ['write']))
})

const path = '/webhooks/ingest/bulk'
const itemsOf = (count: number, more: (n: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, n) => ({ title: `Item ${n}`, body: 'Text.', ...more(n) }))
const statuses = (json: { results: { status: number }[] }) =>
  json.results.map(({ status }) => status)
const repeated = (status: number, count: number) => Array<number>(count).fill(status)

async function storedBlocks(): Promise<number> {
  const [row] = await app.sql<{ n: number }[]>`
    select count(*)::int as n from content_blocks where team_id = ${team.id}`
  return row?.n ?? 0
}

describe('POST /webhooks/ingest/bulk', () => {
  test('POST /webhooks/ingest/bulk stores good items and refuses bad ones, each with the result of a single request', async () => {
    const first = await call('POST', '/webhooks/ingest', {
      title: 'Known',
      body: 'Text.',
      external_id: 'known-1',
    })
    const { status, json } = await call('POST', path, {
      items: [
        { title: 'New', body: '<p>Text</p>', body_format: 'html', author: '', from: 'a tool' },
        { title: 'Known', body: 'Text.', external_id: 'known-1' },
        { body: 'Without a title.', block_type: 'unheard' },
        'not an object',
        { title: 'Nothing', body: '![]()', body_format: 'markdown' },
        { title: 'Soon', body: 'Text.', event_slug: 'no-such-event' },
      ],
    })
    expect(status).toBe(200)
    expect(statuses(json)).toEqual([201, 200, 422, 422, 422, 201])
    expect(json.meta).toEqual({ created: 2, duplicates: 1, failed: 3, rate_limited: 0 })
    expect(json.results[0]).toMatchObject({ duplicate: false, content_block: { title: 'New' } })
    expect(json.results[1]).toMatchObject({
      duplicate: true,
      content_block: { id: first.json.content_block.id },
    })
    const pointers = json.results.flatMap((one: { problem?: { fields: { pointer: string }[] } }) =>
      (one.problem?.fields ?? []).map(({ pointer }) => pointer),
    )
    expect(pointers).toEqual(['/items/2/title', '/items/2/block_type', '/items/3', '/items/4/body'])
    expect(json.results[3].problem.detail).toBe('the item must be a JSON object')
    expect(json.results[5].warnings[0]).toContain('no-such-event')
    expect(await storedBlocks()).toBe(3)
  })

  test('POST /webhooks/ingest/bulk accepts 1 to 100 items in at most 1 MiB', async () => {
    for (const body of [{}, { items: [] }, { items: itemsOf(101) }, { items: 'text' }]) {
      expect((await call('POST', path, body)).status).toBe(422)
    }
    const large = itemsOf(16, () => ({ body: 'x'.repeat(64 * 1024) }))
    expect((await call('POST', path, { items: large })).status).toBe(413)
    const full = itemsOf(15, () => ({ body: 'x'.repeat(64 * 1024) }))
    expect(statuses((await call('POST', path, { items: full })).json)).toEqual(repeated(201, 15))
    expect(await storedBlocks()).toBe(15)
  })

  test('POST /webhooks/ingest/bulk counts the results of a dry run as they would be', async () => {
    await call('POST', '/webhooks/ingest', { ...itemsOf(1)[0], external_id: 'known' })
    const items = [
      ...itemsOf(2, (n) => ({ external_id: `new-${n}` })),
      ...itemsOf(2, () => ({ external_id: 'twice' })),
      ...itemsOf(1, () => ({ external_id: 'known' })),
      ...itemsOf(1, () => ({ title: '' })),
    ]
    const dry = await call('POST', `${path}?dry_run=true`, { items })
    const real = await call('POST', path, { items })
    const duplicates = (json: { results: { duplicate?: boolean }[] }) =>
      json.results.map(({ duplicate }) => duplicate)
    expect(duplicates(dry.json)).toEqual([false, false, false, true, true, undefined])
    expect(duplicates(real.json)).toEqual(duplicates(dry.json))
    expect(dry.json.meta).toEqual({ created: 3, duplicates: 2, failed: 1, rate_limited: 0 })
    expect(real.json.meta).toEqual(dry.json.meta)
  })

  test('POST /webhooks/ingest/bulk takes items with one idempotency_key in a dry run for what they would be', async () => {
    await call('POST', path, { items: itemsOf(1, () => ({ idempotency_key: 'known' })) })
    const item = (title: string, idempotency_key: string, external_id?: string) => ({
      title,
      body: 'Text.',
      idempotency_key,
      ...(external_id && { external_id }),
    })
    const items = [
      item('One', 'a'),
      item('One', 'a'),
      item('Two', 'a', 'ticket'),
      item('Three', 'b', 'ticket'),
      item('Four', 'c', 'ticket'),
      item('Four', 'c', 'ticket'),
      item('Five', 'c', 'ticket'),
      item('Item 0', 'known'),
      item('Six', 'known'),
    ]
    const dry = await call('POST', `${path}?dry_run=true`, { items })
    const real = await call('POST', path, { items })
    const reused = 'idempotency_key_reused'
    const kinds = (json: { results: { duplicate?: boolean; problem?: { code: string } }[] }) =>
      json.results.map(({ duplicate, problem }) => problem?.code ?? duplicate)
    expect(kinds(real.json)).toEqual([false, true, reused, false, true, true, reused, true, reused])
    expect(kinds(dry.json)).toEqual(kinds(real.json))
    expect(dry.json.meta).toEqual(real.json.meta)
    const blocks = dry.json.results.map(
      (one: { content_block?: { id: string } }) => one.content_block?.id,
    )
    expect([blocks[1], blocks[4], blocks[5]]).toEqual([blocks[0], blocks[3], blocks[3]])
  })

  test('POST /webhooks/ingest/bulk stores nothing in a dry run and shows the blocks as they would be', async () => {
    const { json } = await call('POST', `${path}?dry_run=true`, {
      items: [...itemsOf(2), { title: '', body: 'x' }],
    })
    expect(statuses(json)).toEqual([200, 200, 422])
    expect(json.results[1].content_block.title).toBe('Item 1')
    expect(await storedBlocks()).toBe(0)
  })

  test('POST /webhooks/ingest/bulk lets each item obey the restrictions of its key', async () => {
    const options = { ingest_only: true, allow_auto_ready: false }
    const limited = client(app.base, await app.key(team, ['write'], options))
    const { json } = await limited('POST', path, {
      items: itemsOf(3, (n) => ({ auto_ready: n === 1 })),
    })
    expect(statuses(json)).toEqual([201, 403, 201])
    expect(json.results[1].problem).toMatchObject({ required_option: 'allow_auto_ready' })
  })

  test('POST /webhooks/ingest/bulk stores none of the items once its key is revoked', async () => {
    const ingest = createIngest({ sql: app.sql, now: systemClock, renderMarkdown: String })
    const key = await app.key(team, ['write'])
    await app.sql`update api_keys set revoked_at = now() where prefix = ${key.slice(0, 14)}`
    const [row] = await app.sql<{ id: string }[]>`
      select id from api_keys where prefix = ${key.slice(0, 14)}`
    const caller = {
      keyId: row?.id ?? '',
      firstKeyId: row?.id ?? '',
      teamId: team.id,
      keyName: 'test key',
      allowAutoReady: true,
      provider: null,
    }
    const items = itemsOf(3).map((item) => ({ item, idempotencyKey: null }))
    const outcomes = await ingest.storeAll(caller, items)
    expect(outcomes).toMatchObject(
      Array.from({ length: 3 }, () => ({ error: { code: 'revoked_key' } })),
    )
    expect((await client(app.base, key)('POST', path, { items: itemsOf(3) })).status).toBe(401)
    expect(await storedBlocks()).toBe(0)
  })
})

describe('repeated bulk requests', () => {
  test('a bulk request that is sent again stores no item twice that has an external_id or an idempotency_key', async () => {
    const items = [
      { title: 'By id', body: 'Text.', external_id: 'one' },
      { title: 'By key', body: 'Text.', idempotency_key: 'two' },
      { title: 'Twice in one request', body: 'Text.', external_id: 'one' },
    ]
    const first = await call('POST', path, { items })
    expect(statuses(first.json)).toEqual([201, 201, 200])
    const second = await call('POST', path, { items })
    expect(statuses(second.json)).toEqual([200, 200, 200])
    expect(second.json.results[1].content_block).toEqual(first.json.results[1].content_block)
    expect(await storedBlocks()).toBe(2)
  })

  test('a bulk request that is sent again with an Idempotency-Key header stores each position once, and says when an item differs', async () => {
    const headers = { 'idempotency-key': 'import-7' }
    const first = await call('POST', path, { items: itemsOf(3) }, headers)
    expect(statuses(first.json)).toEqual([201, 201, 201])
    const changed = itemsOf(4).map((item, n) => (n === 1 ? { ...item, title: 'Other' } : item))
    const second = await call('POST', path, { items: changed }, headers)
    expect(statuses(second.json)).toEqual([200, 422, 200, 201])
    expect(second.json.results[1].problem.code).toBe('idempotency_key_reused')
    expect(await storedBlocks()).toBe(4)
  })

  test('a bulk request that is sent again with the idempotency_key of a refused item gets its error again, and no other item under it', async () => {
    const bad = { title: 'No text', body: '<script>1</script>', body_format: 'html' }
    const item = { ...bad, idempotency_key: 'refused' }
    const first = await call('POST', path, { items: [{ ...itemsOf(1)[0] }, item] })
    const again = await call('POST', path, { items: [{ ...itemsOf(1)[0] }, item] })
    expect(again.json.results[1]).toEqual(first.json.results[1])
    const other = { ...item, body: 'Text.' }
    const changed = await call('POST', path, { items: [other] })
    expect(changed.json.results[0].problem.code).toBe('idempotency_key_reused')
    const alone = await call('POST', '/webhooks/ingest', other, { 'idempotency-key': 'refused' })
    expect(alone.json.code).toBe('idempotency_key_reused')
    expect(await storedBlocks()).toBe(2)
  })

  test('a bulk request that is sent again stores the items that were over the rate limit once the window has room, and repeats the errors of the others', async () => {
    await call('POST', path, { items: itemsOf(58) })
    const wrong = { title: '', idempotency_key: 'wrong' }
    const late = { title: 'Late', body: 'Text.', idempotency_key: 'late' }
    const items = [wrong, { ...late, title: 'In time', idempotency_key: 'in-time' }, late]
    const first = await call('POST', path, { items })
    expect(statuses(first.json)).toEqual([422, 201, 429])
    await app.sql`update api_key_usage set recent_requests = '{}'`
    const again = await until(async () => {
      const { status, json } = await call('POST', path, { items })
      return status === 200 && json
    })
    expect(statuses(again)).toEqual([422, 200, 201])
    expect(again.results[0]).toEqual(first.json.results[0])
  })

  test('a bulk request that is sent again names the block that is stored for every item with its external_id, under whichever idempotency_key', async () => {
    const items = Array.from('ABABCABC', (key) => ({
      title: 'Known',
      body: 'Text.',
      external_id: 'shared-1',
      idempotency_key: key,
    }))
    for (const expected of [201, 200]) {
      const { json } = await call('POST', path, { items })
      expect(statuses(json)).toEqual([expected, ...repeated(200, items.length - 1)])
      const [block] = await app.sql`select id from content_blocks where team_id = ${team.id}`
      const ids = json.results.map(
        ({ content_block }: { content_block: { id: string } }) => content_block.id,
      )
      expect(new Set(ids)).toEqual(new Set([block?.['id']]))
    }
    expect(await storedBlocks()).toBe(1)
  })

  test('a bulk request that is sent several times in parallel stores each item once', async () => {
    const keys = await Promise.all([1, 2].map(() => app.key(team, ['write'])))
    const items = itemsOf(10, (n) => ({ idempotency_key: `parallel-${n}` }))
    const [one = '', other = ''] = keys
    const replies = await Promise.all(
      [one, one, one, other].map((key) => client(app.base, key)('POST', path, { items })),
    )
    for (const { json } of replies) expect(json.meta).toMatchObject({ failed: 0 })
    expect(await storedBlocks()).toBe(20)
  })
})

describe('the rate limit of bulk requests', () => {
  test('a bulk request with more items than the window has room for stores the first ones, and the others say when to come back', async () => {
    for (let n = 0; n < 20; n++) await call('POST', '/webhooks/ingest', itemsOf(1)[0])
    const { json, headers } = await call('POST', path, { items: itemsOf(100) })
    expect(statuses(json)).toEqual([...repeated(201, 40), ...repeated(429, 60)])
    expect(json.meta).toEqual({ created: 40, duplicates: 0, failed: 60, rate_limited: 60 })
    expect(headers.get('ratelimit')).toStartWith('"default";r=0;')
    const waits = json.results.slice(40).map((one: { problem: { retry_after: number } }) => {
      expect(one.problem).toMatchObject({ code: 'rate_limited', status: 429 })
      return one.problem.retry_after
    })
    for (const wait of waits) {
      expect(wait).toBeGreaterThanOrEqual(1)
      expect(wait).toBeLessThanOrEqual(60)
    }
    expect(waits).toEqual(waits.toSorted((a: number, b: number) => a - b))
    expect((await call('POST', path, { items: itemsOf(1) })).status).toBe(429)
    expect(await storedBlocks()).toBe(60)
  })

  test('items of a bulk request that had no room are stored when they are sent again without the others', async () => {
    const items = itemsOf(100, (n) => ({ external_id: `item-${n}` }))
    const { json } = await call('POST', path, { items })
    const late = items.filter((_, n) => json.results[n].status === 429)
    expect(late).toHaveLength(40)
    await app.sql`update api_key_usage set recent_requests = '{}'`
    const again = await until(async () => {
      const reply = await call('POST', path, { items: late })
      return reply.status === 200 && reply.json
    })
    expect(again.meta).toEqual({ created: 40, duplicates: 0, failed: 0, rate_limited: 0 })
  })

  test('items of a bulk request that are sent again without the others need another Idempotency-Key header, or keys of their own', async () => {
    await call('POST', path, { items: itemsOf(58) })
    const items = itemsOf(4)
    const [, , third = {}, fourth = {}] = items
    const first = await call('POST', path, { items }, { 'idempotency-key': 'import-8' })
    expect(statuses(first.json)).toEqual([201, 201, 429, 429])
    await app.sql`update api_key_usage set recent_requests = '{}'`
    const sendAgain = (late: object[], key: string) =>
      until(async () => {
        const reply = await call('POST', path, { items: late }, { 'idempotency-key': key })
        return reply.status === 200 && reply.json
      })
    const same = await sendAgain([third, fourth], 'import-8')
    expect(statuses(same)).toEqual([422, 422])
    expect(same.results[0].problem.code).toBe('idempotency_key_reused')
    expect(statuses(await sendAgain([third], 'import-8-again'))).toEqual([201])
    const withOwnKey = { ...fourth, idempotency_key: 'import-8-fourth' }
    expect(statuses(await sendAgain([withOwnKey], 'import-8'))).toEqual([201])
    expect(await storedBlocks()).toBe(62)
  })

  test('each refused item of a bulk request says when the window has room for it, in whole seconds', async () => {
    const used = async (key: string, requests: readonly (readonly [number, number])[]) => {
      for (const [count, secondsAgo] of requests) {
        await app.sql`
          update api_key_usage set recent_requests = recent_requests || array_fill(
            clock_timestamp() - make_interval(secs => ${secondsAgo}), array[${count}]::integer[])
          where api_key_id = (select id from api_keys where prefix = ${key.slice(0, 14)})`
      }
    }
    const bulk = async (count: number) => {
      const key = await app.key(team, ['write'])
      await used(key, [
        [30, 40],
        [29, 20],
      ])
      const { json } = await client(app.base, key)('POST', path, { items: itemsOf(count) })
      expect(json.results[0].status).toBe(201)
      return json.results
        .slice(1)
        .map((one: { problem: { retry_after: number } }) => one.problem.retry_after)
    }
    const one = await bulk(2)
    expect(one).toHaveLength(1)
    expect(one[0]).toBeWithin(1, 21)
    // The next 60 requests fill the places that become free, and the others those after them.
    const waits = await bulk(100)
    expect(waits).toHaveLength(99)
    const between = (least: number, most: number) =>
      waits.filter((wait: number) => wait > least && wait <= most).length
    expect([between(0, 20), between(20, 40), between(40, 60)]).toEqual([30, 29, 1])
    expect([between(60, 80), between(80, 100)]).toEqual([30, 9])
  })

  test('each item of a bulk request counts as one request, also when it is refused, and a bulk request that cannot be read counts once', async () => {
    await call('POST', path, { items: itemsOf(10, () => ({ title: '' })) })
    await call('POST', path, { items: [] })
    const { headers } = await call('POST', path, { items: itemsOf(1) })
    expect(headers.get('ratelimit')).toStartWith('"default";r=48;')
  })

  test('exactly, when bulk and single requests come in parallel over two processes', async () => {
    const other = await startApp({ on: app })
    const key = await app.key(team, ['write'])
    const send = (n: number) => {
      const to = client(n % 2 === 0 ? app.base : other.base, key)
      return n % 3 === 0
        ? to('POST', '/webhooks/ingest', itemsOf(1)[0])
        : to('POST', path, { items: itemsOf(1 + (n % 7)) })
    }
    const replies = await Promise.all(Array.from({ length: 60 }, (_, n) => send(n)))
    const accepted = replies.flatMap(({ status, json }) => {
      if (status === 201) return [201]
      return status === 200 ? statuses(json).filter((one) => one === 201) : []
    })
    expect(accepted.length).toBe(60)
    expect(await storedBlocks()).toBe(60)
    const [usage] = await app.sql<{ counted: number }[]>`
      select cardinality(recent_requests) as counted from api_key_usage u
      join api_keys k on k.id = u.api_key_id where k.prefix = ${key.slice(0, 14)}`
    expect(usage?.counted).toBe(60)
    await other.close()
  })
})
