import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as v from 'valibot'
import {
  createKey,
  createLimitedKey,
  findKeyCreator,
  keyState,
  NewKey,
  parseExpiry,
  revokeKey,
} from '../../src/features/api-keys/index.ts'
import type { Team } from '../../src/features/teams/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { transaction } from '../../src/lib/database/db.ts'
import { readContext, startApp, type TestApp } from '../support/app.ts'
import { member } from '../support/console.ts'
import { countLockWaits } from '../support/database/lock-waits.ts'
import { until } from '../support/until.ts'

let app: TestApp
let team: Team
beforeAll(async () => {
  // The test of the hundredth key needs four connections at once.
  app = await startApp({ connections: 6 })
  team = await app.team()
})
afterAll(() => app.close())

const input = (more: object = {}) => v.parse(NewKey, { name: 'x', scopes: ['read'], ...more })
const context = (of = team) => systemContext(app.forwarder, of.id)
const at = new Date('2026-11-22T12:00:00Z')
const now = () => at

test('the name of a key has at most 100 characters', () => {
  expect(input({ name: 'x'.repeat(100) }).name).toHaveLength(100)
  expect(() => input({ name: 'x'.repeat(101) })).toThrow('100')
})

test('a key may use auto_ready and every operation of its scopes unless it is restricted', () =>
  expect(input()).toMatchObject({ allow_auto_ready: true, ingest_only: false, expires_at: null }))

test('a key expires at the end of a day in UTC, or at a time, which must be in the future', () => {
  expect(parseExpiry('2026-11-22', now)).toEqual(new Date('2026-11-23T00:00:00Z'))
  expect(parseExpiry('2026-11-22T12:00:00.001Z', now)).toEqual(new Date('2026-11-22T12:00:00.001Z'))
  for (const text of ['2026-11-22T12:00:00Z', '2026-11-21']) {
    expect(() => parseExpiry(text, now)).toThrow('must be in the future')
  }
  for (const text of ['2027-02-30', 'soon', '']) {
    expect(() => parseExpiry(text, now)).toThrow('must be a date')
  }
})

test('a key is expired from the moment on at which it expires', () => {
  const key = { revoked_at: null, expires_at: at }
  expect(keyState(key, new Date(at.getTime() - 1))).toBe('active')
  expect(keyState(key, at)).toBe('expired')
  expect(keyState({ ...key, revoked_at: at }, new Date(0))).toBe('revoked')
  expect(keyState({ revoked_at: null, expires_at: null }, at)).toBe('active')
})

test('a key has the member who created it, and none when the command line did', async () => {
  const { id: memberId, ...person } = await member(app, team, 'admin')
  const actor = { kind: 'member', teamId: team.id, memberId, name: person.email, address: null }
  const created = await createKey({ ...context(), actor: { ...actor, kind: 'member' } }, input())
  expect(await findKeyCreator(readContext(app, team), created.id)).toBe(memberId)
  const other = await createKey(context(), input())
  expect(await findKeyCreator(readContext(app, team), other.id)).toBeNull()
})

test('an unknown key, also one of another team, is not revoked', async () => {
  const { id } = await createKey(context(await app.team()), input())
  for (const wanted of [id, 'tidings_nobody', '']) {
    await expect(revokeKey(context(), wanted)).rejects.toMatchObject({ code: 'not_found' })
  }
})

test('two processes that create the hundredth key of a team at the same moment create one', async () => {
  const full = await app.team()
  for (let n = 0; n < 99; n++) await app.key(full, ['read'])
  const settled = await transaction(app.sql, async (tx) => {
    await tx`select id from teams where id = ${full.id} for no key update`
    const creations = [1, 2].map(() => createLimitedKey(context(full), input()))
    const all = Promise.allSettled(creations)
    // Both wait for the lock, or both have gone past it.
    await until(async () => {
      const waiting = await countLockWaits(app.sql)
      return waiting === 2 || (await Promise.race([all.then(() => true), false]))
    })
    return { all }
  })
  const outcomes = (await settled.all).map(({ status }) => status)
  expect(outcomes.toSorted()).toEqual(['fulfilled', 'rejected'])
})
