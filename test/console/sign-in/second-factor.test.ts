import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Team } from '../../../src/features/teams/index.ts'
import { encryptedColumns } from '../../../src/installation/secret.ts'
import { connect, transaction } from '../../../src/lib/database/db.ts'
import { type OutgoingMail, smtpTransport } from '../../../src/lib/mail/mail.ts'
import { startApp, type TestApp, testSecret } from '../../support/app.ts'
import {
  logIn,
  type Person,
  person,
  pressTwice,
  signedIn,
  testPassword,
} from '../../support/console.ts'
import { withoutTimeLimits } from '../../support/database/database.ts'
import { countLockWaits } from '../../support/database/lock-waits.ts'
import { storePasskey } from '../../support/providers/passkey.ts'
import { startMailServer } from '../../support/providers/smtp.ts'
import { totpOf } from '../../support/providers/totp.ts'
import { until } from '../../support/until.ts'

let clock = new Date()
let app: TestApp

beforeAll(async () => {
  app = await startApp({ now: () => clock })
})
afterAll(() => app.close())

const path = '/account/second-factor'

/** Five minutes: a network has its attempts again, and a used code is not remembered any more. */
const rest = () => {
  clock = new Date(clock.getTime() + 5 * 60_000)
}

/** Sets up an authenticator app, and returns its key and the backup codes. */
async function setUpApp(visitor: Person): Promise<{ key: string; codes: string[] }> {
  await visitor.post(`${path}/authenticator`, { password: testPassword })
  const { html } = await visitor.get(`${path}/authenticator/confirm`)
  const key = /id="key" value="([A-Z2-7 ]+)"/.exec(html)?.[1] ?? ''
  const confirmed = await visitor.post(`${path}/authenticator/confirm`, { code: totpOf(key) })
  expect(confirmed.location).toBe(`${path}/backup-codes/new`)
  const shown = await visitor.get(confirmed.location ?? '')
  const codes = codesIn(shown)
  expect(codes).toHaveLength(10)
  // The next sign-in uses a later code: the first one is used up.
  rest()
  return { key, codes }
}

/** A member with an authenticator app, and another browser in which nobody is signed in. */
async function memberWithApp(team?: Team) {
  const member = await signedIn(app, team ?? (await app.team()), 'editor')
  const secrets = await setUpApp(member)
  return { member, visitor: person(app.base), ...secrets }
}

/** The backup codes that a page shows. */
const codesIn = ({ html }: { html: string }) => {
  const [, list = ''] = /id="codes"[^>]*>([^<]*)/.exec(html) ?? []
  return [...list.matchAll(/\w{5}-\w{5}/g)].map(([code]) => code)
}

const enter = (visitor: Person, code: string) => visitor.post('/login/second-factor', { code })

test('an authenticator app is set up with a QR code or a key, and then a sign-in needs its code', async () => {
  const member = await signedIn(app, await app.team(), 'editor')
  expect((await member.get('/account')).html).toContain('Off: whoever knows your password')
  const wrong = await member.post(`${path}/authenticator`, { password: 'not the password' })
  expect([wrong.status, wrong.html.includes('id="password-error"')]).toEqual([422, true])
  const { key } = await setUpApp(member)
  expect((await member.get('/account')).html).toContain('On: signing in takes more')

  const visitor = person(app.base)
  const first = await visitor.post('/login?next=%2Faccount', {
    email: member.email,
    password: testPassword,
  })
  expect(first.location).toBe('/login/second-factor?next=%2Faccount')
  expect(visitor.cookies.has('tidings_session')).toBeFalse()
  expect((await visitor.get('/library')).location).toBe('/login')
  const shown = await visitor.get(first.location ?? '')
  expect(shown.html).toContain(`You are signing in as ${member.email}.`)
  const refused = await visitor.post(first.location ?? '', { code: '000000' })
  expect([refused.status, refused.html.includes('id="code-error"')]).toEqual([422, true])
  expect((await visitor.post(first.location ?? '', { code: totpOf(key) })).location).toBe(
    '/account',
  )
  expect((await visitor.get('/library')).status).toBe(200)
})

