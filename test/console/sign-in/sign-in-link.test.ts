import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addMember, inviteMember } from '../../../src/features/members/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { systemContext } from '../../../src/lib/context.ts'
import type { OutgoingMail } from '../../../src/lib/mail/mail.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { openBrowser } from '../../support/browser/browser.ts'
import {
  logIn,
  member,
  type Person,
  person,
  pressTwice,
  signedIn,
  testPassword,
} from '../../support/console.ts'
import { type Installation, install, WithUrl } from '../../support/processes/cli.ts'
import {
  clientId,
  clientSecret,
  startIdentityProvider,
  type TestIdentityProvider,
} from '../../support/providers/oidc-provider.ts'
import { storePasskey } from '../../support/providers/passkey.ts'
import { until } from '../../support/until.ts'

let provider: TestIdentityProvider
let at: Installation
/** The same installation, with sign-in by the identity provider only. */
let app: TestApp
let team: Team

beforeAll(async () => {
  provider = await startIdentityProvider('http://tidings.test')
  at = await install()
  app = await startApp({
    on: at.app,
    identityProviders: [provider.settings()],
    passwordSignIn: false,
  })
  team = await at.app.team()
})
afterAll(async () => {
  await app.close()
  await at.remove()
  await provider.close()
})

const env = () => ({
  OIDC_OKTA_ISSUER: provider.issuer,
  OIDC_OKTA_CLIENT_ID: clientId,
  OIDC_OKTA_CLIENT_SECRET: clientSecret,
  SIGN_IN: 'oidc',
})

/** Runs a command about a member. */
const run = (command: string, email: string, settings = {}) =>
  at.tidingsWith(settings, 'member', command, '--team', team.slug, '--email', email, '--json')

const pathIn = (printed: Awaited<ReturnType<typeof run>>) =>
  new URL(printed.as(WithUrl).url).pathname

const lastActions = async (email: string) => {
  const entries = await app.sql`
    select action from audit_log where team_id = ${team.id}
      and (actor like ${`%${email}%`} or subject like ${`%${email}%`}) order by id desc limit 2`
  return entries.map(({ action }) => action)
}

test('an operator prints a link that signs a member in once, also when passwords are switched off', async () => {
  const { email } = await member(app, team, 'admin')
  const path = pathIn(await run('sign-in-link', email, env()))
  const visitor = person(app.base)
  expect((await visitor.get(path)).html).toContain('signs you in once')
  const seen = await visitor.post(path)
  expect(seen).toMatchObject({ status: 303, location: '/home' })
  expect((await visitor.get('/account')).html).toContain(email)
  expect(await lastActions(email)).toEqual(['signed_in_with_link', 'sign_in_link_made'])
  const again = person(app.base)
  expect((await again.post(path)).status).toBe(404)
  expect(again.cookies.has('tidings_session')).toBeFalse()
})

test('a link for sign-in keeps the password and the other sessions of a member who joined without email', async () => {
  const visitor = await signedIn(at.app, team, 'editor')
  await app.sql`update accounts set email_verified = false where id = ${visitor.accountId}`
  const path = pathIn(await run('sign-in-link', visitor.email, env()))
  expect((await person(app.base).post(path)).location).toBe('/home')
  expect((await visitor.get('/account')).status).toBe(200)
  expect((await logIn(person(at.app.base), visitor.email)).location).toBe('/home')
})

test('after a link for sign-in, a passkey that an admin can have added ends with the sign-in of its person at the provider', async () => {
  const { email, accountId } = await member(app, team, 'editor')
  await app.sql`update accounts set email_verified = false where id = ${accountId}`
  await storePasskey(app.sql, { accountId, origin: 'http://tidings.test' })
  const path = pathIn(await run('sign-in-link', email, env()))
  expect((await person(app.base).post(path)).location).toBe('/home')
  provider.people.set('verified', { email, email_verified: true, name: 'Ada' })
  expect((await signInWithProvider(person(app.base), 'verified')).location).toBe('/home')
  expect(await app.sql`select from passkeys where account_id = ${accountId}`).toHaveLength(0)
  expect((await logIn(person(at.app.base), email)).status).toBe(422)
})

test('a link for sign-in whose button is pressed twice signs in once', async () => {
  const { email } = await member(app, team, 'viewer')
  const visitor = person(app.base)
  const responses = await pressTwice(visitor, pathIn(await run('sign-in-link', email)))
  expect(responses.map(({ location }) => location)).toEqual(['/home', '/home'])
  expect((await visitor.get('/account')).html).toContain(email)
})

