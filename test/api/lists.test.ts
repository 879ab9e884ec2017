import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Team } from '../../src/features/teams/index.ts'
import { client, startApp, type TestApp } from '../support/app.ts'
import { until } from '../support/until.ts'

let app: TestApp
let team: Team
let call: ReturnType<typeof client>
let at = new Date('2026-11-20T09:00:00Z')
beforeAll(async () => {
  app = await startApp({ now: () => at })
  team = await app.team()
})
afterAll(() => app.close())
// A key each, so that no test meets another's rate limit.
beforeEach(async () => {
  call = client(app.base, await app.key(team, ['read', 'write']))
})

const inAnHour = () => {
  at = new Date(at.getTime() + 3_600_000)
}

/** A team with six items of each kind, an hour apart, of which the first was changed last. */
async function seed(own: ReturnType<typeof client>, path: string, bodyOf: (n: number) => object) {
  const ids: string[] = []
  for (let n = 1; n <= 6; n++) {
    inAnHour()
    const { json } = await own('POST', path, bodyOf(n))
    ids.push((json.content_block ?? json.newsletter).id)
  }
  inAnHour()
  await own('PATCH', `${path}/${ids[0]}`, { title: 'Item 1, changed' })
  return ids
}

const kinds = [
  ['content_blocks', (n: number) => ({ title: `Item ${n}`, body: 'Text.', status: 'draft' })],
  ['newsletters', (n: number) => ({ title: `Item ${n}` })],
] as const

describe.each(kinds)('GET /%s', (list, bodyOf) => {
  let own: ReturnType<typeof client>
  let ids: string[]
  beforeAll(async () => {
    const owner = await app.team()
    ids = await seed(client(app.base, await app.key(owner, ['read', 'write'])), `/${list}`, bodyOf)
    own = client(app.base, await app.key(owner, ['read']))
  })

  const idsOf = (json: Record<string, { id: string }[]>) =>
    (json[list] ?? []).map(({ id }) => ids.indexOf(id) + 1)

  test.each([
    ['-created_at', [6, 5, 4, 3, 2, 1]],
    ['created_at', [1, 2, 3, 4, 5, 6]],
    ['-updated_at', [1, 6, 5, 4, 3, 2]],
    ['updated_at', [2, 3, 4, 5, 6, 1]],
  ])(
    `GET /${list} sorted by %s lists each item once, by page and by cursor, with and without a filter`,
    async (sort, order) => {
      for (const filter of ['', '&status=draft']) {
        const path = `/${list}?sort=${sort}${filter}&per_page=4`
        const first = await own('GET', path)
        expect(idsOf(first.json)).toEqual(order.slice(0, 4))
        expect(first.json.meta.total).toBe(6)
        expect(idsOf((await own('GET', `${path}&page=2`)).json)).toEqual(order.slice(4))
        const next = await own('GET', `${path}&after=${first.json.meta.next_cursor}`)
        expect(idsOf(next.json)).toEqual(order.slice(4))
      }
    },
  )

  test(`GET /${list} with updated_after and updated_before lists what changed in between, the latest change first`, async () => {
    const { updated_at } = (await own('GET', `/${list}/${ids[4]}`)).json[list.slice(0, -1)]
    const since = await own('GET', `/${list}?updated_after=${updated_at}`)
    expect([idsOf(since.json), since.json.meta.total]).toEqual([[1, 6, 5], 3])
    const until = await own('GET', `/${list}?updated_before=${updated_at}&sort=updated_at`)
    expect([idsOf(until.json), until.json.meta.total]).toEqual([[2, 3, 4], 3])
    const created = await own('GET', `/${list}?created_before=${updated_at}&sort=created_at`)
    expect(idsOf(created.json)).toEqual([1, 2, 3, 4])
  })

  test(`GET /${list} refuses a cursor of another order, an unknown order and a range of the time it is not sorted by`, async () => {
    const { next_cursor } = (await own('GET', `/${list}?per_page=2`)).json.meta
    const time = '2026-11-20T09:00:00Z'
    for (const [query, parameter, message = ''] of [
      [`sort=updated_at&after=${next_cursor}`, '?after'],
      ['sort=title', '?sort', 'sort must be one of'],
      ['sort=created_at&sort=updated_at', '?sort', 'sort may be given only once'],
      [`sort=created_at&updated_after=${time}`, '?updated_after'],
      [`sort=-updated_at&created_before=${time}`, '?created_before'],
      [`updated_after=${time}&created_after=${time}`, '?created_after'],
    ] as const) {
      const { status, json } = await own('GET', `/${list}?${query}`)
      expect([status, json.fields?.[0].pointer]).toEqual([422, parameter])
      expect(json.detail).toContain(message)
    }
  })

  test(`GET /${list} with fields returns these alone, and reports unknown ones with the nearest known name`, async () => {
    const { json } = await own('GET', `/${list}?fields=id,%20titles,version,&per_page=1`)
    expect(json[list]).toEqual([{ id: ids[5], version: 1 }])
    expect(json.meta.warnings).toEqual([
      'the field titles is unknown and was ignored; did you mean title?',
    ])
    const none = await own('GET', `/${list}?fields=nothing&per_page=1`)
    expect(none.json[list][0]).toHaveProperty('updated_at')
  })

  test(`GET /${list} with fields and a cursor continues after the cursor`, async () => {
    const first = await own('GET', `/${list}?fields=title&per_page=5`)
    const next = await own('GET', `/${list}?fields=title&after=${first.json.meta.next_cursor}`)
    expect(next.json[list]).toEqual([{ title: 'Item 1, changed' }])
  })
})