test('the page of the QR code contains the key as an image and as text, and nothing that the policy forbids', async () => {
  const member = await signedIn(app, await app.team(), 'editor')
  await member.post(`${path}/authenticator`, { password: testPassword })
  const { html } = await member.get(`${path}/authenticator/confirm`)
  expect(html).toContain('<svg')
  expect(html).not.toMatch(/<script(?![^>]* (?:src=|type="application\/json"))|style=/)
})

test('the key of an authenticator app is shown for a quarter of an hour to who has entered the password, and in no other session', async () => {
  const member = await signedIn(app, await app.team(), 'editor')
  const thief = person(app.base)
  await logIn(thief, member.email)
  await thief.get(path)
  await member.post(`${path}/authenticator`, { password: testPassword })
  const confirm = `${path}/authenticator/confirm`
  const { html } = await member.get(confirm)
  const code = totpOf(/id="key" value="([A-Z2-7 ]+)"/.exec(html)?.[1] ?? '')
  for (const seen of [await thief.get(confirm), await thief.post(confirm, { code })]) {
    expect(seen.location).toBe(`${path}/authenticator`)
  }
  expect((await member.get(confirm)).status).toBe(200)
  clock = new Date(clock.getTime() + 15 * 60_000)
  expect((await member.get(confirm)).location).toBe(`${path}/authenticator`)
})

test('an authenticator app that is set up is not replaced by one whose key nobody has seen', async () => {
  const { member, visitor, key } = await memberWithApp()
  const again = await member.post(`${path}/authenticator`, { password: testPassword })
  expect(again.location).toBe(path)
  await logIn(visitor, member.email)
  expect((await enter(visitor, totpOf(key))).status).toBe(303)
})

test('a code of an authenticator app cannot be used twice, also not at the same moment', async () => {
  const { member, key } = await memberWithApp()
  const code = totpOf(key)
  const visitors = [1, 2, 3, 4].map(() => person(app.base))
  for (const visitor of visitors) await logIn(visitor, member.email)
  const replies = await Promise.all(visitors.map((visitor) => enter(visitor, code)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 422, 422, 422])
})

