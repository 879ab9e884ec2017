import { afterAll, beforeAll, expect, test } from 'bun:test'
import { purgeExpiredEmails } from '../../../src/features/account-emails/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import type { OutgoingMail } from '../../../src/lib/mail/mail.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import {
  logIn,
  member,
  type Person,
  person,
  pressTwice,
  type Seen,
  signedIn,
  testPassword,
} from '../../support/console.ts'
import { until } from '../../support/until.ts'

let app: TestApp
/** The same service, with mail set up. */
let mailing: TestApp
const sent: OutgoingMail[] = []
let mailWorks = true
/** Called after every attempt to send a mail. */
let onAttempt = () => {}

beforeAll(async () => {
  app = await startApp()
  mailing = await startApp({
    on: app,
    mail: {
      async send(mail) {
        if (mailWorks) sent.push(mail)
        onAttempt()
        if (!mailWorks) throw new Error('no route to the mail server')
        if (mail.recipient.startsWith('unknown')) {
          throw Object.assign(new Error('no such mailbox'), {
            code: 'EENVELOPE',
            responseCode: 550,
          })
        }
      },
    },
  })
})
afterAll(async () => {
  await mailing.close()
  await app.close()
})

/** The path of the link that a page shows to copy. */
const linkOnPage = ({ html }: Seen) => pathIn(/id="link" value="([^"]+)"/.exec(html)?.[1])
const linkInEmail = (mail: OutgoingMail) => pathIn(/https?:\S+/.exec(mail.text)?.[0])
const pathIn = (link: string | undefined) => new URL(link ?? '', 'http://no-link.test').pathname

/** Invites somebody; without email, the page with the link follows. */
async function invite(admin: Person, email: string, role = 'editor'): Promise<Seen> {
  const sent = await admin.post('/settings/members', { name: 'Nia Newcomer', email, role })
  return sent.location?.endsWith('/invitation') ? await admin.get(sent.location) : sent
}

const signInAdmin = (team: Team, of = app) => signedIn(of, team, 'admin', { name: 'Ada Example' })

test('without email an invitation is a link that creates an account once', async () => {
  const admin = await signInAdmin(await app.team())
  const invited = await invite(admin, 'Nia@people.test')
  expect(invited.html).toContain('Email is not configured')
  const path = linkOnPage(invited)
  const { html } = await admin.get('/settings/members')
  expect(html).toContain('Invited')
  // On a phone, a choice with an explanation would be cut.
  expect(html).toContain('<option value="editor" selected>Editor<')

  const nia = person(app.base)
  expect((await nia.get(path)).html).toContain('You are invited as nia@people.test')
  const weak = await nia.post(path, { name: 'Nia N.', password: 'password1' })
  expect([weak.status, weak.html.includes('id="password-error"')]).toEqual([422, true])
  const joined = await nia.post(path, { name: 'Nia N.', password: testPassword })
  expect(joined.location).toBe('/library')
  expect((await nia.get('/account')).html).toContain('Editor: writes')
  expect((await admin.get('/settings/members')).html).toContain('Nia N.')
  for (const again of [await person(app.base).get(path), await person(app.base).post(path)]) {
    expect(again.status).toBe(404)
  }
})

test('an invitation whose button is pressed twice is accepted once, and both responses sign the person in', async () => {
  const admin = await signInAdmin(await app.team())
  const path = linkOnPage(await invite(admin, 'hasty@people.test'))
  const hasty = person(app.base)
  const [first, second] = await pressTwice(hasty, path, { name: 'Hasty', password: testPassword })
  expect([first.location, second.location]).toEqual(['/library', '/library'])
  expect(second.headers.getSetCookie()).toEqual(first.headers.getSetCookie())
  expect((await hasty.get('/account')).html).toContain('Editor: writes')
  // The response is for who has the form: another person with the link gets nothing.
  expect((await person(app.base).post(path, { name: 'Eve', password: testPassword })).status).toBe(
    404,
  )
  const stored =
    await app.sql`select encode(response, 'escape') as text from signed_out_submissions`
  expect(JSON.stringify([...stored])).not.toContain('tidings_session')
})

