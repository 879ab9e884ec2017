import { afterAll, beforeAll, expect, test } from 'bun:test'
import { prepareFirstRun } from '../../../src/console/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { person, pressTwice } from '../../support/console.ts'

const apps: TestApp[] = []
let app: TestApp

async function startFreshApp(): Promise<TestApp> {
  const started = await startApp()
  apps.push(started)
  return started
}

const firstRun = ({ sql }: TestApp, admin: { email: string; password: string } | null = null) =>
  prepareFirstRun({ sql, now: systemClock, baseUrl: 'http://tidings.test', admin })

/** The path of a new set-up link. */
async function setupPath(of: TestApp): Promise<string> {
  const link = await firstRun(of)
  if (!link) throw new Error('there is no set-up link')
  return new URL(link).pathname
}

const ada = {
  team: 'Northwind & Söhne',
  name: 'Ada Example',
  email: 'Ada@Northwind.test',
  password: 'seven long boats',
}

beforeAll(async () => {
  app = await startFreshApp()
})
afterAll(async () => {
  await Promise.all(apps.map((one) => one.close()))
})

test('the setup link creates a team, an account and a working key', async () => {
  const visitor = person(app.base)
  expect((await visitor.get('/')).html).toContain('shows a link to set up')
  const path = await setupPath(app)
  expect((await visitor.get(path)).html).toContain('Set up Tidings')
  expect(await visitor.post(path, ada)).toMatchObject({ status: 303, location: '/welcome' })
  expect((await visitor.get('/welcome')).html).toContain('Welcome, Ada Example')

  const { location } = await visitor.post('/welcome')
  const { html, headers } = await visitor.get(location ?? '')
  const key = /tidings_\w{38}/.exec(html)?.[0] ?? ''
  expect(headers.get('cache-control')).toBe('no-store')
  expect(html).toContain(`curl http://tidings.test/api/v1/webhooks/ingest`)
  const send = client(app.base, key)
  expect((await send('POST', '/webhooks/ingest', { title: 'Hello', body: 'World' })).status).toBe(
    201,
  )
  expect((await send('GET', '/team')).json.team).toMatchObject({
    name: 'Northwind & Söhne',
    slug: 'northwind-sohne',
    member_count: 1,
  })
})

test('the language of a new team is the first of the browser that newsletters can have', async () => {
  const fresh = await startFreshApp()
  const visitor = person(fresh.base, { 'accept-language': 'ga-IE,fr-CA;q=0.9,de;q=0.8' })
  await visitor.post(await setupPath(fresh), ada)
  expect([...(await fresh.sql`select language from teams`)]).toEqual([{ language: 'fr' }])
})

test('the setup is closed when an account exists', async () => {
  const visitor = person(app.base)
  expect(await firstRun(app)).toBeNull()
  expect((await visitor.get('/setup/anything')).status).toBe(404)
  expect((await visitor.post('/setup/anything', ada)).status).toBe(404)
  expect((await visitor.get('/')).location).toBe('/login')
})

test('of two concurrent setups one succeeds and the other gets 404', async () => {
  const raced = await startFreshApp()
  const [one, two] = [await setupPath(raced), await setupPath(raced)]
  const tries = [one, two, one, two].map((path, at) =>
    person(raced.base).post(path, { ...ada, email: `person-${at}@northwind.test` }),
  )
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([303, 404, 404, 404])
  const [counted] = await raced.sql`
    select (select count(*)::int from accounts) as accounts, (select count(*)::int from teams) as teams,
      (select count(*)::int from setup_links) as links`
  expect(counted).toEqual({ accounts: 1, teams: 1, links: 0 })
})

test('the set-up form whose button is pressed twice sets up once, and both responses sign the person in', async () => {
  const fresh = await startFreshApp()
  const visitor = person(fresh.base)
  const responses = await pressTwice(visitor, await setupPath(fresh), ada)
  expect(responses).toMatchObject([
    { status: 303, location: '/welcome' },
    { status: 303, location: '/welcome' },
  ])
  expect((await visitor.get('/welcome')).html).toContain('Welcome, Ada Example')
  expect([...(await fresh.sql`select 1 as one from sessions`)]).toHaveLength(1)
})

test('an invalid setup form shows errors at its fields and creates nothing', async () => {
  const strict = await startFreshApp()
  const visitor = person(strict.base)
  const path = await setupPath(strict)
  for (const password of [
    'short',
    'password123',
    'Newsletter2026!',
    'aaaaaaaaaaaa',
    'x'.repeat(129),
  ]) {
    const { status, html } = await visitor.post(path, { ...ada, password })
    expect(status).toBe(422)
    expect(html).toContain('id="password-error"')
    expect(html).toContain('value="Ada Example"')
    expect(html).not.toContain(password)
  }
  const { html } = await visitor.post(path, { ...ada, email: 'nowhere' })
  expect(html).toContain('id="email-error"')
  expect(await strict.sql`select id from accounts`).toHaveLength(0)
  expect(await strict.sql`select id from teams`).toHaveLength(0)
})

test('the setup token is neither in the database nor in the log', async () => {
  const careful = await startFreshApp()
  const path = await setupPath(careful)
  await person(careful.base).get(path)
  const token = path.replace('/setup/', '')
  expect(token).toMatch(/^[\w-]{32}$/)
  const rows = await careful.sql`select encode(token_hash, 'escape') as kept from setup_links`
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(careful.logLines.join('')).not.toContain(token)
})

test('an admin from the configuration joins the existing team and is created once', async () => {
  const configured = await startFreshApp()
  await configured.team('acme')
  const admin = { email: 'ops@acme.test', password: 'three quiet rivers' }
  expect(await firstRun(configured, admin)).toBeNull()
  expect(await firstRun(configured, { ...admin, password: 'another one here' })).toBeNull()
  // Settings that have no effect any more do not prevent the start.
  expect(await firstRun(configured, { ...admin, password: 'short' })).toBeNull()
  const visitor = person(configured.base)
  const { email, password } = admin
  expect((await visitor.post('/login', { email, password: 'another one here' })).status).toBe(422)
  expect((await visitor.post('/login', { email, password })).location).toBe('/home')
  expect((await visitor.get('/settings/team')).html).toContain('value="acme"')
})

test('a weak password of an admin from the configuration is rejected with a message', async () => {
  const weak = await startFreshApp()
  const made = firstRun(weak, { email: 'ops@acme.test', password: 'changeme1' })
  await expect(made).rejects.toThrow(
    'TIDINGS_ADMIN_EMAIL and TIDINGS_ADMIN_PASSWORD: password is among the first that attackers try.',
  )
})

test.each([
  ['admin@example.com', 'admin'],
  ['admin@tidings.test', 'password'],
  ['admin', 'admin'],
])('there are no default credentials such as %s', async (email, password) => {
  expect((await person(app.base).post('/login', { email, password })).status).toBe(422)
})