test('sign-in forms whose buttons are pressed twice start one session', async () => {
  const { member, key } = await memberWithApp()
  const visitor = person(app.base)
  const credentials = { email: member.email, password: testPassword }
  const passwords = await pressTwice(visitor, '/login', credentials)
  expect(passwords.map(({ location }) => location)).toEqual(Array(2).fill('/login/second-factor'))
  const codes = await pressTwice(visitor, '/login/second-factor', { code: totpOf(key) })
  expect(codes.map(({ status }) => status)).toEqual([303, 303])
  expect((await visitor.get('/library')).status).toBe(200)
  const { html } = await visitor.get('/account')
  expect(html.match(/\/account\/sessions\/[\w-]+\/end"/g) ?? []).toHaveLength(1)
})

test('a code that confirmed an authenticator app does not sign anybody in', async () => {
  const member = await signedIn(app, await app.team(), 'editor')
  await member.post(`${path}/authenticator`, { password: testPassword })
  const { html } = await member.get(`${path}/authenticator/confirm`)
  const code = totpOf(/id="key" value="([A-Z2-7 ]+)"/.exec(html)?.[1] ?? '')
  expect((await member.post(`${path}/authenticator/confirm`, { code })).status).toBe(303)
  const visitor = person(app.base)
  await logIn(visitor, member.email)
  expect((await enter(visitor, code)).status).toBe(422)
})

test('guessing codes stops after a few attempts, although every sign-in starts a new challenge', async () => {
  const { member } = await memberWithApp()
  const statuses: number[] = []
  for (let at = 0; at < 12; at++) {
    const visitor = person(app.base)
    await logIn(visitor, member.email)
    statuses.push((await enter(visitor, String(100_000 + at))).status)
  }
  expect(statuses).toEqual([...Array(8).fill(422), ...Array(4).fill(429)])
})

test('guesses of codes do not delay a device on which the owner has signed in before', async () => {
  const { member, key } = await memberWithApp()
  for (let at = 0; at < 10; at++) {
    const guesser = person(app.base)
    await logIn(guesser, member.email)
    await enter(guesser, String(200_000 + at))
  }
  await member.post('/logout')
  await logIn(member, member.email)
  expect((await enter(member, totpOf(key))).status).toBe(303)
})

test('one challenge accepts five wrong codes, and then the sign-in starts again', async () => {
  const { member, visitor, key } = await memberWithApp()
  await logIn(visitor, member.email)
  for (let at = 0; at < 5; at++) await enter(visitor, String(300_000 + at))
  expect((await enter(visitor, totpOf(key))).status).toBe(422)
})

test('a backup code signs in once', async () => {
  const { member, visitor, codes } = await memberWithApp()
  const [code = ''] = codes
  await logIn(visitor, member.email)
  expect((await enter(visitor, ` ${code} `)).status).toBe(303)
  const again = person(app.base)
  await logIn(again, member.email)
  expect((await enter(again, code)).status).toBe(422)
  const rows = await app.sql`select action from audit_log where action = 'backup_code_used'`
  expect(rows).toHaveLength(1)
})

test('new backup codes replace the earlier ones, and need the password', async () => {
  const { member, visitor, codes } = await memberWithApp()
  const refused = await member.post(`${path}/backup-codes`, { password: 'not the password' })
  expect(refused.status).toBe(422)
  await member.post(`${path}/backup-codes`, { password: testPassword })
  const [code = ''] = codesIn(await member.get(`${path}/backup-codes/new`))
  expect(codesIn(await member.get(`${path}/backup-codes/new`))).toEqual([])
  await logIn(visitor, member.email)
  expect((await enter(visitor, codes[0] ?? '')).status).toBe(422)
  expect((await enter(visitor, code)).status).toBe(303)
})

test('setting up an authenticator app beside a passkey keeps the backup codes, also when it is not completed', async () => {
  const { member, codes } = await memberWithApp()
  const { accountId } = member
  await storePasskey(app.sql, { accountId, origin: 'http://tidings.test' })
  await member.post(`${path}/authenticator/remove`, { password: testPassword })
  const signInWith = async (code: string) => {
    const visitor = person(app.base)
    await logIn(visitor, member.email)
    return (await enter(visitor, code)).status
  }
  const start = async () => {
    await member.post(`${path}/authenticator`, { password: testPassword })
    const { html } = await member.get(`${path}/authenticator/confirm`)
    return /id="key" value="([A-Z2-7 ]+)"/.exec(html)?.[1] ?? ''
  }
  const abandoned = await start()
  expect(await signInWith(codes[0] ?? '')).toBe(303)
  const key = await start()
  expect(key).not.toBe(abandoned)
  const seen = await member.post(`${path}/authenticator/confirm`, { code: totpOf(key) })
  expect(seen.location).toBe(path)
  expect((await member.get(path)).html).toContain('The authenticator app is set up.')
  rest()
  expect(await signInWith(codes[0] ?? '')).toBe(422)
  expect(await signInWith(codes[1] ?? '')).toBe(303)
  expect(await signInWith(totpOf(key))).toBe(303)
})

test('without a second factor there are no backup codes', async () => {
  const member = await signedIn(app, await app.team(), 'viewer')
  const seen = await member.post(`${path}/backup-codes`, { password: testPassword })
  expect(seen).toMatchObject({ status: 303, location: path })
})

test('a sign-in that waits for its second factor ends when the password changes', async () => {
  const { member, visitor, codes } = await memberWithApp()
  await logIn(visitor, member.email)
  await member.post('/account/password', { current: testPassword, password: 'another long way' })
  expect((await enter(visitor, codes[0] ?? '')).location).toBe('/login')
  expect(visitor.cookies.has('tidings_session')).toBeFalse()
})

test('a sign-in that waits for its second factor ends when the password is reset', async () => {
  const team = await app.team()
  const admin = await signedIn(app, team, 'admin')
  const { member, visitor, codes } = await memberWithApp(team)
  const { html } = await admin.post(`/settings/members/${member.id}/password`)
  const link = new URL(/id="link" value="([^"]+)"/.exec(html)?.[1] ?? app.base).pathname
  await logIn(visitor, member.email)
  await person(app.base).post(link, { password: 'another long way' })
  expect((await enter(visitor, codes[0] ?? '')).location).toBe('/login')
})

/** Begins what stores a session of an account, and stores it only when `reset` has ended or waits as well. */
async function storeSessionDuring(
  accountId: string,
  begin: () => Promise<unknown>,
  reset: () => Promise<unknown>,
): Promise<void> {
  await app.sql.unsafe(`
    create function wait_for_test() returns trigger language plpgsql as $$ begin
      if new.account_id = '${accountId}' then perform pg_advisory_xact_lock(244); end if;
      return new;
    end $$;
    create trigger wait_for_test before insert on sessions
      for each row execute function wait_for_test()`)
  const observer = connect(app.database.address, { name: 'observer', max: 2, ...withoutTimeLimits })
  try {
    const both = await transaction(
      observer,
      async (tx) => {
        await tx`select pg_advisory_xact_lock(244)`
        const begun = begin()
        await until(async () => (await countLockWaits(observer)) > 0)
        let isReset = false
        const resetting = reset().finally(() => {
          isReset = true
        })
        await until(async () => isReset || (await countLockWaits(observer)) > 1)
        return { begun, resetting }
      },
      240_000,
    )
    await Promise.all([both.begun, both.resetting])
  } finally {
    await observer.end()
    await app.sql`drop function wait_for_test cascade`
  }
}

test.each([
  { step: 'a sign-in with the old password', hasApp: false, entersCode: false },
  { step: 'a sign-in with the old password and a second factor', hasApp: true, entersCode: false },
  { step: 'a code after the old password', hasApp: true, entersCode: true },
])('$step starts no session when the password is reset at the same moment', async (one) => {
  const team = await app.team()
  const admin = await signedIn(app, team, 'admin')
  const member = await signedIn(app, team, 'editor')
  const { codes } = one.hasApp ? await setUpApp(member) : { codes: [] }
  const { html } = await admin.post(`/settings/members/${member.id}/password`)
  const link = new URL(/id="link" value="([^"]+)"/.exec(html)?.[1] ?? app.base).pathname
  const visitor = person(app.base)
  if (one.entersCode) await logIn(visitor, member.email)
  await storeSessionDuring(
    member.accountId,
    () => (one.entersCode ? enter(visitor, codes[0] ?? '') : logIn(visitor, member.email)),
    () => person(app.base).post(link, { password: 'another long way' }),
  )
  if (one.hasApp && !one.entersCode) await enter(visitor, codes[0] ?? '')
  expect((await visitor.get('/library')).location).toBe('/login')
  const next = person(app.base)
  await logIn(next, member.email, 'another long way')
  if (one.hasApp) await enter(next, codes[1] ?? '')
  expect((await next.get('/library')).status).toBe(200)
})