test('a new invitation invalidates the earlier link', async () => {
  const admin = await signInAdmin(await app.team())
  const first = linkOnPage(await invite(admin, 'twice@people.test'))
  const { html } = await admin.get('/settings/members')
  const again = /action="(\/settings\/members\/\w+\/invite)"/.exec(html)?.[1] ?? ''
  const second = linkOnPage(await admin.get((await admin.post(again)).location ?? ''))
  expect((await person(app.base).get(first)).status).toBe(404)
  expect((await person(app.base).get(second)).status).toBe(200)
})

test('with email the invitation is sent and its link is not shown', async () => {
  const admin = await signInAdmin(await mailing.team(), mailing)
  const { location } = await invite(admin, 'post@people.test')
  expect(location).toBe('/settings/members')
  expect((await admin.get('/settings/members')).html).toContain(
    'An invitation is being sent to post@people.test.',
  )
  const mail = await waitForEmail('post@people.test')
  expect(mail.text).toContain('Ada Example invites you to the team')
  expect((await person(mailing.base).get(linkInEmail(mail))).status).toBe(200)
})

test('invitations and emails about changes wait encrypted for an unreachable mail server and are sent later', async () => {
  const admin = await signInAdmin(await mailing.team(), mailing)
  const forgetful = await member(app, await app.team(), 'viewer')
  const changing = await signedIn(mailing, await app.team(), 'viewer')
  mailWorks = false
  expect((await invite(admin, 'waits@people.test')).location).toBe('/settings/members')
  await person(mailing.base).post('/forgot', { email: forgetful.email })
  await changing.get('/account')
  const passwords = { current: testPassword, password: 'another long way' }
  expect((await changing.post('/account/password', passwords)).location).toBe('/account')
  await until(async () => (await queuedEmails()).filter(({ tried }) => tried).length === 3)
  const kept = JSON.stringify(
    await app.sql`select *, encode(encrypted, 'escape') from account_emails`,
  )
  for (const text of ['waits@people.test', forgetful.email, changing.email, '/join/', '/reset/']) {
    expect(kept).not.toContain(text)
  }
  mailWorks = true
  // Backups of earlier releases have left null out.
  await app.sql`
    update pgboss.job set start_after = now(), data = jsonb_strip_nulls(data) where state = 'retry'`
  const links = [await waitForEmail('waits@people.test'), await waitForEmail(forgetful.email)].map(
    linkInEmail,
  )
  for (const link of links) expect((await person(mailing.base).get(link)).status).toBe(200)
  const { subject, text } = await waitForEmail(changing.email)
  expect(subject).toBe('The password of your Tidings account was changed')
  expect(text).toContain('Choose a new password:\nhttp://tidings.test/forgot\n')
  await until(async () => (await queuedEmails()).length === 0)
  expect(sent.filter(({ recipient }) => recipient === forgetful.email)).toHaveLength(1)
})

test('an invitation that the mail server refuses is in the audit log', async () => {
  const team = await mailing.team()
  const admin = await signInAdmin(team, mailing)
  await invite(admin, 'unknown@people.test')
  const path = '/settings/audit?action=invitation_failed'
  await until(async () => (await admin.get(path)).html.includes('<strong>unknown@people.test'))
  await until(async () => {
    const jobs = await app.sql`
      select from pgboss.job
      where name = 'send-account-email' and data->>'teamId' = ${team.id} and state = 'failed'
        and retry_count = 0`
    return jobs.length === 1
  })
})

test('an email with an expired link is not sent', async () => {
  const admin = await signInAdmin(await mailing.team(), mailing)
  mailWorks = false
  await invite(admin, 'late@people.test')
  await until(async () => (await queuedEmails()).some(({ tried }) => tried))
  await app.sql`update account_emails set expires_at = now() - interval '1 minute'`
  await app.sql`update pgboss.job set start_after = now() where state = 'retry'`
  mailWorks = true
  await invite(admin, 'in-time@people.test')
  await waitForEmail('in-time@people.test')
  await purgeExpiredEmails({ sql: app.sql, now: systemClock })
  expect(sent.map(({ recipient }) => recipient)).not.toContain('late@people.test')
  await until(async () => (await queuedEmails()).length === 0)
})