test('a link for sign-in that was not made, or is for something else, signs nobody in', async () => {
  const { email } = await member(app, team, 'viewer')
  const reset = pathIn(await run('link', email)).replace('/reset/', '')
  for (const token of ['x'.repeat(32), reset, `reset-password:${reset}`, '%00', '..%2f..']) {
    expect((await person(app.base).post(`/login/link/${token}`)).status).toBe(404)
  }
})

test('a link for sign-in is refused for an address that is not a member', async () => {
  const { code, err } = await run('sign-in-link', 'nobody@people.test')
  expect([code, err.includes('was not found')]).toEqual([1, true])
})

test('without passwords, the sign-in page shows the identity provider only, and every other way is refused', async () => {
  const { email } = await member(app, team, 'admin')
  const visitor = person(app.base)
  const { html } = await visitor.get('/login')
  expect(html).toContain('Sign in with Okta')
  expect(html).not.toMatch(/type="password"|passkey|Forgot/)
  const refusals = [
    await logIn(visitor, email),
    await visitor.get('/forgot'),
    await visitor.post('/forgot', { email }),
    await visitor.get('/reset/x'),
    await visitor.post('/reset/x', { password: 'a new way to sign in' }),
    await visitor.get('/login/passkey'),
    await visitor.post('/login/passkey', { response: '{}' }),
    await visitor.post('/login/continue', { email, password: testPassword, action: '/library' }),
  ]
  expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 403))
  expect(refusals[0]?.html).toContain('Sign in with Okta.')
  expect(visitor.cookies.has('tidings_session')).toBeFalse()
})

test('without passwords, an invitation offers the identity provider only', async () => {
  const ctx = systemContext({ sql: app.sql, now: systemClock }, team.id)
  const email = `${crypto.randomUUID()}@people.test`
  const added = await addMember(ctx, { email, name: 'Ada', role: 'viewer' })
  const path = `/join/${await inviteMember(ctx, added)}`
  const { html } = await person(app.base).get(path)
  expect(html).toContain('Join with Okta')
  expect(html).not.toContain('<form')
  const forged = await person(app.base).post(path, { name: 'Ada', password: testPassword })
  expect(forged.status).toBe(403)
})

test('without passwords, admins are offered no links for new passwords', async () => {
  const { id, email } = await member(app, team, 'viewer')
  const admin = await signedIn(at.app, team, 'admin')
  const [before, after] = [person(at.app.base), person(app.base)]
  for (const one of [before, after]) {
    one.cookies.set('tidings_session', admin.cookies.get('tidings_session') ?? '')
  }
  const path = `/settings/members/${id}/password`
  expect((await before.get('/settings/members')).html).toContain(path)
  const { html } = await after.get('/settings/members')
  expect([html.includes(email), html.includes(path)]).toEqual([true, false])
  expect((await after.post(path)).status).toBe(403)
})

test('without passwords, the command for a password link says what to run instead', async () => {
  const { email } = await member(app, team, 'viewer')
  const { code, err } = await run('link', email, env())
  expect([code, err.includes('tidings member sign-in-link')]).toEqual([1, true])
})

async function signInWithProvider(visitor: Person, sub: string) {
  const { location } = await visitor.get('/login/oidc/okta')
  return await visitor.get(await provider.signIn(location ?? '', sub))
}

test('after an operator removes the link to the identity provider, the next person with the address gets the account', async () => {
  const { email, accountId } = await member(app, team, 'editor')
  await storePasskey(app.sql, { accountId, origin: 'http://tidings.test' })
  for (const sub of ['first', 'second']) {
    provider.people.set(sub, { email, email_verified: true, name: 'Ada' })
  }
  const before = person(app.base)
  await signInWithProvider(before, 'first')
  expect((await signInWithProvider(person(app.base), 'second')).location).toBe('/login')
  const withPassword = () => logIn(person(at.app.base), email)
  expect((await withPassword()).location).toBe('/login/second-factor')
  expect((await run('unlink-identity', email)).code).toBe(0)
  expect((await withPassword()).status).toBe(422)
  const passkeys = await app.sql`select from passkeys where account_id = ${accountId}`
  expect(passkeys).toHaveLength(0)
  expect(await lastActions(email)).toContain('identity_unlinked')
  expect((await before.get('/library')).location).toBe('/login')
  expect((await signInWithProvider(person(app.base), 'second')).location).toBe('/home')
  expect((await signInWithProvider(person(app.base), 'first')).location).toBe('/login')
})