test('a link for a new password that somebody asks for does not end a sign-in that waits for its second factor', async () => {
  const { member, visitor, codes } = await memberWithApp()
  const sent: OutgoingMail[] = []
  const mail = { send: async (one: OutgoingMail) => void sent.push(one) }
  const mailing = await startApp({ on: app, now: () => clock, mail })
  const ask = async () => {
    await person(mailing.base).post('/forgot', { email: member.email })
    const { text } = await until(async () => sent.shift())
    return /\/reset\/\S+/.exec(text)?.[0] ?? ''
  }
  try {
    await logIn(visitor, member.email)
    const earlier = await ask()
    const link = await ask()
    expect((await enter(visitor, codes[0] ?? '')).location).toBe('/home')
    expect((await person(app.base).get(earlier)).status).toBe(404)
    expect((await person(app.base).get(link)).status).toBe(200)
  } finally {
    await mailing.close()
  }
})

test('removing the authenticator app needs the password, and turns the second factor off', async () => {
  const { member, visitor } = await memberWithApp()
  const refused = await member.post(`${path}/authenticator/remove`, { password: 'not it' })
  expect(refused.status).toBe(422)
  await member.post(`${path}/authenticator/remove`, { password: testPassword })
  expect((await logIn(visitor, member.email)).location).toBe('/home')
})

