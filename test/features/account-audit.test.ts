import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { createAccount } from '../../src/features/accounts/index.ts'
import { listAudit } from '../../src/features/audit-log/index.ts'
import { promoteAdmin } from '../../src/features/members/index.ts'
import {
  createSessions,
  endSession,
  listSessions,
  type Sessions,
} from '../../src/features/sessions/index.ts'
import { createTeam } from '../../src/features/teams/index.ts'
import { systemClock as now } from '../../src/lib/clock.ts'
import { systemContext } from '../../src/lib/context.ts'
import { transaction } from '../../src/lib/database/db.ts'
import { createLog } from '../../src/lib/log.ts'
import { createDatabase, type TestDatabase } from '../support/database/database.ts'

const password = 'a long way home'
const next = 'another long way home'
const client = { cookie: '', userAgent: 'test', address: '192.0.2.1' }

let database: TestDatabase
let sessions: Sessions
let teamIds: string[] = []
let accountId = ''
let email = ''

beforeAll(async () => {
  database = await createDatabase()
  sessions = createSessions({
    sql: database.sql,
    now,
    log: createLog('silent'),
    baseUrl: 'http://localhost:3000',
    secret: 'a secret of the tests, long enough',
    emailQueue: null,
    sendReset: async () => {},
  })
})
afterAll(() => database.drop())

beforeEach(async () => {
  const { sql } = database
  email = `${crypto.randomUUID()}@acme.test`
  const account = await createAccount({ sql, now }, { email, name: 'Ada', password })
  accountId = account.id
  teamIds = []
  for (const name of ['One', 'Two']) {
    const team = await createTeam({ sql, now }, { slug: crypto.randomUUID(), name })
    await transaction(sql, (tx) => promoteAdmin(systemContext({ sql: tx, now }, team.id), account))
    teamIds.push(team.id)
  }
})

/** Signs in, and returns the client with the cookies of the session. */
async function signIn() {
  const { cookies } = await sessions.signIn(client, { email, password })
  return { ...client, cookie: cookies.map((one) => one.split(';')[0]).join('; ') }
}

const canSignIn = (secret: string) =>
  sessions.signIn(client, { email, password: secret }).then(
    () => true,
    () => false,
  )

const actionsOf = async (teamId: string): Promise<string[]> =>
  (await listAudit(systemContext({ sql: database.sql, now }, teamId), { limit: 10 })).map(
    ({ action }) => action,
  )

/** Runs `work` while the database refuses entries of one kind in the audit log. */
async function withoutEntry(action: string, work: () => Promise<unknown>): Promise<void> {
  const { sql } = database
  const constraint = sql`check (action <> ${sql.unsafe(`'${action}'`)}) not valid`
  await sql`alter table audit_log add constraint refused_by_test ${constraint}`
  try {
    await expect(work()).rejects.toThrow('refused_by_test')
  } finally {
    await sql`alter table audit_log drop constraint refused_by_test`
  }
}

test('every change of an account is in the audit logs of all its teams', async () => {
  const { sql } = database
  const { signedIn } = await sessions.getSession(await signIn())
  await sessions.changePassword(await signIn(), { current: password, next })
  const admin = systemContext({ sql, now }, teamIds[0] ?? '')
  const token = await sessions.createResetToken(admin, { accountId, subject: 'Ada' })
  await sessions.resetPassword(client, { token, next: password })
  await sessions.signOutEverywhere(await signIn(), accountId)
  expect(signedIn?.account.email).toBe(email)
  const expected = ['signed_out_everywhere', 'signed_in', 'password_reset']
  const earlier = ['password_changed', 'signed_in', 'signed_in']
  expect(await actionsOf(teamIds[1] ?? '')).toEqual([...expected, ...earlier])
  expect(await actionsOf(teamIds[0] ?? '')).toEqual([...expected, 'password_link_made', ...earlier])
})

test('a password is not changed when the audit log entry for it cannot be stored', async () => {
  const here = await signIn()
  await withoutEntry('password_changed', () =>
    sessions.changePassword(here, { current: password, next }),
  )
  expect([await canSignIn(next), await canSignIn(password)]).toEqual([false, true])
  expect((await sessions.getSession(here)).signedIn?.account.id).toBe(accountId)
})

test('a link for a new password still works when the audit log entry of its first use could not be stored', async () => {
  const admin = systemContext({ sql: database.sql, now }, teamIds[0] ?? '')
  const token = await sessions.createResetToken(admin, { accountId, subject: 'Ada' })
  await withoutEntry('password_reset', () => sessions.resetPassword(client, { token, next }))
  expect([await canSignIn(next), await canSignIn(password)]).toEqual([false, true])
  await sessions.resetPassword(client, { token, next })
  expect(await canSignIn(next)).toBeTrue()
})

test('a session stays open when the audit log entry of its end cannot be stored', async () => {
  const { sql } = database
  const here = await signIn()
  const [open] = await listSessions({ sql, now }, accountId)
  const ctx = { sql, now, accountId, address: null }
  const input = { id: open?.id ?? '', nameOf: () => 'a browser' }
  await withoutEntry('session_ended', () => endSession(ctx, input))
  await withoutEntry('signed_out', () => sessions.signOut(here, accountId))
  await withoutEntry('signed_out_everywhere', () => sessions.signOutEverywhere(here, accountId))
  expect((await sessions.getSession(here)).signedIn?.account.id).toBe(accountId)
  await endSession(ctx, input)
  expect((await sessions.getSession(here)).signedIn).toBeNull()
})