test('a member gets an email about what an operator does to their account on the command line', async () => {
  const { email, accountId } = await member(app, team, 'editor')
  provider.people.set('mailed', { email, email_verified: true, name: 'Ada' })
  await signInWithProvider(person(app.base), 'mailed')
  await storePasskey(app.sql, { accountId, origin: 'http://tidings.test' })
  const sent: OutgoingMail[] = []
  const mail = { send: async (one: OutgoingMail) => void sent.push(one) }
  const mailing = await startApp({ on: at.app, mail, passwordSignIn: false })
  const smtp = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'news@people.test' }
  const expected = {
    link: 'A link for a new password of your Tidings account was created',
    'sign-in-link': 'A link to sign in to your Tidings account was created',
    'reset-second-factor': 'The second factor of your Tidings account was removed',
    'unlink-identity':
      'Your Tidings account was unlinked from its identity provider, and its password removed',
  }
  try {
    for (const [command, subject] of Object.entries(expected)) {
      expect((await run(command, email, smtp)).code).toBe(0)
      const { text } = await until(async () => sent.find((one) => one.subject === subject))
      expect(text).toContain('An operator of Tidings did this on')
      expect(text).toContain('Check your account:\nhttp://tidings.test/account\n')
      expect(text).not.toMatch(/\/(?:forgot|reset|login)/)
    }
    expect(sent.map(({ recipient }) => recipient)).toEqual(Array(4).fill(email))
  } finally {
    await mailing.close()
  }
})

test('the link of a member who never used an identity provider cannot be removed', async () => {
  const { email } = await member(app, team, 'viewer')
  const { code, err } = await run('unlink-identity', email)
  expect([code, err.includes('has not signed in with an identity provider')]).toEqual([1, true])
})

test('a form that was sent after the session had ended is kept, and continues after a sign-in in another tab', async () => {
  const visitor = await signedIn(at.app, team, 'editor')
  provider.people.set('kept', { email: visitor.email, email_verified: true, name: 'Ada' })
  await app.sql`delete from sessions where account_id = ${visitor.accountId}`
  const browser = person(app.base)
  const sent = await browser.post('/library/new', { title: 'Kept title', body: 'Kept body' })
  expect(sent.status).toBe(401)
  expect(sent.html).toContain('target="_blank"')
  const kept = { action: '/library/new', 'kept.title': 'Kept title', 'kept.body': 'Kept body' }
  const early = await browser.post('/login/continue/session', kept)
  expect([early.status, early.html.includes('Kept title')]).toEqual([401, true])
  await signInWithProvider(browser, 'kept')
  const done = await browser.post('/login/continue/session', kept)
  expect(done.html).toContain('Save what I typed')
  expect(done.html).toContain('name="title" value="Kept title"')
})

test('without passwords, a person whose session ends signs in in another tab and continues on the same page', async () => {
  const editor = await signedIn(at.app, team, 'editor')
  const browser = await openBrowser()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const cookieOf = async (visitor: Person) =>
    await context.addCookies([
      {
        name: 'tidings_session',
        value: visitor.cookies.get('tidings_session') ?? '',
        url: app.base,
      },
    ])
  await cookieOf(editor)
  const page = await context.newPage()
  await page.goto(`${app.base}/library/new`)
  await page.getByLabel('Title').fill('Written for an hour')
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('And not lost.')
  await app.sql`delete from sessions where account_id = ${editor.accountId}`
  await page.getByRole('button', { name: 'Add to the library' }).click()
  const dialog = page.getByRole('dialog')
  const link = dialog.getByRole('link', { name: 'Sign in with Okta' })
  expect(await link.getAttribute('target')).toBe('_blank')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('You are not signed in yet.').waitFor()
  const otherTab = person(at.app.base)
  await logIn(otherTab, editor.email)
  await cookieOf(otherTab)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(/\/library\/cb_\w+$/)
  await page.getByRole('heading', { name: 'Written for an hour' }).first().waitFor()
  await browser.close()
})

test('an operator resets the second factor of a member, which ends their sessions and is in the audit log', async () => {
  const visitor = await signedIn(at.app, team, 'editor')
  await app.sql`update accounts set two_factor_enabled = true where id = ${visitor.accountId}`
  expect(await run('reset-second-factor', visitor.email)).toMatchObject({ code: 0 })
  expect((await visitor.get('/library')).location).toBe('/login')
  expect(await lastActions(visitor.email)).toContain('second_factor_reset')
  const [account] = await app.sql`
    select two_factor_enabled from accounts where id = ${visitor.accountId}`
  expect(account?.['two_factor_enabled']).toBeFalse()
  const { code } = await run('reset-second-factor', 'nobody@people.test')
  expect(code).toBe(1)
})

test('a reset of the second factor of a member who has none changes nothing and says so', async () => {
  const visitor = await signedIn(at.app, team, 'editor', { name: 'Grace' })
  const { code, err } = await run('reset-second-factor', visitor.email)
  expect([code, err]).toEqual([1, expect.stringContaining('Grace has no second factor')])
  expect((await visitor.get('/library')).status).toBe(200)
  expect(await lastActions(visitor.email)).not.toContain('second_factor_reset')
})
