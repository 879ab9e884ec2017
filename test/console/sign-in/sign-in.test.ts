import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { startApp, type TestApp } from '../../support/app.ts'
import { logIn, member, person, signedIn, testPassword } from '../../support/console.ts'
import { withPasswordHashesOfFullCost } from '../../support/password-hashes.ts'
import { until } from '../../support/until.ts'

let clock = new Date()
let app: TestApp

beforeAll(async () => {
  app = await startApp({ now: () => clock, trustedProxies: 0 })
})
afterAll(async () => await app.close())

/** Long enough for everybody to have all their attempts again. */
const moveClockPastLimit = () => {
  clock = new Date(clock.getTime() + 24 * 3_600_000)
}

test('signing in redirects to the requested page or the start page', async () => {
  const { email } = await member(app, await app.team(), 'viewer')
  const visitor = person(app.base)
  const sentAway = await visitor.get('/account?a=1')
  expect(sentAway).toMatchObject({ status: 303, location: '/login?next=%2Faccount%3Fa%3D1' })
  const { location } = await visitor.post(sentAway.location ?? '', {
    email,
    password: testPassword,
  })
  expect(location).toBe('/account?a=1')
  expect((await visitor.get('/login')).location).toBe('/home')
  // Browsers and servers refuse an address that contains an even longer one.
  const { location: withoutNext } = await person(app.base).get(
    `/library?q=${'%C3%BC'.repeat(1500)}`,
  )
  expect(withoutNext).toBe('/login')
})

test('a person whose session ended while writing without JavaScript is asked only for the password', async () => {
  const { email } = await member(app, await app.team(), 'editor')
  const visitor = person(app.base)
  await logIn(visitor, email)
  const { html } = await visitor.get('/library/new')
  expect(html).toContain(`name="signed_in_as" value="${email}"`)
  visitor.cookies.clear()
  const fields = { title: 'A long story', signed_in_as: email }
  const again = await visitor.post('/library/new', fields)
  expect(again).toMatchObject({ status: 401 })
  expect(again.html).toMatch(new RegExp(`<input id="email"[^>]* value="${RegExp.escape(email)}"`))
  expect(again.html).toMatch(/<input id="password"[^>]* autofocus/)
  expect(again.html).toContain('name="kept.title" value="A long story"')
  expect(again.html).not.toContain('kept.signed_in_as')
})

test.each([
  ['//evil.example', '/home'],
  ['/\\evil.example', '/home'],
  ['https:evil.example', '/home'],
  ['https://evil.example/', '/home'],
  ['%2f%2fevil.example', '/home'],
  ['javascript:alert(1)', '/home'],
  ['/\t/evil.example', '/home'],
  ['/a/..//evil.example', '/home'],
  ['/settings/keys?x=1', '/settings/keys?x=1'],
])('signing in with next=%s redirects to %s', async (next, location) => {
  const { email } = await member(app, await app.team(), 'viewer')
  const path = `/login?next=${encodeURIComponent(next)}`
  const seen = await person(app.base).post(path, { email, password: testPassword })
  expect(seen.location).toBe(location)
  expect((await person(app.base).get(`/login?next=${next}`)).status).toBe(200)
})

test('every sign-in creates a new session and ends the previous one of the browser', async () => {
  const { email } = await member(app, await app.team(), 'viewer')
  const visitor = person(app.base)
  visitor.cookies.set('tidings_session', 'chosen-by-somebody-else')
  await logIn(visitor, email)
  const first = visitor.cookies.get('tidings_session') ?? ''
  expect(first).not.toBe('chosen-by-somebody-else')
  await logIn(visitor, email)
  expect(visitor.cookies.get('tidings_session')).not.toBe(first)
  expect((await visitor.get('/library')).status).toBe(200)
  const old = await person(app.base).get('/library', { cookie: `tidings_session=${first}` })
  expect(old.location).toBe('/login')
})