describe('GET /content_blocks', () => {
  test('GET /content_blocks finds the blocks of an item by external_id, whichever key of the team brought them', async () => {
    const other = client(app.base, await app.key(team, ['write']))
    const stranger = client(app.base, await app.key(await app.team(), ['read', 'write']))
    const post = async (by: typeof call, external_id: string) =>
      (await by('POST', '/webhooks/ingest', { title: 't', body: 'harvest', external_id })).json
        .content_block.id
    const ids = [
      await post(call, 'jira:1'),
      await post(other, 'jira:1'),
      await post(call, 'jira:2'),
    ]
    await post(stranger, 'jira:1')
    const find = async (query: string) => {
      const { json } = await call('GET', `/content_blocks?${query}`)
      expect(json.meta.total).toBe(json.content_blocks.length)
      return json.content_blocks.map(({ id }: { id: string }) => ids.indexOf(id))
    }
    expect(await find('external_id=jira:1')).toEqual([1, 0])
    expect(await find('external_id=jira:1&external_id=jira:2&source=webhook')).toEqual([2, 1, 0])
    expect(await find('external_id=jira:1&sort=updated_at')).toEqual([0, 1])
    expect(await find('external_id=jira:2&source=agent')).toEqual([])
    expect(await find('external_id=jira:2&q=harvest')).toEqual([2])
    expect(await find('external_id=')).toEqual([])
    const page = await call('GET', '/content_blocks?external_id=jira:1&per_page=1')
    const next = await call(
      'GET',
      `/content_blocks?external_id=jira:1&per_page=1&after=${page.json.meta.next_cursor}`,
    )
    expect(next.json.content_blocks[0].id).toBe(ids[0])
  })

  test('GET /content_blocks finds an item by the external_id that ingest got, in any form of its letters and with spaces around it', async () => {
    const sent = ' Caf\u0065\u0301 7 '
    const item = { title: 'A café', body: 'Text.', external_id: sent }
    const { id } = (await call('POST', '/webhooks/ingest', item)).json.content_block
    for (const external_id of [sent, 'Caf\u00e9 7']) {
      const { json } = await call('GET', `/content_blocks?${new URLSearchParams({ external_id })}`)
      expect(json.content_blocks).toMatchObject([{ id }])
    }
    const blank = await call('GET', '/content_blocks?external_id=%20')
    expect([blank.status, blank.json.content_blocks]).toEqual([200, []])
  })

  test('GET /content_blocks sorts the blocks of an event in each order', async () => {
    for (const title of ['a', 'b', 'c']) {
      inAnHour()
      await call('POST', '/content_blocks', { title, body: 'x', event_slug: 'sorted-event' })
    }
    const titles = async (sort: string) =>
      (
        await call('GET', `/content_blocks?event_slug=sorted-event&sort=${sort}`)
      ).json.content_blocks
        .map(({ title }: { title: string }) => title)
        .join('')
    expect(
      await Promise.all(['-created_at', 'created_at', '-updated_at', 'updated_at'].map(titles)),
    ).toEqual(['cba', 'abc', 'cba', 'abc'])
  })

  test.each([
    [
      'Japanese',
      '東京オフィスが移転しました。iPhone発売',
      ['東京', '移転', 'オフィス', '東', 'iphone', '東京 発売'],
    ],
    ['Chinese', '我们的北京办公室搬家了', ['北京', '办公室', '搬', '北京 搬家']],
    ['Thai', 'สำนักงานกรุงเทพย้ายแล้ว', ['กรุงเทพ', 'ย้าย', 'สำนักงาน']],
  ])('GET /content_blocks finds any part of a %s text by q', async (language, body, found) => {
    const own = client(app.base, await app.key(await app.team(), ['read', 'write']))
    await own('POST', '/webhooks/ingest', { title: 'Office', body, body_format: 'text' })
    await own('POST', '/webhooks/ingest', { title: 'Other', body: `${language} 大阪 บ` })
    for (const words of found) {
      const { json } = await own('GET', `/content_blocks?q=${encodeURIComponent(words)}`)
      expect([words, json.content_blocks.map(({ title }: { title: string }) => title)]).toEqual([
        words,
        ['Office'],
      ])
    }
    for (const words of ['京東', '大会', 'ทพก', '鯨']) {
      const { json } = await own('GET', `/content_blocks?q=${encodeURIComponent(words)}`)
      expect([words, json.meta.total]).toEqual([words, 0])
    }
    expect((await own('GET', '/content_blocks?q=x&sort=updated_at')).json.fields[0].pointer).toBe(
      '?q',
    )
  })
})

