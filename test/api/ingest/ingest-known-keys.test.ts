import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Team } from '../../../src/features/teams/index.ts'
import { transaction } from '../../../src/lib/database/db.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { countLockWaits } from '../../support/database/lock-waits.ts'
import { until } from '../../support/until.ts'

let app: TestApp
let team: Team
beforeAll(async () => {
  app = await startApp()
  team = await app.team()
})
afterAll(() => app.close())

const item = (title: string, more: object = {}) => ({ title, body: 'Text.', ...more })
const prefixOf = (key: string) => key.slice(0, 14)

/** A key with which the service has stored an item, and how to send more with it. */
async function knownKey() {
  const key = await app.key(team, ['write'])
  const call = client(app.base, key)
  const send = (body: object) => call('POST', '/webhooks/ingest', body)
  expect((await send(item('The first'))).status).toBe(201)
  return { key, call, send }
}

/** How many requests of a key count against its limit. */
async function countedOf(key: string): Promise<number> {
  const [row] = await app.sql<{ counted: number }[]>`
    select cardinality(recent_requests) as counted
    from api_key_usage u join api_keys k on k.id = u.api_key_id where k.prefix = ${prefixOf(key)}`
  return row?.counted ?? 0
}

const waiting = () => countLockWaits(app.sql)

const remainingOf = ({ headers }: { headers: Headers }) =>
  Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])

test('an item of a key that was used before is checked, counted and stored in one transaction', async () => {
  const { key, send } = await knownKey()
  for (let n = 0; n < 20; n++) {
    const title = `One of many ${n}`
    expect((await send(item(title))).status).toBe(201)
    // The same transaction has written both rows. The server counts those of other tests, too.
    const [row] = await app.sql`
      select b.xmin = u.xmin as is_one
      from content_blocks b, api_key_usage u join api_keys k on k.id = u.api_key_id
      where b.title = ${title} and k.prefix = ${prefixOf(key)}`
    expect(row?.['is_one']).toBe(true)
  }
  expect(await countedOf(key)).toBe(21)
})

test('of 70 items that a key sends at once after its first, exactly 59 are stored', async () => {
  const { key, send } = await knownKey()
  const titles = Array.from({ length: 70 }, (_, n) => `At once ${n}`)
  const responses = await Promise.all(titles.map((title) => send(item(title))))
  const stored = responses.filter(({ status }) => status === 201)
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(11)
  expect(stored.map(remainingOf).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 59 }, (_, n) => n),
  )
  expect(await countedOf(key)).toBe(60)
  const rows = await app.sql`select title from content_blocks where title like 'At once%'`
  expect(rows.map(({ title }) => title).toSorted()).toEqual(
    stored.map(({ json }) => json.content_block.title).toSorted(),
  )
})

describe('keys that are changed while an item waits', () => {
  test.each([
    ['is revoked', { revoked_at: new Date() }, 401, 'revoked_key'],
    ['expires', { expires_at: new Date() }, 401, 'expired_key'],
    ['gets another token', { token_hash: Buffer.alloc(32, 7) }, 401, 'invalid_key'],
    ['loses the scope', { scopes: ['read'] }, 403, 'insufficient_scope'],
  ] as const)(
    'a key that was used before stores nothing when it %s while its item waits',
    async (_, change, status, code) => {
      const { key, send } = await knownKey()
      const counted = await countedOf(key)
      const { responding } = await transaction(app.sql, async (tx) => {
        await tx`update api_keys set ${tx({ ...change })} where prefix = ${prefixOf(key)}`
        const responding = send(item('Too late'))
        await until(async () => (await waiting()) > 0)
        return { responding }
      })
      expect((await responding).json).toMatchObject({ status, code })
      expect(await app.sql`select 1 from content_blocks where title = 'Too late'`).toHaveLength(0)
      expect(await countedOf(key)).toBe(status === 403 ? counted + 1 : counted)
    },
  )
})

test('a key that was changed, but may still write, stores its next item once', async () => {
  const { key, send } = await knownKey()
  await app.sql`update api_keys set name = 'Another name' where prefix = ${prefixOf(key)}`
  expect((await send(item('After the change'))).status).toBe(201)
  expect(await countedOf(key)).toBe(2)
  expect(await app.sql`select 1 from content_blocks where title = 'After the change'`).toHaveLength(
    1,
  )
})