test('a copied session cookie does not work after signing out', async () => {
  const visitor = await signedIn(app, await app.team(), 'viewer')
  const cookie = `tidings_session=${visitor.cookies.get('tidings_session')}`
  expect((await visitor.post('/logout')).location).toBe('/login')
  expect(visitor.cookies.has('tidings_session')).toBeFalse()
  expect((await person(app.base).get('/library', { cookie })).location).toBe('/login')
})

test('a session id is long, and a changed one is rejected', async () => {
  const visitor = await signedIn(app, await app.team(), 'viewer')
  const cookie = decodeURIComponent(visitor.cookies.get('tidings_session') ?? '')
  const [id = '', signature = ''] = cookie.split('.')
  expect(id).toMatch(/^\w{32}$/)
  expect(Buffer.from(signature, 'base64')).toHaveLength(32)
  for (const forged of [
    id,
    `${id}.`,
    `${id}.${btoa('x'.repeat(32))}`,
    `${id.slice(1)}a.${signature}`,
  ]) {
    const { location } = await person(app.base).get('/library', {
      cookie: `tidings_session=${encodeURIComponent(forged)}`,
    })
    expect(location).toBe('/login')
  }
})

test('over https the session cookie is bound to the host and to https', async () => {
  const secure = await startApp({ baseUrl: 'https://tidings.test', on: app, now: () => clock })
  try {
    const { email } = await member(app, await app.team(), 'viewer')
    const { headers } = await logIn(person(secure.base), email)
    const [cookie = ''] = headers.getSetCookie()
    expect(cookie).toStartWith('__Host-tidings_session=')
    for (const attribute of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/']) {
      expect(cookie).toContain(attribute)
    }
    expect(cookie).not.toContain('Domain')
    const [, device] = headers.getSetCookie()
    expect(device).toMatch(/^__Host-tidings_device_.+; Path=\/;.+; HttpOnly; SameSite=Lax; Secure$/)
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    const { headers: plain } = await logIn(person(app.base), email)
    expect(plain.getSetCookie()[0]).toContain('HttpOnly; SameSite=Lax')
    expect(plain.has('strict-transport-security')).toBeFalse()
  } finally {
    await secure.close()
  }
})

test('a wrong password and an unknown address get the same page and the same number of slow password hashes', async () => {
  moveClockPastLimit()
  const { email } = await member(app, await app.team(), 'viewer')
  const attempt = async (address: string) => {
    const [hash, verify] = [spyOn(Bun.password, 'hash'), spyOn(Bun.password, 'verify')]
    const { status, html } = await logIn(person(app.base), address, 'not the password')
    const calls = hash.mock.calls.length + verify.mock.calls.length
    hash.mockRestore()
    verify.mockRestore()
    const same = html.replaceAll(address, 'somebody').replace(/nonce-\w+/g, '')
    return { status, calls, html: same.replace(/name="submission" value="[^"]+"/g, '') }
  }
  const known = await attempt(email)
  expect(known.calls).toBe(1)
  expect(await attempt('nobody@people.test')).toEqual(known)
})

test('guessing the password of one account is stopped within ten attempts, with the time when to try again', async () => {
  moveClockPastLimit()
  const { email } = await member(app, await app.team(), 'viewer')
  const statuses: number[] = []
  for (let at = 0; at < 12; at++) {
    statuses.push((await logIn(person(app.base), email, `guess number ${at}`)).status)
  }
  expect(statuses).toEqual([...Array(8).fill(422), ...Array(4).fill(429)])
  const refused = await logIn(person(app.base), email)
  expect(refused.status).toBe(429)
  const wait = Number(refused.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(60)
  clock = new Date(clock.getTime() + wait * 1000)
  expect((await logIn(person(app.base), email)).status).toBe(303)
  // Whoever knows the password is free of the earlier guesses.
  expect((await logIn(person(app.base), email)).status).toBe(303)
})

test('concurrent guesses are all counted, whatever address their headers claim', async () => {
  moveClockPastLimit()
  const { email } = await member(app, await app.team(), 'viewer')
  const guesses = Array.from({ length: 50 }, (_, at) =>
    person(app.base).post(
      '/login',
      { email: at % 2 ? email : ` ${email.toUpperCase()} `, password: `guess number ${at}` },
      { 'x-forwarded-for': `203.0.113.${at}` },
    ),
  )
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 422)).toHaveLength(8)
  expect(statuses.filter((status) => status === 429)).toHaveLength(42)
})

