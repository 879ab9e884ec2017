import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rotateKey } from '../../../src/features/api-keys/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'

let app: TestApp
let second: TestApp
beforeAll(async () => {
  app = await startApp()
  second = await startApp({ on: app })
})
afterAll(async () => {
  await second.close()
  await app.close()
})

const bulk = '/webhooks/ingest/bulk'
const employees = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    title: `Employee ${n}`,
    body: 'Text.',
    external_id: `employee-${n}`,
  }))

/** Replaces a key, which works for another hour; returns the new one. */
async function rotated(team: Team, key: string): Promise<string> {
  const [row] = await app.sql<{ id: string }[]>`
    select id from api_keys where team_id = ${team.id} and prefix = ${key.slice(0, 14)}`
  const ctx = systemContext(app.forwarder, team.id)
  return (await rotateKey(ctx, { keyId: row?.id ?? '', graceHours: 1 })).token
}

const blocksOf = ({ id }: Team) => app.sql<{ id: string; external_id: string }[]>`
  select id, external_id from content_blocks where team_id = ${id} order by external_id`

describe('The items of a key that was rotated', () => {
  test('an item that is sent again with the new key gets the first block, alone, in a bulk request, in a dry run and with an Idempotency-Key', async () => {
    const team = await app.team()
    const key = await app.key(team, ['write'])
    const items = employees(3)
    await client(app.base, key)('POST', bulk, { items })
    const blocks = await blocksOf(team)
    // The chain of keys has any length.
    for (let token = await rotated(team, key), turn = 0; turn < 2; turn++) {
      const call = client(app.base, token)
      const again = await call('POST', bulk, { items })
      expect(again.json.meta).toMatchObject({ created: 0, duplicates: 3 })
      const dry = await call('POST', `${bulk}?dry_run=true`, { items })
      expect(dry.json.meta).toMatchObject({ created: 0, duplicates: 3 })
      for (const headers of [{}, {}, { 'idempotency-key': 'again' }]) {
        const { status, json } = await call('POST', '/webhooks/ingest', items[1], headers)
        expect([status, json.duplicate]).toEqual([200, true])
        expect(json.content_block.id).toBe(blocks[1]?.id)
      }
      token = await rotated(team, token)
    }
    expect(await blocksOf(team)).toEqual(blocks)
  })

  test('new items that both keys send at the same moment to two processes have one block each', async () => {
    const team = await app.team()
    const key = await app.key(team, ['write'])
    const calls = [client(app.base, key), client(second.base, await rotated(team, key))]
    // The processes know the keys afterwards, and check them in the statement that stores an item.
    for (const call of calls) await call('GET', '/ping')
    const items = employees(12)
    const replies = await Promise.all(
      calls.flatMap((call) => [
        ...items.map((item) => call('POST', '/webhooks/ingest', item)),
        call('POST', bulk, { items: items.toReversed() }),
      ]),
    )
    for (const { status } of replies) expect([200, 201]).toContain(status)
    expect((await blocksOf(team)).map(({ external_id }) => external_id)).toEqual(
      items.map(({ external_id }) => external_id).toSorted(),
    )
  })

  test('an item that another key of the team sends, also one with the same name, has a block of its own', async () => {
    const team = await app.team()
    const keys = [await app.key(team, ['write']), await app.key(team, ['write'])]
    await rotated(team, keys[0] ?? '')
    for (const key of keys) {
      const { status } = await client(app.base, key)('POST', '/webhooks/ingest', employees(1)[0])
      expect(status).toBe(201)
    }
    expect(await blocksOf(team)).toHaveLength(2)
  })
})
