import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { addMember, inviteMember, removeMember } from '../../../src/features/members/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { systemContext } from '../../../src/lib/context.ts'
import type { OutgoingMail } from '../../../src/lib/mail/mail.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import {
  logIn,
  member,
  type Person,
  person,
  signedIn,
  testPassword,
} from '../../support/console.ts'
import {
  clientId,
  clientSecret,
  respond,
  startIdentityProvider,
  type TestIdentityProvider,
} from '../../support/providers/oidc-provider.ts'
import { totpOf } from '../../support/providers/totp.ts'
import { withTimeLimitsOfTheService } from '../../support/run/time-limits.ts'
import { until } from '../../support/until.ts'

let provider: TestIdentityProvider
let app: TestApp
let team: Team

beforeAll(async () => {
  provider = await startIdentityProvider('http://tidings.test')
  app = await startApp({ identityProviders: [provider.settings()] })
  team = await app.team()
})
afterAll(async () => {
  await app.close()
  await provider.close()
})

// All tests come from one network, which may start 60 sign-ins at once.
beforeEach(async () => {
  await app.sql`delete from rate_limits`
})

const unique = (name: string) => `${name}-${crypto.randomUUID()}`
const contextOf = (one: Team) => systemContext({ sql: app.sql, now: systemClock }, one.id)

/** A person at the provider, with a verified address of their own unless the test says otherwise. */
function known(about: { email?: string | null; email_verified?: boolean; name?: string } = {}) {
  const sub = unique('sub')
  const claims = { email: `${sub}@people.test`, email_verified: true, name: 'Ada Byron', ...about }
  provider.people.set(sub, claims)
  return { sub, email: claims.email ?? '' }
}