test('guessing one password on many accounts is stopped, and other networks are not affected', async () => {
  const proxied = await startApp({ on: app, now: () => clock, trustedProxies: 1 })
  try {
    moveClockPastLimit()
    const { email } = await member(app, await app.team(), 'viewer')
    const from = (address: string, mail: string, password: string) =>
      person(proxied.base).post(
        '/login',
        { email: mail, password },
        { 'x-forwarded-for': `198.51.100.1, ${address}` },
      )
    const statuses: number[] = []
    for (let at = 0; at < 44; at++) {
      // Addresses of one customer: the same /64. Some proxies add the port, which each connection has its own of.
      const host = `2001:db8:1:2::${(at + 1).toString(16)}`
      const address = at % 2 ? host : `[${host}]:${40_000 + at}`
      statuses.push((await from(address, `nobody-${at}@people.test`, 'summer in march')).status)
    }
    expect(statuses.indexOf(429)).toBe(40)
    expect((await from('2001:db8:1:2::ffff', email, testPassword)).status).toBe(429)
    expect((await from('2001:db8:1:3::1', email, testPassword)).status).toBe(303)
    const guess = async (at: number) =>
      (await from(`192.0.2.7:${50_000 + at}`, email, `guess number ${at}`)).status
    for (let at = 0; at < 8; at++) expect(await guess(at)).toBe(422)
    expect(await guess(8)).toBe(429)
  } finally {
    await proxied.close()
  }
})

test('every character of a long password counts', async () => {
  moveClockPastLimit()
  const team = await app.team()
  const visitor = await signedIn(app, team, 'viewer')
  const long = `${'a long way home '.repeat(7)}ends here`
  const change = { current: testPassword, password: long }
  expect((await visitor.post('/account/password', change)).location).toBe('/account')
  expect(
    (await logIn(person(app.base), visitor.email, `${long.slice(0, 80)}X${long.slice(81)}`)).status,
  ).toBe(422)
  expect((await logIn(person(app.base), visitor.email, long.slice(0, 72))).status).toBe(422)
  expect((await logIn(person(app.base), visitor.email, long)).status).toBe(303)
})

test('passwords are stored as argon2id hashes, and the log contains neither passwords nor tokens', async () => {
  moveClockPastLimit()
  await withPasswordHashesOfFullCost(async () => {
    const visitor = await signedIn(app, await app.team(), 'viewer')
    const storedHash = async () => {
      const rows = await app.sql<{ password: string }[]>`
        select password from credentials where account_id = ${visitor.accountId}`
      return rows.map(({ password }) => password)
    }
    const fullCost = expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const first = await storedHash()
    expect(first).toEqual([fullCost])
    await visitor.post('/account/password', { current: testPassword, password: 'another long way' })
    const second = await storedHash()
    expect(second).toEqual([fullCost])
    expect(second).not.toEqual(first)
  })
  const log = app.logLines.join('')
  for (const secret of [testPassword, 'not the password', 'tidings_session']) {
    expect(log).not.toContain(secret)
  }
})

test('the audit log contains sign-ins, failed sign-ins and sign-outs with the address', async () => {
  moveClockPastLimit()
  const team = await app.team()
  const admin = await signedIn(app, team, 'admin')
  const visitor = await signedIn(app, team, 'viewer', { name: 'Vera Example' })
  await logIn(person(app.base), visitor.email, 'not the password')
  await visitor.post('/logout')
  const textOfLog = async () =>
    (await admin.get('/settings/audit')).html.replaceAll(/\s*<[^>]+>\s*/g, ' ')
  for (const what of ['Signed in', 'Failed to sign in', 'Signed out']) {
    const row = new RegExp(`Vera Example \\(${visitor.email}\\) +${what} +127\\.0\\.0\\.1`)
    // A failed sign-in is recorded after its response.
    await until(async () => row.test(await textOfLog()))
  }
})
