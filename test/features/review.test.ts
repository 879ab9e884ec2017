import { afterAll, beforeAll, expect, test } from 'bun:test'
import { findKey, revokeKey } from '../../src/features/api-keys/index.ts'
import { reviewBlocks } from '../../src/features/content-blocks/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemContext } from '../../src/lib/context.ts'
import { transaction } from '../../src/lib/database/db.ts'
import { readContext, startApp, type TestApp } from '../support/app.ts'
import { countLockWaits } from '../support/database/lock-waits.ts'
import { until } from '../support/until.ts'

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
  const [oldest = '', ...newer] = ids
  const review = await transaction(app.sql, async (tx) => {
    await tx`select id from content_blocks where id = ${oldest} for update`
    const running = reviewBlocks(contextOf(teamId), {
      seen: ids.toReversed().map(anyVersion),
      status: 'ready',
    })
    await until(isWaitingForLock)
    // It waits for the oldest before it has locked a newer one.
    const unlocked = await tx`
      select id from content_blocks where id = any(${newer}) for update skip locked`
    expect(unlocked).toHaveLength(newer.length)
    return { running }
  })
  expect(await review.running).toMatchObject({ count: ids.length })
})

/** Whether a statement waits for a row that another transaction has locked. */
const isWaitingForLock = async (): Promise<boolean> => (await countLockWaits(app.sql)) > 0

const anyVersion = (id: string) => ({ id, version: null })

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