describe('errors of bodies', () => {
  const invalid = [
    { title: '', body: 'Text.' },
    { title: 'Nothing left', body: '<script></script>' },
  ]

  test.each(invalid)(
    'an error of a body is reported, and the request is counted: %o',
    async (body) => {
      const { key, send } = await knownKey()
      const response = await send(body)
      expect([response.status, remainingOf(response)]).toEqual([422, 58])
      expect(await countedOf(key)).toBe(2)
    },
  )

  test.each(invalid)('an error of a body comes after those of the key: %o', async (body) => {
    const { key, send } = await knownKey()
    await app.sql`
      update api_key_usage set recent_requests = array_fill(clock_timestamp(), array[60])
      where api_key_id = (select id from api_keys where prefix = ${prefixOf(key)})`
    expect((await send(body)).status).toBe(429)
    await app.sql`update api_keys set revoked_at = now() where prefix = ${prefixOf(key)}`
    await until(async () => (await send(body)).status === 401)
    expect((await send(body)).json.code).toBe('revoked_key')
  })
})

test('an item with a known external id gets the first block, and is counted once', async () => {
  const { key, send } = await knownKey()
  const known = item('Known', { external_id: 'known-1' })
  const first = await send(known)
  const second = await send(known)
  expect([first.status, second.status, second.json.duplicate]).toEqual([201, 200, true])
  expect(second.json.content_block.id).toBe(first.json.content_block.id)
  expect([remainingOf(second), await countedOf(key)]).toEqual([57, 3])
})

test('an item that the database refuses fails alone; those of other keys are stored, and each is counted once', async () => {
  await app.sql`
    create function refuse() returns trigger language plpgsql as $$
    begin
      if new.title like 'Refused%' then raise exception 'refused'; end if;
      return new;
    end $$`
  await app.sql`
    create trigger refuse before insert on content_blocks for each row execute function refuse()`
  const keys = await Promise.all(Array.from({ length: 12 }, () => knownKey()))
  const responses = await Promise.all(
    keys.map(({ send }, n) => send(item(n === 5 ? 'Refused' : `Accepted ${n}`))),
  )
  expect(responses.map(({ status }) => status)).toEqual(keys.map((_, n) => (n === 5 ? 500 : 201)))
  for (const { key } of keys) expect(await countedOf(key)).toBe(2)
  await app.sql`drop trigger refuse on content_blocks`
})

test('a check that waits for the item of its key delays no check of another key', async () => {
  const keys = [await knownKey(), await knownKey()]
  const other = client(app.base, await app.key(team, ['read']))
  const { items, pings } = await transaction(app.sql, async (tx) => {
    // The statement of an item counts its request and then waits here.
    await tx`lock table content_block_counts in exclusive mode`
    const items: ReturnType<typeof other>[] = []
    const pings: ReturnType<typeof other>[] = []
    for (const { call, send } of keys) {
      items.push(send(item('Waiting')))
      await until(async () => (await waiting()) >= items.length)
      pings.push(call('GET', '/ping'))
    }
    expect((await other('GET', '/ping')).status).toBe(200)
    return { items, pings }
  })
  for (const { status } of await Promise.all(items)) expect(status).toBe(201)
  for (const ping of await Promise.all(pings)) expect(remainingOf(ping)).toBe(57)
})

test('a dry run and an item under an Idempotency-Key are counted once, and the dry run stores nothing', async () => {
  const { key, call } = await knownKey()
  const dryRun = await call('POST', '/webhooks/ingest?dry_run=true', item('Only tried'))
  expect([dryRun.status, remainingOf(dryRun)]).toEqual([200, 58])
  const once = { 'idempotency-key': 'only-once' }
  expect((await call('POST', '/webhooks/ingest', item('Once'), once)).status).toBe(201)
  expect(await countedOf(key)).toBe(3)
  expect(await app.sql`select 1 from content_blocks where title = 'Only tried'`).toHaveLength(0)
})

test.each([1, 12])(
  '%d requests at once report a key and its team as they are now',
  async (requests) => {
    const own = await app.team()
    const call = client(app.base, await app.key(own, ['read']))
    const ping = async () => {
      const responses = await Promise.all(
        Array.from({ length: requests }, () => call('GET', '/ping')),
      )
      return responses.map(({ json }) => json.ping)
    }
    await ping()
    await app.sql`update teams set name = 'Renamed' where id = ${own.id}`
    for (const { team } of await ping()) expect(team).toMatchObject({ name: 'Renamed' })
    const changed = {
      name: 'Changed',
      scopes: ['read', 'write'],
      expires_at: '2999-01-31T09:00:00.123Z',
    }
    await app.sql`
    update api_keys set name = ${changed.name}, scopes = ${changed.scopes}, expires_at = ${changed.expires_at}
    where team_id = ${own.id}`
    for (const { api_key } of await ping()) expect(api_key).toMatchObject(changed)
  },
)
