import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { listKeys } from '../../../src/features/api-keys/index.ts'
import { purgeAuditLog, recordAudit } from '../../../src/features/audit-log/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { client, readContext, startApp, type TestApp } from '../../support/app.ts'
import { type Person, type Seen, signedIn } from '../../support/console.ts'
import { connectFakeProvider, createFakeAdapter } from '../../support/providers/fake-provider.ts'

let clock = new Date()
let app: TestApp
let team: Team
let admin: Person

beforeAll(async () => {
  app = await startApp({
    now: () => clock,
    adapters: [createFakeAdapter().adapter],
    forward: false,
  })
})
afterAll(async () => await app.close())
beforeEach(async () => {
  team = await app.team()
  admin = await signedIn(app, team, 'admin', { name: 'Ada Example' })
})

const keyOnPage = ({ html }: Seen) => /value="(tidings_\w{38})"/.exec(html)?.[1] ?? ''
/** Sends a form and returns the page to which it redirects. */
const submit = async (path: string, fields: Record<string, string | string[]>) => {
  const { status, location } = await admin.post(path, fields)
  expect(status).toBe(303)
  return await admin.get(location ?? '')
}
const ping = (key: string) => client(app.base, key)('GET', '/ping')
const newestKey = async () => (await listKeys(readContext(app, team)))[0]

test('a new key is shown once, directly after its creation', async () => {
  const made = await submit('/settings/keys', {
    name: 'Release <script>',
    'scopes[]': ['write', 'read'],
    expires: '2090-01-31',
  })
  const key = keyOnPage(made)
  expect(made.status).toBe(200)
  expect(made.headers.get('cache-control')).toBe('no-store')
  expect((await ping(key)).json.ping.api_key).toMatchObject({
    scopes: ['read', 'write'],
    expires_at: '2090-02-01T00:00:00.000Z',
  })
  for (const path of ['/settings/keys', '/settings/keys/new', '/settings/audit', '/welcome', '/']) {
    expect((await admin.get(path)).html).not.toContain(key)
  }
  const { html } = await admin.get('/settings/keys')
  expect(html).toContain(`${key.slice(0, 14)}…`)
  expect(html).toContain('Release &lt;script&gt;')
  expect(app.logLines.join('')).not.toContain(key)
})

test('requesting the page of a new key again does not show the key and creates no second one', async () => {
  const fields = { name: 'Once', 'scopes[]': ['read'] }
  const { location, headers } = await admin.post('/settings/keys', fields)
  const cookie = headers.getSetCookie().find((line) => line.startsWith('tidings_once=')) ?? ''
  expect(cookie).toMatch(/; HttpOnly; SameSite=Lax$/)
  const page = location ?? ''
  const savedCookies = new Map(admin.cookies)
  const colleague = await signedIn(app, team, 'admin')
  colleague.cookies.set('tidings_once', savedCookies.get('tidings_once') ?? '')
  expect(keyOnPage(await colleague.get(page))).toBe('')

  const key = keyOnPage(await admin.get(page))
  expect(key).not.toBe('')
  expect(`${page}${cookie}`).not.toContain(key)
  const again = await admin.get(page)
  expect(keyOnPage(again)).toBe('')
  expect(again.html).toContain('cannot be shown again')
  expect(await listKeys(readContext(app, team))).toHaveLength(1)

  admin.cookies.set('tidings_once', savedCookies.get('tidings_once') ?? '')
  clock = new Date(clock.getTime() + 121_000)
  expect(keyOnPage(await admin.get(page))).toBe('')
})

test('a key has the scopes and restrictions that the form says', async () => {
  await admin.post('/settings/keys', {
    name: 'Narrow',
    'scopes[]': ['write'],
    ingest_only: 'on',
    drafts_only: 'on',
  })
  expect(await newestKey()).toMatchObject({
    ingest_only: true,
    allow_auto_ready: false,
    scopes: ['write'],
  })
  expect((await admin.get('/settings/keys')).html).toMatch(/Ingest only.*Drafts only/s)
})

test.each([
  [{ name: '', 'scopes[]': ['read'] }, 'Name is required.'],
  [{ name: 'No rights' }, 'Choose at least one scope.'],
  [{ name: 'Odd', 'scopes[]': ['admin'] }, 'scopes'],
  [
    { name: 'Late', 'scopes[]': ['read'], expires: '2020-01-01' },
    'Last valid day must be in the future.',
  ],
  [
    { name: 'Both', 'scopes[]': ['read'], ingest_only: 'on' },
    'An ingest-only key has the scope write',
  ],
])('the key form %j shows an error and keeps the typed values', async (fields, words) => {
  const { status, html } = await admin.post('/settings/keys', fields)
  expect(status).toBe(422)
  expect(html).toContain(words)
  expect(html).toContain(`value="${fields.name}"`)
  expect(await newestKey()).toBeUndefined()
})

