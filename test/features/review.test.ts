import { afterAll, beforeAll, expect, test } from 'bun:test'
import { findKey, revokeKey } from '../../src/features/api-keys/index.ts'
import { reviewBlocks } from '../../src/features/content-blocks/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemContext } from '../../src/lib/context.ts'
import { transaction } from '../../src/lib/database/db.ts'
import { readContext, startApp, type TestApp } from '../support/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})
afterAll(async () => await app.close())

const contextOf = (teamId: string) => systemContext({ sql: app.sql, now: systemClock }, teamId)

test('a bulk review newest first and a change in the order of ids never wait for each other in a circle', async () => {
  const { id: teamId } = await app.team()
  const ids = Array.from({ length: 50 }, (_, n) => `cb_${teamId}${String(n).padStart(3, '0')}`)
  await app.sql`
    insert into content_blocks (id, team_id, title, body, body_format, block_type, status, source, created_at, updated_at)
    select id, ${teamId}, 'x', 'x', 'text', 'general', 'draft', 'manual', now(), now()
    from unnest(${ids}::text[]) id`
  const newestFirst = ids.toReversed()
  const before = await deadlocks()
  for (let round = 0; round < 6; round++) {
    const status = round % 2 === 0 ? 'ready' : 'draft'
    await Promise.all([
      reviewBlocks(contextOf(teamId), { seen: newestFirst.map(anyVersion), status }),
      transaction(app.sql, async (tx) => {
        await tx`
          select id from content_blocks where team_id = ${teamId} and id = any(${ids})
          order by id for update`
      }),
    ])
  }
  expect(await deadlocks()).toBe(before)
})

const anyVersion = (id: string) => ({ id, version: null })

async function deadlocks(): Promise<number> {
  const [row] = await app.sql<{ deadlocks: number }[]>`
    select deadlocks::integer from pg_stat_database where datname = current_database()`
  return row?.deadlocks ?? 0
}

test('a bulk review counts the blocks that have the status now, and leaves other teams’ blocks alone', async () => {
  const [own, other] = [await app.team(), await app.team()]
  await app.sql`
    insert into content_blocks (id, team_id, title, body, body_format, block_type, status, source, created_at, updated_at)
    values ('cb_review_1', ${own.id}, 'x', 'x', 'text', 'general', 'draft', 'manual', now(), now()),
      ('cb_review_2', ${own.id}, 'x', 'x', 'text', 'general', 'ready', 'manual', now(), now()),
      ('cb_review_3', ${other.id}, 'x', 'x', 'text', 'general', 'draft', 'manual', now(), now())`
  const ids = ['cb_review_1', 'cb_review_2', 'cb_review_3', 'cb_unknown']
  expect(
    await reviewBlocks(contextOf(own.id), { seen: ids.map(anyVersion), status: 'ready' }),
  ).toEqual({ count: 2, outdated: [] })
  expect(
    await app.sql`select id, status, version from content_blocks where id = any(${ids}) order by id`,
  ).toMatchObject([
    { status: 'ready', version: 2 },
    { status: 'ready', version: 1 },
    { status: 'draft', version: 1 },
  ])
})

test('a key that is older than a team’s newest 1,000 keys can be shown and revoked', async () => {
  const team = await app.team()
  await app.sql`
    insert into api_keys (id, team_id, name, token_hash, prefix, scopes, created_at)
    select 'key_' || ${team.id} || lpad(n::text, 5, '0'), ${team.id}, 'x', convert_to(${team.id} || n, 'UTF8'),
      'tidings_' || n, '{read}', now()
    from generate_series(1, 1001) n`
  const id = `key_${team.id}00001`
  expect(await findKey(readContext(app, team), id)).toMatchObject({ id, revoked_at: null })
  expect(await revokeKey(systemContext(app.forwarder, team.id), 'tidings_1')).toBe(id)
  expect((await findKey(readContext(app, team), id))?.revoked_at).not.toBeNull()
})