/** The mails about accounts that have not left, and whether each was tried. */
const queuedEmails = () =>
  app.sql<{ tried: boolean }[]>`
    select j.state = 'retry' and j.start_after > now() + interval '30 seconds' as tried
    from account_emails e
    join pgboss.job j on j.name = 'send-account-email' and j.data->>'emailId' = e.id`

const attempt = () =>
  new Promise<void>((resolve) => {
    onAttempt = resolve
  })

/** The mail to an address, once it has been sent. */
async function waitForEmail(address: string): Promise<OutgoingMail> {
  for (;;) {
    const mail = sent.find(({ recipient }) => recipient === address)
    if (mail) return mail
    await attempt()
  }
}

test('a person with an account joins a second team with their password and switches between teams', async () => {
  const [home, away] = [await app.team('home'), await app.team('away')]
  const traveller = await member(app, home, 'viewer', { name: 'Tia Traveller' })
  const admin = await signInAdmin(away)
  const path = linkOnPage(await invite(admin, traveller.email, 'editor'))
  const visitor = person(app.base)
  expect((await visitor.get(path)).html).toContain(`Sign in as ${traveller.email}`)
  const wrong = await visitor.post(path, { name: 'x', password: 'chosen by a finder' })
  expect(wrong.status).toBe(422)
  expect((await visitor.post(path, { password: testPassword })).location).toBe('/library')
  expect((await visitor.get('/account')).html).toContain('In away')
  expect((await visitor.post('/account/team', { team: home.id })).location).toBe('/library')
  const { html } = await visitor.get('/account')
  expect(html).toContain('In home')
  expect(html).toContain('Viewer: reads')
})

test('a person who accepts an invitation comes to its team, with a message that names it, whatever the names of their teams', async () => {
  const [home, zulu] = [await app.team('alpha'), await app.team('zulu')]
  const [one, two] = [await member(app, home, 'viewer'), await signedIn(app, home, 'viewer')]
  const admin = await signInAdmin(zulu)
  const withPassword = person(app.base)
  const path = linkOnPage(await invite(admin, one.email, 'editor'))
  await withPassword.post(path, { password: testPassword })
  const pathOfSignedIn = linkOnPage(await invite(admin, two.email, 'editor'))
  await two.get(pathOfSignedIn)
  await two.post(pathOfSignedIn)
  for (const visitor of [withPassword, two]) {
    const { html } = await visitor.get('/library')
    expect(html).toContain('You have joined zulu.')
    expect((await visitor.get('/account')).html).toContain('In zulu')
  }
})

test('a person who changes the password stays in the team that they have chosen', async () => {
  const [home, away] = [await app.team('a home'), await app.team('the way')]
  const visitor = await signedIn(app, home, 'viewer')
  const admin = await signInAdmin(away)
  const path = linkOnPage(await invite(admin, visitor.email, 'editor'))
  await visitor.get(path)
  await visitor.post(path)
  await visitor.post('/account/team', { team: away.id })
  expect((await visitor.get('/account')).html).toContain('In the way')
  await visitor.post('/account/password', { current: testPassword, password: 'another long way' })
  expect((await visitor.get('/account')).html).toContain('In the way')
})

test('a removed member is signed out at once and needs a new invitation to return', async () => {
  const team = await app.team()
  const admin = await signInAdmin(team)
  const leaver = await signedIn(app, team, 'editor', { name: 'Lea Leaver' })
  expect((await admin.get(`/settings/members/${leaver.id}/remove`)).html).toContain(
    'Remove Lea Leaver?',
  )
  await admin.post(`/settings/members/${leaver.id}/remove`)
  expect((await leaver.get('/library')).location).toBe('/login')
  const back = person(app.base)
  await logIn(back, leaver.email)
  const shut = await back.get('/library')
  expect(shut.location).toBe('/login')
  expect((await back.get('/login')).html).toContain('no longer a member of a team')
  const path = linkOnPage(await invite(admin, leaver.email, 'viewer'))
  const invited = person(app.base)
  await logIn(invited, leaver.email)
  expect((await invited.get('/library')).location).toBe('/login')
  expect((await person(app.base).post(path, { password: testPassword })).location).toBe('/library')
})

