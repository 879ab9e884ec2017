import { afterAll, beforeAll, expect, test } from 'bun:test'
import { listKeys } from '../../../src/features/api-keys/index.ts'
import {
  purgeIdempotencyKeys,
  purgeIdempotencyLocks,
  purgeResponsesAbout,
} from '../../../src/features/idempotency/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { transaction } from '../../../src/lib/database/db.ts'
import { client, readContext, startApp, type TestApp } from '../../support/app.ts'

let app: TestApp
let team: Team
beforeAll(async () => {
  app = await startApp()
  team = await app.team()
})
afterAll(() => app.close())

const hour = 3_600_000
const now = new Date('2026-11-22T12:00:00Z')

/** Creates a block under an Idempotency-Key; a repetition returns the same block. */
async function createUnder(key: string, apiKey: string): Promise<string> {
  const body = { title: 'A win', body: 'We did it.' }
  const headers = { 'idempotency-key': key }
  const { json } = await client(app.base, apiKey)('POST', '/webhooks/ingest', body, headers)
  return json.content_block.id
}

test('the response under an Idempotency-Key is kept for 48 hours and then deleted', async () => {
  const apiKey = await app.key(team, ['write'])
  const [kept, purged] = [await createUnder('kept', apiKey), await createUnder('purged', apiKey)]
  const age = (key: string, hours: number) =>
    app.sql`
      update idempotency_keys set created_at = ${new Date(now.getTime() - hours * hour)}
      where key = ${key}`
  await age('kept', 47.9)
  await age('purged', 48.1)
  expect(await purgeIdempotencyKeys({ sql: app.sql, now: () => now })).toBe(1)
  expect(await createUnder('kept', apiKey)).toBe(kept)
  expect(await createUnder('purged', apiKey)).not.toBe(purged)
})

test('the response about a withdrawn block is deleted, and every other response is kept', async () => {
  const apiKey = await app.key(team, ['write'])
  const [other, withdrawn] = [await createUnder('a', apiKey), await createUnder('b', apiKey)]
  const keyId = (await listKeys(readContext(app, team))).find(
    ({ prefix }) => prefix === apiKey.slice(0, 14),
  )?.id
  await transaction(app.sql, (sql) =>
    purgeResponsesAbout({ sql, now: () => now }, { keyId: keyId ?? '', resourceIds: [withdrawn] }),
  )
  expect(await createUnder('a', apiKey)).toBe(other)
  expect(await createUnder('b', apiKey)).not.toBe(withdrawn)
})

test('a lock that no request released is deleted a day after it ended', async () => {
  const [key] = await listKeys(readContext(app, team))
  for (const [name, hours] of Object.entries({ recent: 23.9, old: 24.1 })) {
    await app.sql`
      insert into idempotency_locks (api_key_id, path, key, owner, locked_until)
      values (${key?.id ?? ''}, '/content_blocks', ${name}, 'o', ${new Date(now.getTime() - hours * hour)})`
  }
  await purgeIdempotencyLocks({ sql: app.sql, now: () => now })
  expect(await app.sql`select key from idempotency_locks`).toMatchObject([{ key: 'recent' }])
})