test('q takes upper and lower case for the same, and accents and endings for different words', async () => {
  const own = client(app.base, await app.key(await app.team(), ['read', 'write']))
  await own('POST', '/content_blocks', { title: 'Café MÜNCHEN', body: 'Releases and ÉCLAIRS' })
  const found = async (q: string) =>
    (await own('GET', `/content_blocks?q=${encodeURIComponent(q)}`)).json.meta.total
  for (const words of ['café', 'CAFÉ', 'münchen', 'éclairs café'])
    expect(await found(words)).toBe(1)
  for (const words of ['cafe', 'munchen', 'release', 'café missing']) {
    expect(await found(words)).toBe(0)
  }
})

describe('Programs that ask for one page of blocks at the same moment', () => {
  test('programs that ask for one page of blocks at the same moment all get what was stored before they asked', async () => {
    const owner = await app.team()
    const keys = await Promise.all(
      Array.from({ length: 8 }, () => app.key(owner, ['read', 'write'])),
    )
    const programs = keys.map((key) => client(app.base, key))
    const rounds = programs.map(async (own, at) => {
      for (let round = 0; round < 4; round++) {
        const title = `Item ${round} of ${at}`
        await own('POST', '/content_blocks', { title, body: 'Text.', status: 'draft' })
        const { json } = await own('GET', '/content_blocks?per_page=100')
        expect(json.content_blocks.map((block: { title: string }) => block.title)).toContain(title)
      }
    })
    await Promise.all(rounds)
  })

  test('programs that ask for one page of blocks at the same moment share one statement, and only a key that is revoked meanwhile gets 401', async () => {
    const owner = await app.team()
    const keys = await Promise.all(
      Array.from({ length: 5 }, () => app.key(owner, ['read', 'write'])),
    )
    const [first = '', revoked = '', ...others] = keys
    await client(app.base, first)('POST', '/content_blocks', { title: 'Ours', body: 'Text.' })
    const list = (key: string) => client(app.base, key)('GET', '/content_blocks')
    const checked = async (key: string) =>
      (
        await app.sql`
          select from api_key_usage u join api_keys k on k.id = u.api_key_id
          where k.prefix = ${key.slice(0, 14)} and cardinality(u.recent_requests) > ${key === first ? 1 : 0}`
      ).length > 0
    const statements = () => app.sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like '%from content_blocks b%'`
    const locked = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const lock = app.sql.begin(async (tx) => {
      await tx`lock table content_blocks in access exclusive mode`
      locked.resolve()
      await release.promise
    })
    await locked.promise
    const waiting = [list(first)]
    await until(async () => (await statements()).length === 1)
    waiting.push(list(revoked), ...others.map(list))
    for (const key of keys) await until(() => checked(key))
    await app.sql`update api_keys set revoked_at = now() where prefix = ${revoked.slice(0, 14)}`
    expect(await statements()).toHaveLength(1)
    release.resolve()
    await lock
    const [alone, refused, ...shared] = await Promise.all(waiting)
    expect(refused?.status).toBe(401)
    for (const reply of [alone, ...shared]) expect(reply?.json.content_blocks).toHaveLength(1)
  })
})