test('an admin who has not accepted the invitation yet does not replace the last one who can sign in', async () => {
  const admin = await signedIn(app, await app.team(), 'admin')
  await admin.get('/settings/members')
  await invite(admin, `${crypto.randomUUID()}@people.test`, 'admin')
  await admin.post(`/settings/members/${admin.id}/role`, { role: 'editor' })
  expect((await admin.get('/settings/members')).html).toContain('A team needs at least one admin')
  expect((await admin.get('/settings/keys')).status).toBe(200)
})

test('a person who is removed from one of two teams keeps the other', async () => {
  const [one, two] = [await app.team(), await app.team()]
  const both = await signedIn(app, one, 'viewer')
  const admin = await signInAdmin(two)
  const path = linkOnPage(await invite(admin, both.email))
  await person(app.base).post(path, { password: testPassword })
  const adminOfOne = await signInAdmin(one)
  await adminOfOne.post(`/settings/members/${both.id}/remove`)
  await logIn(both, both.email)
  expect((await both.get('/account')).html).toContain(`In ${two.name}`)
})

test('a changed role applies from the next request, and the last admin cannot be demoted', async () => {
  const team = await app.team()
  const admin = await signInAdmin(team)
  const riser = await signedIn(app, team, 'viewer', { name: 'Rae Riser' })
  expect((await riser.get('/settings/keys')).status).toBe(403)
  await admin.post(`/settings/members/${riser.id}/role`, { role: 'admin' })
  expect((await riser.get('/settings/keys')).status).toBe(200)
  await riser.post(`/settings/members/${admin.id}/role`, { role: 'viewer' })
  expect((await admin.get('/settings/keys')).status).toBe(403)
  await riser.post(`/settings/members/${riser.id}/role`, { role: 'viewer' })
  expect((await riser.get('/settings/members')).html).toContain('A team needs at least one admin')
  await riser.post(`/settings/members/${riser.id}/remove`)
  expect((await riser.get('/settings/members')).html).toContain('A team needs at least one admin')
})

test('when two admins demote each other concurrently, one stays admin', async () => {
  const team = await app.team()
  const [one, two] = [await signInAdmin(team), await signInAdmin(team)]
  await Promise.all([
    one.post(`/settings/members/${two.id}/role`, { role: 'viewer' }),
    two.post(`/settings/members/${one.id}/role`, { role: 'viewer' }),
  ])
  const rows = await app.sql`select id from members where team_id = ${team.id} and role = 'admin'`
  expect(rows).toHaveLength(1)
})

test('a password change requires the current password and ends all other sessions', async () => {
  const team = await app.team()
  const here = await signedIn(app, team, 'viewer')
  const there = person(app.base)
  await logIn(there, here.email)
  const next = 'another long way'
  const wrong = await here.post('/account/password', { current: 'not it', password: next })
  expect([wrong.status, wrong.html.includes('id="current-error"')]).toEqual([422, true])
  const cookie = here.cookies.get('tidings_session')
  await here.post('/account/password', { current: testPassword, password: next })
  expect(here.cookies.get('tidings_session')).not.toBe(cookie)
  expect((await here.get('/library')).status).toBe(200)
  expect((await there.get('/library')).location).toBe('/login')
  expect((await logIn(person(app.base), here.email)).status).toBe(422)
  // Without a mail server, nothing waits to be sent.
  const waiting = await app.sql`select from account_changes where account_id = ${here.accountId}`
  expect(waiting).toHaveLength(0)
})