test('a revoked key stops working at once, after a page that shows what will stop', async () => {
  const key = keyOnPage(await submit('/settings/keys', { name: 'Old bot', 'scopes[]': ['write'] }))
  await client(app.base, key)('POST', '/webhooks/ingest', { title: 'One', body: 'thing' })
  const id = (await newestKey())?.id
  const { html } = await admin.get(`/settings/keys/${id}/revoke`)
  expect(html).toContain('Revoke “Old bot”?')
  expect(html).toContain('1 block added to the library')
  expect(html).toContain('1 request')
  expect((await admin.post(`/settings/keys/${id}/revoke`)).location).toBe('/settings/keys')
  expect((await ping(key)).json.code).toBe('revoked_key')
  expect((await admin.get('/settings/keys')).html).toContain('no longer works')
  expect((await admin.get(`/settings/keys/${id}/revoke`)).status).toBe(404)
})

test('a team whose keys are all revoked reads that none works, and not that it never had one', async () => {
  expect((await admin.get('/settings/keys')).html).toContain('No keys yet')
  await submit('/settings/keys', { name: 'Old script', 'scopes[]': 'write', expires: '' })
  const { id } = (await newestKey()) ?? {}
  await submit(`/settings/keys/${id}/revoke`, {})
  const { html } = await admin.get('/settings/keys')
  expect(html).toContain('No keys that work')
  expect(html).toContain('Keys that no longer work (1)')
  expect(html).not.toContain('No keys yet')
})

test('after a rotation both keys work for the grace period, then only the new one', async () => {
  const old = keyOnPage(await submit('/settings/keys', { name: 'Bot', 'scopes[]': ['write'] }))
  const id = (await newestKey())?.id
  const rotated = await submit(`/settings/keys/${id}/rotate`, { grace: '24' })
  expect(rotated.html).toContain('The old key works for 24 more hours.')
  const fresh = keyOnPage(rotated)
  expect(fresh).not.toBe(old)
  expect((await ping(old)).status).toBe(200)
  expect((await ping(fresh)).json.ping.api_key.scopes).toEqual(['write'])
  const keys = await listKeys(readContext(app, team))
  const ends = keys.find((key) => key.id === id)?.expires_at?.getTime() ?? 0
  expect(Math.abs(ends - clock.getTime() - 24 * 3_600_000)).toBeLessThan(1000)

  const second = (await newestKey())?.id
  await admin.post(`/settings/keys/${second}/rotate`, { grace: '0' })
  expect((await ping(fresh)).json.code).toBe('revoked_key')
  expect((await admin.post(`/settings/keys/${second}/rotate`, { grace: '0' })).status).toBe(404)
})

test('the key of a connection is not rotated, because the connection would go on with the old one', async () => {
  const { connection, send } = await connectFakeProvider(app, team)
  await admin.post(`/settings/keys/${connection.apiKeyId}/rotate`, { grace: '0' })
  expect(await listKeys(readContext(app, team))).toMatchObject([
    { id: connection.apiKeyId, revoked_at: null, expires_at: null },
  ])
  expect((await send({ id: 'a', items: [] })).status).toBe(200)
})

test('the page that asks whether to revoke a key counts the blocks of all keys that replaced each other, and says so', async () => {
  const tokens = [keyOnPage(await submit('/settings/keys', { name: 'HR', 'scopes[]': ['write'] }))]
  const ids = [(await newestKey())?.id]
  const revokePage = async (id = '') => {
    const { html } = await admin.get(`/settings/keys/${id}/revoke`)
    return html.replaceAll(/\s+/g, ' ')
  }
  const note = 'Added with this key and with those that it replaced or that replaced it.'
  expect(await revokePage(ids[0])).not.toContain(note)
  for (let turn = 0; turn < 2; turn++) {
    tokens.push(keyOnPage(await submit(`/settings/keys/${ids.at(-1)}/rotate`, { grace: '24' })))
    ids.push((await newestKey())?.id)
  }
  for (const [n, token] of tokens.entries()) {
    for (const path of ['/webhooks/ingest', '/content_blocks']) {
      const block = { title: `${path} ${n}`, body: 'Text.' }
      expect((await client(app.base, token)('POST', path, block)).status).toBe(201)
    }
  }
  await client(app.base, await app.key(team, ['write']))('POST', '/content_blocks', {
    title: 'Of another key',
    body: 'Text.',
  })
  for (const id of ids) {
    const page = await revokePage(id)
    expect(page).toContain('6 blocks added to the library')
    expect(page).toContain(note)
  }
})

