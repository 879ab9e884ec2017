import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as v from 'valibot'
import {
  createAccount,
  NewPassword,
  requireUnrelatedPassword,
} from '../../src/features/accounts/index.ts'
import { createSessions, type Sessions } from '../../src/features/sessions/index.ts'
import { createTeam } from '../../src/features/teams/index.ts'
import { type Context, systemContext } from '../../src/lib/context.ts'
import { createLog } from '../../src/lib/log.ts'
import { createDatabase, type TestDatabase } from '../support/database/database.ts'

let clock = new Date()
let database: TestDatabase
let sessions: Sessions
let sent = 0

const now = () => clock
let admin: Context

beforeAll(async () => {
  database = await createDatabase()
  const { sql } = database
  const team = await createTeam({ sql, now }, { slug: 'acme', name: 'Acme' })
  admin = systemContext({ sql, now }, team.id)
  sessions = createSessions({
    sql,
    now,
    log: createLog('silent'),
    baseUrl: 'http://localhost:3000',
    secret: 'a secret of the tests, long enough',
    emailQueue: null,
    async sendReset() {
      sent++
    },
  })
})
afterAll(() => database.drop())

test.each([
  ...['password1', 'sunshine', 'liverpool1', 'P@ssw0rd', 'qwerty123', 'football', 'iloveyou'],
  ...['trustno1', 'Welcome1!', 'monkey123', 'superman', 'letmein1', '!!dragon99', 'aaaaaaaa'],
])('the common password %s is refused', (password) => {
  expect(v.safeParse(NewPassword, password).success).toBeFalse()
})

test.each(['ada@acme.test', 'Ada@acme.test1', 'lovelace2026', 'tidings-ada'])(
  'the password %s is refused for Ada Lovelace, ada@acme.test',
  (password) => {
    const owner = { email: 'ada@acme.test', name: 'Ada Lovelace' }
    expect(() => requireUnrelatedPassword(password, owner)).toThrow('little but your name')
  },
)

test('a password that contains the owner’s name and much more is accepted', () => {
  const owner = { email: 'ada@acme.test', name: 'Ada Lovelace' }
  expect(() => requireUnrelatedPassword('ada crosses the wide river', owner)).not.toThrow()
})

test('only the newest link for a new password works', async () => {
  const { id: accountId } = await createAccount(admin, {
    email: 'bo@acme.test',
    name: 'Bo',
    password: 'a long way home',
  })
  const first = await sessions.createResetToken(admin, { accountId, subject: 'Bo' })
  const second = await sessions.createResetToken(admin, { accountId, subject: 'Bo' })
  await expect(sessions.requireResetToken(first)).rejects.toThrow('was used or has expired')
  const next = 'another long way home'
  await sessions.resetPassword({ address: '192.0.2.1' }, { token: second, next })
  await expect(sessions.requireResetToken(second)).rejects.toThrow('was used or has expired')
})

test('one account is sent at most three links for a new password an hour', async () => {
  const { sql } = database
  const { id } = await createAccount(admin, {
    email: 'cy@acme.test',
    name: 'Cy',
    password: 'a long way home',
  })
  const before = sent
  for (let n = 0; n < 4; n++) await sessions.requestReset('cy@acme.test')
  expect(sent - before).toBe(3)
  clock = new Date(clock.getTime() + 3_600_000)
  await sessions.requestReset('cy@acme.test')
  expect(sent - before).toBe(4)
  expect(await sql`select id from account_tokens where value = ${id}`).toHaveLength(1)
})