test('a password is not changed when the email about it cannot be stored', async () => {
  const visitor = await signedIn(mailing, await app.team(), 'viewer')
  await visitor.get('/account')
  await app.sql`
    alter table account_changes add constraint refused_by_test
      check (change <> 'password_changed') not valid`
  try {
    const passwords = { current: testPassword, password: 'another long way' }
    expect((await visitor.post('/account/password', passwords)).status).toBe(500)
  } finally {
    await app.sql`alter table account_changes drop constraint refused_by_test`
  }
  expect((await logIn(person(app.base), visitor.email)).location).toBe('/home')
})

test('signing out everywhere ends every session', async () => {
  const here = await signedIn(app, await app.team(), 'viewer')
  const there = person(app.base)
  await logIn(there, here.email)
  await here.post('/account/sign-out-everywhere')
  for (const browser of [here, there])
    expect((await browser.get('/library')).location).toBe('/login')
})

test('people see their sessions and can end one or all others', async () => {
  const team = await app.team()
  const here = await signedIn(app, team, 'viewer')
  const browsers = {
    'Firefox on Linux': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Safari on iPhone':
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1',
    'Unknown device': '<script>alert(1)</script>',
  }
  const [laptop, phone, other] = await Promise.all(
    Object.values(browsers).map(async (agent) => {
      const visitor = person(app.base)
      const fields = { email: here.email, password: testPassword }
      await visitor.post('/login', fields, { 'user-agent': agent })
      return visitor
    }),
  )
  const { html } = await here.get('/account')
  expect(html.match(/this browser/g)).toHaveLength(1)
  for (const device of Object.keys(browsers)) expect(html).toContain(`<strong>${device}</strong>`)
  expect(html).toContain('from 127.0.0.1')
  const end = /Safari on iPhone.+?action="([^"]+)"/s.exec(html)?.[1] ?? ''
  const stranger = await signedIn(app, team, 'admin')
  expect((await stranger.post(end)).status).toBe(404)
  expect((await here.post(end)).location).toBe('/account')
  expect((await here.post(end)).status).toBe(404)
  const inside = async () =>
    (await Promise.all([here, laptop, phone, other].map((one) => one?.get('/account')))).map(
      (seen) => seen?.status,
    )
  expect(await inside()).toEqual([200, 200, 303, 200])
  await here.post('/account/sessions/end-others')
  expect(await inside()).toEqual([200, 303, 303, 303])
  expect((await stranger.get('/account')).status).toBe(200)
})

test('the account page shows the whole IPv6 address of a session', async () => {
  const proxied = await startApp({ on: app, trustedProxies: 1 })
  try {
    const { email } = await member(app, await app.team(), 'viewer')
    const visitor = person(proxied.base, { 'x-forwarded-for': '2001:db8:1:2:3:4:5:67' })
    await logIn(visitor, email, testPassword)
    expect((await visitor.get('/account')).html).toContain('from 2001:db8:1:2:3:4:5:67')
  } finally {
    await proxied.close()
  }
})

test('a password reset link is sent by email, works once and ends all sessions', async () => {
  const visitor = await signedIn(app, await app.team(), 'viewer')
  const known = await person(mailing.base).post('/forgot', { email: visitor.email.toUpperCase() })
  const unknown = await person(mailing.base).post('/forgot', { email: 'nobody@people.test' })
  expect([known.status, known.html]).toEqual([unknown.status, unknown.html])
  const mail = await waitForEmail(visitor.email)
  expect(mail).toMatchObject({ recipient: visitor.email, teamId: null })
  const path = linkInEmail(mail)
  const kept = await app.sql`select * from account_tokens`
  expect(JSON.stringify(kept)).not.toContain(path.replace('/reset/', ''))
  expect((await person(app.base).get(path)).html).toContain('Choose a new password')
  expect((await person(app.base).post(path, { password: 'welcome1' })).status).toBe(422)
  const password = 'the third long way'
  const [one, two] = await Promise.all([
    person(app.base).post(path, { password }),
    person(app.base).post(path, { password: 'somebody else wins' }),
  ])
  expect([one?.status, two?.status].toSorted()).toEqual([303, 404])
  expect((await visitor.get('/library')).location).toBe('/login')
  expect((await person(app.base).get(path)).status).toBe(404)
  expect((await person(app.base).get(`${path.slice(0, -1)}x`)).status).toBe(404)
})