test('a challenge that has ended, or that never was, leads back to the sign-in', async () => {
  const visitor = person(app.base)
  for (const reply of [await visitor.get('/login/second-factor'), await enter(visitor, '123456')]) {
    expect(reply.location).toBe('/login')
  }
  expect((await visitor.get('/login')).html).toContain('the second step took too long')
})

test('the second step signs in the account of the password, not the one of another session in the browser', async () => {
  const { member, key } = await memberWithApp()
  const other = await memberWithApp()
  const session = other.member.cookies.get('tidings_session') ?? ''
  const visitor = person(app.base)
  await logIn(visitor, member.email)
  visitor.cookies.set('tidings_session', session)
  expect((await enter(visitor, totpOf(other.key))).status).toBe(422)
  expect((await enter(visitor, totpOf(key))).status).toBe(303)
  expect((await visitor.get('/account')).html).toContain(member.email)
})

test('a sign-in with a passkey ends the session that the browser had', async () => {
  const [visitor, member] = [
    await signedIn(app, await app.team(), 'editor'),
    await signedIn(app, await app.team(), 'editor'),
  ]
  const cookie = `tidings_session=${visitor.cookies.get('tidings_session')}`
  const { accountId } = member
  const answer = await storePasskey(app.sql, { accountId, origin: 'http://tidings.test' })
  const { html } = await visitor.get('/login/passkey')
  const seen = await visitor.post('/login/passkey', { response: answer(html) })
  expect(seen).toMatchObject({ status: 303, location: '/home' })
  expect((await visitor.get('/account')).html).toContain(member.email)
  const old = await person(app.base).get('/library', { cookie })
  expect(old).toMatchObject({ status: 303, location: '/login' })
})

test('the keys and the backup codes are encrypted in the database, and are not in the log', async () => {
  const { key, codes } = await memberWithApp()
  const stored = JSON.stringify(await app.sql`select * from two_factors`)
  const log = app.logLines.join('')
  const secret = Buffer.from(key.replaceAll(' ', ''), 'latin1').toString()
  for (const text of [secret, ...codes]) {
    expect(stored).not.toContain(text)
    expect(log).not.toContain(text)
  }
})

test('a rotation of the secret keeps authenticator apps and backup codes', async () => {
  const to = 'another secret of the tests, long enough'
  const { member, key, codes } = await memberWithApp()
  for (const { table, column, reencrypt } of encryptedColumns) {
    if (table !== 'two_factors') continue
    const [row] = await app.sql<{ id: string; value: string }[]>`
      select id, ${app.sql(column)} as value from two_factors
      where account_id = ${member.accountId}`
    const { id, value } = row ?? { id: '', value: '' }
    const next = await reencrypt(id, value, { from: testSecret, to })
    await expect(reencrypt(id, next, { from: testSecret, to })).rejects.toThrow()
    const back = await reencrypt(id, next, { from: to, to: testSecret })
    await app.sql`update two_factors set ${app.sql({ [column]: String(back) })} where id = ${id}`
  }
  const visitor = person(app.base)
  await logIn(visitor, member.email)
  expect((await enter(visitor, totpOf(key))).status).toBe(303)
  await logIn(visitor, member.email)
  expect((await enter(visitor, codes[1] ?? '')).status).toBe(303)
})

test('a team can require a second factor: who has none sets it up before anything else', async () => {
  const team = await app.team()
  const admin = await signedIn(app, team, 'admin')
  const member = await signedIn(app, team, 'editor')
  await setUpApp(admin)
  expect((await member.post('/settings/members/second-factor', { required: 'on' })).status).toBe(
    403,
  )
  await admin.post('/settings/members/second-factor', { required: 'on' })
  for (const page of ['/library', '/newsletters', '/account', '/settings/keys']) {
    expect((await member.get(page)).location).toBe(path)
  }
  expect((await member.get(path)).html).toContain('requires a second factor')
  await setUpApp(member)
  expect((await member.get('/library')).status).toBe(200)
  expect((await admin.get('/library')).status).toBe(200)
  await admin.post('/settings/members/second-factor', {})
  const other = await signedIn(app, team, 'viewer')
  expect((await other.get('/library')).status).toBe(200)
  const { html } = await admin.get('/settings/audit')
  expect(html).toContain('Made a second factor required')
  expect(html).toContain('Made a second factor optional')
})