test('a key that was used in a URL is marked with advice', async () => {
  const key = await app.key(team, ['read'])
  expect((await admin.get('/settings/keys')).html).not.toContain('Used in a URL')
  await fetch(`${app.base}/api/v1/ping?api_key=${key}`)
  expect((await admin.get('/settings/keys')).html).toContain('Used in a URL')
})

test('a team has at most 100 active keys, also when keys are created concurrently', async () => {
  for (let at = 0; at < 97; at++) await app.key(team, ['read'])
  const tries = Array.from({ length: 6 }, () =>
    admin.post('/settings/keys', { name: 'One more', 'scopes[]': ['read'] }),
  )
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([303, 303, 303, 422, 422, 422])
})

test('the audit log contains the changes of keys without their values', async () => {
  const key = keyOnPage(await submit('/settings/keys', { name: 'Told', 'scopes[]': ['read'] }))
  const id = (await newestKey())?.id
  const fresh = keyOnPage(await submit(`/settings/keys/${id}/rotate`, { grace: '1' }))
  await admin.post(`/settings/keys/${id}/revoke`)
  const { html } = await admin.get('/settings/audit')
  const text = html.replaceAll(/\s*<[^>]+>\s*/g, ' ')
  for (const did of ['Created', 'Rotated', 'Revoked']) {
    expect(text).toMatch(
      new RegExp(`Ada Example \\(.+?\\) +${did} an API key +Told +127\\.0\\.0\\.1`),
    )
  }
  const rows = await app.sql`select * from audit_log`
  for (const value of [key, fresh]) expect(JSON.stringify(rows)).not.toContain(value)
  await expect(app.sql`update audit_log set actor = 'nobody'`.execute()).rejects.toThrow(
    'never changed',
  )
  await expect(app.sql`delete from audit_log`.execute()).rejects.toThrow('never changed')
})

test('the audit log can be filtered by person and action, page by page', async () => {
  await admin.post('/settings/keys', { name: 'By Ada', 'scopes[]': ['read'] })
  const other = await signedIn(app, team, 'admin', { name: 'Bo <b>Boss</b>' })
  for (let at = 0; at < 51; at++) {
    clock = new Date(clock.getTime() + 1000)
    await other.post('/settings/team', {
      name: 'Acme',
      brand_color: '#8b5cf6',
      newsletter_cadence: 'weekly',
    })
  }
  const { html } = await admin.get('/settings/audit')
  expect(html).not.toContain('By Ada')
  const byBo = /href="([^"]+actor=Bo[^"]+)"/.exec(html)?.[1] ?? ''
  const older = /href="([^"]+before=[^"]+)"/.exec(html)?.[1] ?? ''
  expect((await admin.get(older)).html).toContain('By Ada')
  const made = (await admin.get('/settings/audit?action=key_created')).html
  expect(made).toContain('By Ada')
  expect(made).not.toContain('<td>Bo')
  const bos = (await admin.get(byBo)).html
  expect(bos).toContain('by <strong>Bo &lt;b&gt;Boss&lt;/b&gt;')
  const rest = /href="([^"]+before=[^"]+)"/.exec(bos)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const last = (await admin.get(rest)).html
  expect(last).toContain('Bo &lt;b&gt;Boss')
  expect(last).not.toContain('By Ada')
  expect((await admin.get('/settings/audit?action=nothing&actor=nobody')).html).toContain(
    'No entries',
  )
})

test('audit log entries are kept for 400 days', async () => {
  const day = 24 * 3_600_000
  const actor = { kind: 'system' as const, teamId: team.id, name: 'Ada' }
  for (const age of [402, 399]) {
    const then = () => new Date(Date.now() - age * day)
    await recordAudit({ sql: app.sql, now: then, actor }, 'key_created', `${age} days ago`)
  }
  await purgeAuditLog({ sql: app.sql, now: systemClock })
  const { html } = await admin.get('/settings/audit?action=key_created')
  expect(html).toContain('399 days ago')
  expect(html).not.toContain('402 days ago')
  await expect(
    purgeAuditLog({ sql: app.sql, now: () => new Date(Date.now() + day * 2) }),
  ).rejects.toThrow('never changed')
})