test('the forms of a forgotten password whose buttons are pressed twice send one email and set one password', async () => {
  const { email } = await member(app, await app.team(), 'viewer')
  const visitor = person(mailing.base)
  const [first, second] = await pressTwice(visitor, '/forgot', { email })
  expect([first.status, second.html]).toEqual([200, first.html])
  const path = linkInEmail(await waitForEmail(email))
  const password = 'the fourth long way'
  expect(await pressTwice(visitor, path, { password })).toMatchObject([
    { status: 303, location: '/login' },
    { status: 303, location: '/login' },
  ])
  expect((await visitor.get('/login')).html).toContain('Your new password is saved')
  expect((await logIn(visitor, email, password)).status).toBe(303)
  const subjects = () =>
    sent.filter(({ recipient }) => recipient === email).map((mail) => mail.subject)
  await until(async () => subjects().length > 1 && (await queuedEmails()).length === 0)
  expect(subjects()).toEqual([
    'Reset your Tidings password',
    'A new password was set for your Tidings account with a link',
  ])
})

test('requests for password reset links are limited like sign-ins', async () => {
  const statuses: number[] = []
  for (let at = 0; at < 10; at++) {
    statuses.push(
      (await person(mailing.base).post('/forgot', { email: 'asked@people.test' })).status,
    )
  }
  expect(statuses.indexOf(429)).toBe(8)
})

test('without email an admin can create a password reset link, which a changed password ends, but not for a person of other teams', async () => {
  const team = await app.team()
  const admin = await signInAdmin(team)
  const mate = await member(app, team, 'viewer')
  expect((await person(app.base).get('/forgot')).html).toContain('Ask an admin of your team')
  const path = linkOnPage(await admin.post(`/settings/members/${mate.id}/password`))
  const password = 'a fourth long way'
  expect((await person(app.base).post(path, { password })).location).toBe('/login')
  const visitor = person(app.base)
  expect((await logIn(visitor, mate.email, password)).status).toBe(303)
  // A link that is open ends when the person changes the password.
  const open = linkOnPage(await admin.post(`/settings/members/${mate.id}/password`))
  const next = 'a fifth long way'
  await visitor.get('/account')
  await visitor.post('/account/password', { current: password, password: next })
  expect((await person(app.base).get(open)).status).toBe(404)

  const other = await signInAdmin(await app.team())
  const invitation = linkOnPage(await invite(other, mate.email))
  await person(app.base).post(invitation, { password: next })
  expect((await admin.post(`/settings/members/${mate.id}/password`)).status).toBe(403)
})

test('the audit log contains the changes of members and passwords', async () => {
  const team = await app.team()
  const admin = await signInAdmin(team)
  const path = linkOnPage(await invite(admin, 'told@people.test'))
  await person(app.base).post(path, { name: 'Nia Newcomer', password: testPassword })
  const [row] = await app.sql`select id from members where email = 'told@people.test'`
  await admin.post(`/settings/members/${row?.['id']}/role`, { role: 'viewer' })
  await admin.post(`/settings/members/${row?.['id']}/remove`)
  await admin.post('/settings/team', {
    name: 'Renamed',
    brand_color: '#112233',
    newsletter_cadence: 'monthly',
  })
  const { html } = await admin.get('/settings/audit')
  const text = html.replaceAll(/\s*<[^>]+>\s*/g, ' ')
  for (const line of [
    'Invited a member +Nia Newcomer \\(told@people.test\\)',
    'Joined the team',
    'Changed the role of a member +Nia Newcomer \\(told@people.test\\) to viewer',
    'Removed a member +Nia Newcomer \\(told@people.test\\)',
    'Changed the team details',
  ]) {
    expect(text).toMatch(new RegExp(line))
  }
  expect(html).toContain('Renamed')
})