test('an admin resets the second factor of a member, which ends their sessions and is in the audit log', async () => {
  const team = await app.team()
  const admin = await signedIn(app, team, 'admin')
  const { member, visitor } = await memberWithApp(team)
  expect((await admin.get('/settings/members')).html).toContain('Reset second factor')
  const asked = await admin.get(`/settings/members/${member.id}/second-factor`)
  expect(asked.html).toContain('Reset the second factor of')
  await admin.post(`/settings/members/${member.id}/second-factor`)
  expect((await member.get('/library')).location).toBe('/login')
  expect((await logIn(visitor, member.email)).location).toBe('/home')
  expect((await admin.get('/settings/audit')).html).toContain('Reset the second factor of a member')
})

test('an admin cannot reset the second factor of a person who belongs to another team, too', async () => {
  const [one, two] = [await app.team(), await app.team()]
  const admin = await signedIn(app, one, 'admin')
  const { member, visitor } = await memberWithApp(one)
  await app.sql`
    insert into members (id, team_id, email, name, role, account_id, created_at)
    values (${`mb_${crypto.randomUUID()}`}, ${two.id}, ${member.email}, 'M', 'viewer', ${member.accountId}, now())`
  expect((await admin.post(`/settings/members/${member.id}/second-factor`)).status).toBe(403)
  expect((await logIn(visitor, member.email)).location).toBe('/login/second-factor')
})

test('an invitation is accepted after the second factor, and typed text survives it', async () => {
  const { member, key, codes } = await memberWithApp()
  const admin = await signedIn(app, await app.team(), 'admin')
  const { location } = await admin.post('/settings/members', {
    name: 'M',
    email: member.email,
    role: 'viewer',
  })
  const { html } = await admin.get(location ?? '')
  const join = new URL(/id="link" value="([^"]+)"/.exec(html)?.[1] ?? '').pathname
  const visitor = person(app.base)
  const first = await visitor.post(join, { password: testPassword })
  expect(first.location).toBe(`/login/second-factor?next=${encodeURIComponent(join)}`)
  expect((await visitor.post(first.location ?? '', { code: totpOf(key) })).location).toBe(join)
  expect((await visitor.get(join)).html).toContain(`You are signed in as ${member.email}.`)
  expect((await visitor.post(join)).location).toBe('/library')
  rest()

  const late = person(app.base)
  const kept = { action: '/library/new', 'kept.title': 'Typed before the session ended' }
  const asked = await late.post('/login/continue', {
    ...kept,
    email: member.email,
    password: testPassword,
  })
  expect(asked.html).toContain('action="/login/continue/code"')
  expect(asked.html).toContain('Typed before the session ended')
  const wrong = await late.post('/login/continue/code', { ...kept, code: '111111' })
  expect([wrong.status, wrong.html.includes('Typed before')]).toEqual([422, true])
  const done = await late.post('/login/continue/code', { ...kept, code: codes[0] ?? '' })
  expect(done.html).toContain('Save what I typed')
  expect(done.html).toContain('Typed before the session ended')
})

/** Removes a passkey, which a browser had added. */
async function removePasskeyOf(visitor: Person & { accountId: string }) {
  const { accountId } = visitor
  await storePasskey(app.sql, { accountId, origin: 'http://tidings.test' })
  const [passkey] = await app.sql`select id from passkeys where account_id = ${accountId}`
  const removal = `/account/passkeys/${passkey?.['id']}/remove`
  return await visitor.post(removal, { password: testPassword })
}