/** Signs in with the provider and returns what the callback says. */
async function signIn(visitor: Person, sub: string, next?: string) {
  const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`
  const started = await visitor.get(`/login/oidc/okta${query}`)
  expect(started.status).toBe(303)
  return await visitor.get(await provider.signIn(started.location ?? '', sub))
}

/** The message on the page to which a refused sign-in leads. */
async function messageAfter(visitor: Person, seen: { location: string | null; status: number }) {
  expect(seen).toMatchObject({ status: 303, location: '/login' })
  const { html } = await visitor.get('/login')
  return /class="notice danger"[^>]*>\s*([^<]+)/.exec(html)?.[1]?.trim()
}

const rowsOf = async (email: string) => {
  const [accounts] = await app.sql`select count(*)::int as n from accounts where email = ${email}`
  const [links] = await app.sql`
    select count(*)::int as n from credentials c join accounts a on a.id = c.account_id
    where a.email = ${email} and c.provider_id = 'okta'`
  return { accounts: accounts?.['n'], links: links?.['n'] }
}

test('a member signs in with the identity provider and reaches the requested page', async () => {
  const { sub, email } = known()
  await member(app, team, 'editor', { email })
  const visitor = person(app.base)
  expect((await visitor.get('/login')).html).toContain('Sign in with Okta')
  expect((await signIn(visitor, sub, '/account?a=1')).location).toBe('/account?a=1')
  const { html } = await visitor.get('/account')
  expect(html).toContain(email)
  const again = person(app.base)
  expect((await signIn(again, sub)).location).toBe('/home')
  expect(await rowsOf(email)).toEqual({ accounts: 1, links: 1 })
})

test('the session of an identity provider is marked, is as long as others, and stores no token of the provider', async () => {
  const { sub, email } = known()
  const { accountId } = await member(app, team, 'viewer', { email })
  const byPassword = person(app.base)
  await logIn(byPassword, email)
  await signIn(person(app.base), sub)
  const sessions = await app.sql`
    select identity_provider, round(extract(epoch from expires_at - created_at) / 60) as minutes
    from sessions where account_id = ${accountId} order by identity_provider`
  expect(sessions.map((row) => row['identity_provider'])).toEqual([false, true])
  expect(sessions[0]?.['minutes']).toBe(sessions[1]?.['minutes'])
  const stored = await app.sql`select * from credentials where account_id = ${accountId}`
  expect(JSON.stringify(stored)).not.toMatch(/eyJ|token/)
  expect(app.logLines.join('')).not.toMatch(/eyJ|a secret of the client/)
})

test('a member without an account gets one with the first sign-in, joins all teams that added the address, and uses up their invitations', async () => {
  const { sub, email } = known({ name: 'Grace Hopper' })
  const [first, second] = [await app.team(), await app.team()]
  for (const one of [first, second]) {
    const added = await addMember(contextOf(one), { email, name: 'Grace', role: 'viewer' })
    await inviteMember(contextOf(one), added)
  }
  const visitor = person(app.base)
  expect((await signIn(visitor, sub)).location).toBe('/home')
  const { html } = await visitor.get('/account')
  expect(html).toContain(first.name)
  expect(html).toContain(second.name)
  const [left] = await app.sql`
    select count(*)::int as n from invitations i join members m on m.id = i.member_id
    where m.email = ${email}`
  expect(left?.['n']).toBe(0)
  const log = await app.sql`
    select action, subject from audit_log where team_id = ${first.id} order by id`
  expect(log.map(({ action, subject }) => [action, subject])).toEqual([
    ['member_added', `Grace (${email})`],
    ['member_invited', `Grace (${email})`],
    ['member_joined', null],
    ['signed_in', 'Okta'],
  ])
})

/** The service with a mail server, on the database of `app`, while `work` runs. */
async function withMail(
  work: (mailing: TestApp, sent: readonly OutgoingMail[]) => Promise<void>,
): Promise<void> {
  const sent: OutgoingMail[] = []
  const identityProviders = [provider.settings()]
  const mail = { send: async (email: OutgoingMail) => void sent.push(email) }
  const mailing = await startApp({ on: app, identityProviders, mail })
  try {
    await work(mailing, sent)
  } finally {
    await mailing.close()
  }
}

test('a person gets an email when their account is linked to an identity provider, and none for a new account', async () => {
  await withMail(async (mailing, sent) => {
    const [newcomer, linked] = [known(), known()]
    await addMember(contextOf(team), { email: newcomer.email, name: 'Ada', role: 'viewer' })
    await member(app, team, 'editor', { email: linked.email })
    for (const { sub } of [newcomer, linked, linked]) {
      expect((await signIn(person(mailing.base), sub)).location).toBe('/home')
    }
    await until(async () => sent.length > 0)
    expect(sent.map(({ recipient, subject }) => [recipient, subject])).toEqual([
      [linked.email, 'Your Tidings account was linked to an identity provider'],
    ])
    expect(sent[0]?.text).toContain('The identity provider is Okta.')
    expect(await app.sql`select from account_changes`).toHaveLength(0)
  })
})

test('an invitation is accepted by a sign-in with the identity provider', async () => {
  const { sub, email } = known()
  const added = await addMember(contextOf(team), { email, name: 'Ada', role: 'editor' })
  const path = `/join/${await inviteMember(contextOf(team), added)}`
  const visitor = person(app.base)
  const { html } = await visitor.get(path)
  expect(html).toContain('Join with Okta')
  const [, href = ''] = /href="(\/login\/oidc\/okta\?next=[^"]+)"/.exec(html) ?? []
  const started = await visitor.get(href)
  const back = await visitor.get(await provider.signIn(started.location ?? '', sub))
  expect(back.location).toBe('/library')
  expect((await visitor.get('/library')).status).toBe(200)
})

test('an invitation that a sign-in with the identity provider accepts leads to its team', async () => {
  const { sub, email } = known()
  const [home, zulu] = [await app.team('alpha'), await app.team('zulu')]
  await member(app, home, 'editor', { email })
  const added = await addMember(contextOf(zulu), { email, name: 'Ada', role: 'editor' })
  const visitor = person(app.base)
  const { html } = await visitor.get(`/join/${await inviteMember(contextOf(zulu), added)}`)
  const [, href = ''] = /href="(\/login\/oidc\/okta\?next=[^"]+)"/.exec(html) ?? []
  const started = await visitor.get(href)
  const back = await visitor.get(await provider.signIn(started.location ?? '', sub))
  expect(back.location).toBe('/library')
  expect((await visitor.get('/library')).html).toContain('You have joined zulu.')
  expect((await visitor.get('/account')).html).toContain('In zulu')
})

test('an address without a membership gets a clear message, and nothing is created', async () => {
  const { sub, email } = known()
  const visitor = person(app.base)
  const message = await messageAfter(visitor, await signIn(visitor, sub))
  expect(message).toBe(
    `${email} is not a member of a team. Ask an admin of your team to add this address.`,
  )
  expect(await rowsOf(email)).toEqual({ accounts: 0, links: 0 })
  expect(visitor.cookies.has('tidings_session')).toBeFalse()
})

test('a member who was removed cannot sign in, whether linked before or not', async () => {
  for (const linkedBefore of [true, false]) {
    const { sub, email } = known()
    const { id } = await member(app, team, 'editor', { email })
    const visitor = person(app.base)
    if (linkedBefore) await signIn(visitor, sub)
    await removeMember(contextOf(team), id)
    expect((await visitor.get('/library')).location).toBe('/login')
    const next = person(app.base)
    expect(await messageAfter(next, await signIn(next, sub))).toContain('is not a member of a team')
    expect(next.cookies.has('tidings_session')).toBeFalse()
  }
})

test('an address that the provider has not verified signs nobody in, and the audit log says so', async () => {
  for (const email_verified of [false, undefined]) {
    const { sub, email } = known()
    provider.people.set(sub, {
      email,
      name: 'Ada',
      ...(email_verified !== undefined && { email_verified }),
    })
    const { accountId } = await member(app, team, 'admin', { email })
    const visitor = person(app.base)
    expect(await messageAfter(visitor, await signIn(visitor, sub))).toContain('has not verified')
    expect(await rowsOf(email)).toEqual({ accounts: 1, links: 0 })
    const [entry] = await app.sql`
      select action from audit_log where actor like ${`%${email}%`} order by id desc limit 1`
    expect(entry?.['action']).toBe('sign_in_failed')
    expect(accountId).toBeTruthy()
  }
})

test('a person without an address at the provider gets a clear message', async () => {
  const { sub } = known({ email: null })
  provider.people.set(sub, { name: 'Ada' })
  const visitor = person(app.base)
  expect(await messageAfter(visitor, await signIn(visitor, sub))).toBe(
    'Okta sends no email address of yours.',
  )
})

test('a person whose address changes at the provider keeps their account, and gets no account of the new address', async () => {
  const { sub, email } = known()
  const victim = unique('victim')
  await member(app, team, 'editor', { email })
  await member(app, team, 'admin', { email: `${victim}@people.test` })
  await signIn(person(app.base), sub)
  provider.people.set(sub, { email: `${victim}@people.test`, email_verified: true, name: 'Ada' })
  const visitor = person(app.base)
  expect((await signIn(visitor, sub)).location).toBe('/home')
  const { html } = await visitor.get('/account')
  expect(html).toContain(email)
  expect(html).not.toContain(victim)
})

test('another person who gets the same address at the provider does not get the account', async () => {
  const { sub, email } = known()
  await member(app, team, 'admin', { email })
  await signIn(person(app.base), sub)
  const successor = known({ email })
  const visitor = person(app.base)
  expect(await messageAfter(visitor, await signIn(visitor, successor.sub))).toContain(
    'belongs to another person at Okta',
  )
  expect(await rowsOf(email)).toEqual({ accounts: 1, links: 1 })
})

test('a person without a password changes their second factor only in the quarter of an hour after a sign-in', async () => {
  const { sub, email } = known()
  await addMember(contextOf(team), { email, name: 'Ada', role: 'viewer' })
  const visitor = person(app.base)
  await signIn(visitor, sub)
  await visitor.get('/account')
  await app.sql`
    update sessions s set created_at = s.created_at - interval '16 minutes'
    from accounts a where a.id = s.account_id and a.email = ${email}`
  // Only then are there backup codes.
  const setSecondFactor = (isOn: boolean) =>
    app.sql`update accounts set two_factor_enabled = ${isOn} where email = ${email}`
  await setSecondFactor(true)
  const path = '/account/second-factor/authenticator'
  for (const form of [
    path,
    `${path}/remove`,
    '/account/second-factor/backup-codes',
    '/account/passkeys/new',
  ]) {
    const refused = await visitor.post(form, { name: 'My laptop' })
    expect([form, refused.status]).toEqual([form, 422])
    for (const { html } of [refused, await visitor.get(form)]) {
      expect(html).toContain('more than 15 minutes ago')
      expect(html).toContain(`href="/login/oidc/okta?next=${encodeURIComponent(form)}"`)
      expect(html).not.toContain(`action="${form}"`)
    }
  }
  // Without the identity provider there is no way to sign in again.
  const sent: OutgoingMail[] = []
  for (const [mail, advice] of [
    [null, 'Ask an admin of your team for a link with which you choose a password.'],
    [{ send: async (one: OutgoingMail) => void sent.push(one) }, 'href="/forgot"'],
  ] as const) {
    const without = await startApp({ on: app, mail })
    try {
      const stranded = person(without.base)
      for (const [name, value] of visitor.cookies) stranded.cookies.set(name, value)
      const { html } = await stranded.get(path)
      expect(html).toContain('You have no password and no passkey.')
      expect(html).toContain(advice)
      expect(html).not.toContain('more than 15 minutes ago')
      if (mail === null) continue
      await stranded.post('/forgot', { email })
      const { text } = await until(async () => sent[0])
      const reset = /\/reset\/\S+/.exec(text)?.[0] ?? ''
      await stranded.get(reset)
      expect((await stranded.post(reset, { password: testPassword })).location).toBe('/login')
    } finally {
      await without.close()
    }
  }
  await app.sql`
    delete from credentials c using accounts a
    where a.id = c.account_id and a.email = ${email} and c.provider_id = 'credential'`
  await setSecondFactor(false)
  expect((await signIn(visitor, sub, path)).location).toBe(path)
  expect((await visitor.get(path)).html).toContain(`action="${path}"`)
  expect((await visitor.post(path)).location).toBe(`${path}/confirm`)
})

test('a session of the identity provider stays one when its person changes the password or sets up an authenticator app', async () => {
  const { sub, email } = known()
  const strict = await app.team()
  await member(app, strict, 'viewer', { email })
  await app.sql`update teams set requires_second_factor = true where id = ${strict.id}`
  const visitor = person(app.base)
  await signIn(visitor, sub)
  await visitor.get('/account')
  await visitor.post('/account/password', { current: testPassword, password: 'another long way' })
  expect((await visitor.get('/library')).status).toBe(200)
  const path = '/account/second-factor/authenticator'
  const password = 'another long way'
  await visitor.post(path, { password })
  const { html } = await visitor.get(`${path}/confirm`)
  const key = /id="key" value="([A-Z2-7 ]+)"/.exec(html)?.[1] ?? ''
  expect((await visitor.post(`${path}/confirm`, { code: totpOf(key) })).status).toBe(303)
  await visitor.post(`${path}/remove`, { password })
  expect((await visitor.get('/library')).status).toBe(200)
})

const linkIn = (html: string) =>
  new URL(/id="link" value="([^"]+)"/.exec(html)?.[1] ?? app.base).pathname

test('a password that an admin can have chosen ends when its person signs in with the identity provider', async () => {
  const other = await app.team()
  const admin = await signedIn(app, team, 'admin')
  const invited = known()
  const about = { name: 'Ada', email: invited.email, role: 'viewer' }
  const { location } = await admin.post('/settings/members', about)
  const join = linkIn((await admin.get(location ?? '')).html)
  const impostor = person(app.base)
  await impostor.get(join)
  await impostor.post(join, { name: 'Ada', password: testPassword })
  const reminded = known()
  const { id } = await member(app, team, 'viewer', { email: reminded.email })
  await signIn(person(app.base), reminded.sub)
  const reset = linkIn((await admin.post(`/settings/members/${id}/password`)).html)
  await person(app.base).post(reset, { password: testPassword })

  for (const one of [invited, reminded]) {
    expect((await logIn(person(app.base), one.email)).location).toBe('/home')
    await addMember(contextOf(other), { email: one.email, name: 'Ada', role: 'admin' })
    const owner = person(app.base)
    expect((await signIn(owner, one.sub)).location).toBe('/home')
    expect((await owner.get('/account')).html).toContain(other.name)
    expect((await logIn(person(app.base), one.email)).status).toBe(422)
    expect((await signIn(person(app.base), one.sub)).location).toBe('/home')
    expect((await owner.get('/account')).status).toBe(200)
  }
  expect((await impostor.get('/library')).location).toBe('/login')
  const replaced = await app.sql`
    select subject from audit_log where team_id = ${team.id} and action = 'credentials_replaced'`
  expect(replaced.map(({ subject }) => subject)).toEqual(['Okta', 'Okta'])
})

/** A member of the identity provider with a password that an admin can have chosen, and so knows. */
async function memberWithKnownPassword() {
  const admin = await signedIn(app, team, 'admin')
  const { sub, email } = known()
  const { id } = await member(app, team, 'viewer', { email })
  await signIn(person(app.base), sub)
  // Without a mail server the admin sees the link.
  const reset = linkIn((await admin.post(`/settings/members/${id}/password`)).html)
  await person(app.base).post(reset, { password: testPassword })
  return { sub, email }
}

test('a sign-in whose address the provider has not verified does not keep a password that an admin can have chosen', async () => {
  const { sub, email } = await memberWithKnownPassword()
  provider.people.set(sub, { email, email_verified: false, name: 'Ada' })
  expect((await signIn(person(app.base), sub)).location).toBe('/home')
  provider.people.set(sub, { email, email_verified: true, name: 'Ada' })
  await signIn(person(app.base), sub)
  expect((await logIn(person(app.base), email)).status).toBe(422)
})

test('a person gets an email when their sign-in removes a password that an admin can have chosen', async () => {
  await withMail(async (mailing, sent) => {
    const { sub, email } = await memberWithKnownPassword()
    await signIn(person(mailing.base), sub)
    const removed = 'The password and the second factor of your Tidings account were removed'
    const { recipient, text } = await until(async () =>
      sent.find(({ subject }) => subject === removed),
    )
    expect(recipient).toBe(email)
    expect(text).toContain('Okta')
  })
})

test('first sign-ins of the same person at the same moment create one account and one link', async () => {
  const { sub, email } = known()
  await addMember(contextOf(team), { email, name: 'Ada', role: 'viewer' })
  const visitors = Array.from({ length: 4 }, () => person(app.base))
  const callbacks: string[] = []
  for (const visitor of visitors) {
    const { location } = await visitor.get('/login/oidc/okta')
    callbacks.push(await provider.signIn(location ?? '', sub))
  }
  const seen = await Promise.all(visitors.map((visitor, i) => visitor.get(callbacks[i] ?? '')))
  expect(seen.map(({ location }) => location)).toEqual(['/home', '/home', '/home', '/home'])
  expect(await rowsOf(email)).toEqual({ accounts: 1, links: 1 })
})

test('a callback with a missing, forged or foreign state signs nobody in', async () => {
  const { sub, email } = known()
  await member(app, team, 'admin', { email })
  const [attacker, victim] = [person(app.base), person(app.base)]
  const { location } = await attacker.get('/login/oidc/okta')
  const callback = await provider.signIn(location ?? '', sub)
  const url = new URL(callback, app.base)
  const withState = (state: string | null) => {
    const changed = new URL(url)
    if (state === null) changed.searchParams.delete('state')
    else changed.searchParams.set('state', state)
    return changed.pathname + changed.search
  }
  await victim.get('/login/oidc/okta')
  for (const path of [callback, withState(null), withState(''), withState('x'.repeat(32))]) {
    expect(await messageAfter(victim, await victim.get(path))).toContain('Sign in again')
    expect(victim.cookies.has('tidings_session')).toBeFalse()
  }
  const [name = ''] = [...attacker.cookies.keys()].filter((one) => one.includes('oidc'))
  const forged = person(app.base)
  forged.cookies.set(name, `${url.searchParams.get('state')}.${btoa('x'.repeat(32))}`)
  expect(await messageAfter(forged, await forged.get(callback))).toContain('Sign in again')
})

test('a callback of another issuer signs nobody in, and is a warning in the log and no error', async () => {
  const { sub, email } = known()
  await member(app, team, 'admin', { email })
  const visitor = person(app.base)
  const { location } = await visitor.get('/login/oidc/okta')
  const url = new URL(await provider.signIn(location ?? '', sub), app.base)
  url.searchParams.set('iss', 'https://evil.example')
  app.logLines.length = 0
  await visitor.get(url.pathname + url.search)
  expect(visitor.cookies.has('tidings_session')).toBeFalse()
  const levels = app.logLines.map((line) => JSON.parse(line).level)
  expect(levels).toContain(40)
  expect(levels).not.toContain(50)
})

test('a callback of an identity provider works once', async () => {
  const { sub, email } = known()
  await member(app, team, 'admin', { email })
  const visitor = person(app.base)
  const { location } = await visitor.get('/login/oidc/okta')
  const jar = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const callback = await provider.signIn(location ?? '', sub)
  expect((await visitor.get(callback)).location).toBe('/home')
  const replayed = person(app.base)
  const seen = await replayed.get(callback, { cookie: jar })
  expect(await messageAfter(replayed, seen)).toContain('Sign in again')
  expect(replayed.cookies.has('tidings_session')).toBeFalse()
})

test('two tabs of a browser can sign in at the same time', async () => {
  const { sub, email } = known()
  await member(app, team, 'viewer', { email })
  const visitor = person(app.base)
  const first = await visitor.get('/login/oidc/okta?next=/account')
  const second = await visitor.get('/login/oidc/okta?next=/newsletters')
  const callbacks = [
    await provider.signIn(first.location ?? '', sub),
    await provider.signIn(second.location ?? '', sub),
  ]
  expect((await visitor.get(callbacks[0] ?? '')).location).toBe('/account')
  expect((await visitor.get(callbacks[1] ?? '')).location).toBe('/newsletters')
  expect((await visitor.get('/library')).status).toBe(200)
  expect([...visitor.cookies.keys()].filter((name) => name.includes('oidc'))).toEqual([])
})

test.each([
  ...['//evil.example', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)'].map(
    (next) => [next, next] as const,
  ),
  ['a path of 12,000 characters', `/library?q=${randomBytes(6000).toString('hex')}`],
] as const)(
  'after a sign-in with the identity provider, next=%s leads to the start page',
  async (_, next) => {
    const { sub, email } = known()
    await member(app, team, 'viewer', { email })
    expect((await signIn(person(app.base), sub, next)).location).toBe('/home')
  },
)

test('the broken link of an invitation signs a member in with the identity provider', async () => {
  const { sub, email } = known()
  await member(app, team, 'viewer', { email })
  const visitor = person(app.base)
  expect((await signIn(visitor, sub, '/join/%zz')).location).toBe('/library')
  expect((await visitor.get('/library')).status).toBe(200)
})

test('a provider that is not configured is not found', async () => {
  for (const path of [
    '/login/oidc/google',
    '/login/oidc/evil',
    '/login/oidc/evil/callback?code=x',
  ]) {
    expect((await person(app.base).get(path)).status).toBe(404)
  }
})

test.each([
  ['access_denied', 'The sign-in at Okta was canceled or not allowed.'],
  ['<script>alert(1)</script>', 'Okta did not sign you in. Try again in a few minutes.'],
])('the error %s of the provider leads to a clear message', async (error, message) => {
  const visitor = person(app.base)
  const query = new URLSearchParams({ error, error_description: 'Call +1 555 0100' })
  const seen = await visitor.get(`/login/oidc/okta/callback?${query}`)
  expect(await messageAfter(visitor, seen)).toBe(message)
})

/** What the callback says when the provider's token response is `respondWith`. */
async function callbackWith(respondWith: (nonce: string, sub: string) => Promise<unknown>) {
  const { sub, email } = known()
  await member(app, team, 'admin', { email })
  const visitor = person(app.base)
  const { location } = await visitor.get('/login/oidc/okta')
  const callback = await provider.signIn(location ?? '', sub)
  const nonce = new URL(location ?? '').searchParams.get('nonce') ?? ''
  const body = await respondWith(nonce, sub)
  provider.replaced.set('/token', respond(body))
  provider.replaced.set('/me', respond({ sub, email, email_verified: true }))
  try {
    const seen = await visitor.get(callback)
    return { location: seen.location, message: await messageOf(visitor), visitor }
  } finally {
    provider.replaced.clear()
  }
}

const messageOf = async (visitor: Person) =>
  /class="notice danger"[^>]*>\s*([^<]+)/.exec((await visitor.get('/login')).html)?.[1]?.trim()

const seconds = () => Math.floor(Date.now() / 1000)
const claimsOf = (nonce: string, sub: string) => ({
  iss: provider.issuer,
  aud: clientId,
  sub,
  nonce,
  iat: seconds(),
  exp: seconds() + 300,
})
const tokensWith = (id_token: string) => ({ id_token, access_token: 'x', token_type: 'Bearer' })

test('an id token with the claims that the specification requires signs a member in', async () => {
  const { location } = await callbackWith(async (nonce, sub) =>
    tokensWith(await provider.sign(claimsOf(nonce, sub))),
  )
  expect(location).toBe('/home')
})

const unsigned = (claims: object) =>
  `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`

const byClientSecret = async (claims: JWTPayload) =>
  await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(clientSecret))

async function byOtherKey(claims: JWTPayload) {
  const { privateKey } = await generateKeyPair('RS256')
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: 'first' })
    .sign(privateKey)
}

type Forgery = (claims: ReturnType<typeof claimsOf>) => Promise<string> | string
const changed =
  (change: object): Forgery =>
  (claims) =>
    provider.sign({ ...claims, ...change })

test.each<[string, Forgery]>([
  ['for another application', changed({ aud: 'another client' })],
  ['for several applications', changed({ aud: [clientId, 'another'] })],
  ['that another application asked for', changed({ azp: 'another' })],
  ['of another issuer', changed({ iss: 'https://evil.example' })],
  ['with another nonce', changed({ nonce: 'another' })],
  ['without a nonce', changed({ nonce: undefined })],
  ['that has expired', changed({ exp: seconds() - 120 })],
  ['that is not valid yet', changed({ nbf: seconds() + 600 })],
  ['without an expiry', changed({ exp: undefined })],
  ['without a subject', changed({ sub: undefined })],
  ['without a signature', unsigned],
  ['signed with the client secret', byClientSecret],
  ['signed with another key', byOtherKey],
  ['that is not a token', () => 'not.a.token'],
])('an id token %s signs nobody in', async (_, forge) => {
  const { location, message, visitor } = await callbackWith(async (nonce, sub) =>
    tokensWith(await forge(claimsOf(nonce, sub))),
  )
  expect(location).toBe('/login')
  expect(message).toBe('The response of Okta could not be verified. Try again in a few minutes.')
  expect(visitor.cookies.has('tidings_session')).toBeFalse()
})

test.each<[string, unknown]>([
  ['no JSON', '<html>'],
  ['no tokens', {}],
  ['numbers as tokens', { id_token: 1, access_token: 2 }],
  ['an array', []],
  ['more than half a megabyte', { id_token: 'x'.repeat(600_000), access_token: 'x' }],
])('a token response of %s leads to a clear message', async (_, body) => {
  const { location, message } = await callbackWith(async () => body)
  expect(location).toBe('/login')
  expect(message).toBe('Okta does not respond as expected. Try again in a few minutes.')
})

test('the response about the person must be about the person of the id token', async () => {
  const { sub, email } = known()
  const victim = known()
  await member(app, team, 'admin', { email: victim.email })
  await member(app, team, 'viewer', { email })
  const visitor = person(app.base)
  const { location } = await visitor.get('/login/oidc/okta')
  const callback = await provider.signIn(location ?? '', sub)
  provider.replaced.set(
    '/me',
    respond({ sub: victim.sub, email: victim.email, email_verified: true }),
  )
  const seen = await visitor.get(callback)
  provider.replaced.clear()
  expect(await messageAfter(visitor, seen)).toContain('could not be verified')
})

const discoveryPath = '/.well-known/openid-configuration'

test.each<[string, Parameters<typeof provider.replaced.set>[1]]>([
  ['responds with 500', respond('', 500)],
  ['responds with HTML', respond('<html>')],
  [
    'responds with a redirect',
    (_, response) => response.writeHead(302, { location: '/other' }).end(),
  ],
  [
    'describes another issuer',
    (_, response) => respond({ ...described(), issuer: 'https://evil.example' })(_, response),
  ],
  [
    'names a token endpoint without https',
    (_, response) =>
      respond({ ...described(), token_endpoint: 'http://evil.example/token' })(_, response),
  ],
  ['closes the connection', (request) => request.socket.destroy()],
  ['does not respond', () => {}],
])(
  'when the provider %s, the sign-in page says that it does not respond as expected',
  async (_, handler) => {
    const own = await startApp({ on: app, identityProviders: [provider.settings()] })
    provider.replaced.set(discoveryPath, handler)
    try {
      const visitor = person(own.base)
      await withTimeLimitsOfTheService(async () => {
        const seen = await visitor.get('/login/oidc/okta')
        expect(await messageAfter(visitor, seen)).toBe(
          'Okta does not respond as expected. Try again in a few minutes.',
        )
      })
      expect(own.logLines.join('')).toContain('the identity provider could not be used')
      expect(own.logLines.join('')).not.toContain(provider.issuer)
      provider.replaced.clear()
      // The failure is not kept.
      expect((await visitor.get('/login/oidc/okta')).location).toStartWith(provider.issuer)
    } finally {
      provider.replaced.clear()
      await own.close()
    }
  },
)

const described = () => ({
  issuer: provider.issuer,
  authorization_endpoint: `${provider.issuer}/auth`,
  token_endpoint: `${provider.issuer}/token`,
  jwks_uri: `${provider.issuer}/jwks`,
})

test('the metadata of the provider are read once for many sign-ins', async () => {
  const own = await startApp({ on: app, identityProviders: [provider.settings()] })
  try {
    provider.requests.length = 0
    await Promise.all(Array.from({ length: 5 }, () => person(own.base).get('/login/oidc/okta')))
    expect(provider.requests.filter((path) => path === discoveryPath)).toHaveLength(1)
  } finally {
    await own.close()
  }
})

test('a network can start 60 sign-ins with the identity provider at once', async () => {
  const own = await startApp({ identityProviders: [provider.settings()] })
  try {
    const starts = Array.from({ length: 63 }, () => person(own.base).get('/login/oidc/okta'))
    const statuses = (await Promise.all(starts)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
    expect(statuses.filter((status) => status === 303).length).toBeGreaterThanOrEqual(60)
  } finally {
    await own.close()
  }
})