test('a person gets an email about each change of their second factor, and all changes beyond five emails in one', async () => {
  const server = await startMailServer()
  const sender = { name: 'Tidings', address: 'news@people.test' }
  const mailing = await startApp({
    on: app,
    now: () => clock,
    mail: smtpTransport(server.url, sender),
  })
  /** The subject and the text of the email about the change that `work` makes. */
  const emailAbout = async (work: () => Promise<{ status: number }>) => {
    expect((await work()).status).toBe(303)
    const received = server.mails.length + 1
    await server.received(received)
    const { subject, text, html } = server.mails[received - 1] ?? {}
    return { subject, text: text ?? '', html: html || '' }
  }
  try {
    const team = await app.team()
    const admin = await signedIn(mailing, team, 'admin', { name: 'Ada Admin' })
    const visitor = await signedIn(mailing, team, 'editor')
    const { email } = visitor
    await app.sql`
      update accounts set language = 'de', time_zone = 'Asia/Tokyo' where id = ${admin.accountId}`
    const { key, codes } = await setUpApp(visitor)
    await server.received(1)
    const [first] = server.mails
    expect(first?.subject).toBe('An authenticator app was set up for your Tidings account')
    expect(first?.envelope.to).toEqual([email])
    for (const part of [first?.text ?? '', first?.html || '']) {
      expect(part).toMatch(
        /This happened on \w+day, .+ UTC, from the network address 127\.0\.0\.1\./,
      )
      expect(part).toContain('If not, somebody else may use your account')
      expect(part).toContain('http://tidings.test/account')
      for (const secret of [key, key.replaceAll(' ', ''), ...codes])
        expect(part).not.toContain(secret)
    }

    const created = await emailAbout(() =>
      visitor.post(`${path}/backup-codes`, { password: testPassword }),
    )
    expect(created.subject).toBe('New backup codes were created for your Tidings account')
    const [code = ''] = codesIn(await visitor.get(`${path}/backup-codes/new`))
    const other = person(mailing.base)
    await logIn(other, email)
    const used = await emailAbout(() => enter(other, code))
    expect(used.subject).toBe('A backup code was used to sign in to your Tidings account')
    expect(used.text).not.toContain(code)
    const removed = await emailAbout(() => removePasskeyOf(visitor))
    expect(removed.subject).toBe('A passkey was removed from your Tidings account')
    for (const part of [removed.text, removed.html])
      expect(part).toContain('The passkey is called “My key”.')
    const reset = await emailAbout(() =>
      admin.post(`/settings/members/${visitor.id}/second-factor`),
    )
    expect(reset.subject).toBe('The second factor of your Tidings account was removed')
    expect(reset.text).toContain(`Ada Admin (${admin.email}) did this on`)
    expect(reset.text).not.toContain('127.0.0.1')

    // The next three changes wait for their time.
    await logIn(visitor, email)
    await visitor.get(path)
    for (const _ of [1, 2]) await removePasskeyOf(visitor)
    await visitor.post('/account/password', { current: testPassword, password: 'a <b>new</b> way' })
    await until(async () => {
      const waiting = await app.sql`
        select from pgboss.job where name = 'compose-account-email' and state = 'created'
          and start_after > now()`
      return waiting.length === 3
    })
    expect(server.mails).toHaveLength(5)
    clock = new Date(clock.getTime() + 10 * 60_000)
    await app.sql`update pgboss.job set start_after = now() where name = 'compose-account-email'`
    await server.received(6)
    const last = server.mails[5]
    expect(last?.subject).toBe('3 changes to your Tidings account')
    const titles = last?.text?.match(/(?<=^• ).+(?= \()/gm)
    expect(titles).toEqual([
      'A passkey was removed from your Tidings account',
      'A passkey was removed from your Tidings account',
      'The password of your Tidings account was changed',
    ])
    for (const title of titles ?? []) expect(last?.html || '').toContain(title)
    expect(last?.text).toContain('Choose a new password:\nhttp://tidings.test/forgot\n')

    await setUpApp(admin)
    await server.received(7)
    const german = server.mails[6]
    expect(german?.subject).toBe('Für Ihr Tidings-Konto wurde eine Authenticator-App eingerichtet')
    expect(german?.text).toMatch(/Das geschah am \w+tag, .+ GMT\+9, von der Netzwerkadresse 127/)
    await until(async () => {
      const left = await app.sql`select from pgboss.job
        where name like '%-account-email' and state < 'completed'`
      return left.length === 0
    })
    expect(server.mails).toHaveLength(7)
    expect(await app.sql`select from account_changes`).toHaveLength(0)
  } finally {
    await mailing.close()
    await server.close()
  }
})
