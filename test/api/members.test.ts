import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Team } from '../../src/features/teams/index.ts'
import { client, startApp, type TestApp } from '../support/app.ts'

let app: TestApp
let team: Team
let call: ReturnType<typeof client>
beforeAll(async () => {
  app = await startApp()
  team = await app.team()
  call = client(app.base, await app.key(team, ['send_preview']))
  for (const [n, name, role, removed] of [
    ['1', 'Ada', 'admin', null],
    ['2', 'Ben', 'editor', null],
    ['3', 'Cem', 'editor', new Date()],
    ['4', 'Dana', 'viewer', null],
  ] as const) {
    await app.sql`
      insert into members (id, team_id, email, name, role, created_at, removed_at)
      values (${`mb_${n}`}, ${team.id}, ${`${name.toLowerCase()}@acme.test`}, ${name}, ${role}, now(), ${removed})`
  }
})
afterAll(() => app.close())

test('GET /members lists id, name, email and role of the present members, newest first', async () => {
  const { status, json } = await call('GET', '/members')
  expect(status).toBe(200)
  expect(json.members).toEqual([
    { id: 'mb_4', name: 'Dana', email: 'dana@acme.test', role: 'viewer' },
    { id: 'mb_2', name: 'Ben', email: 'ben@acme.test', role: 'editor' },
    { id: 'mb_1', name: 'Ada', email: 'ada@acme.test', role: 'admin' },
  ])
  expect(json.meta).toMatchObject({ page: 1, total: 3, total_pages: 1, next_cursor: null })
})

test('GET /members filters by role, pages by cursor and returns chosen fields', async () => {
  const first = await call('GET', '/members?role=admin&role=editor&per_page=1&fields=name')
  expect([first.json.members, first.json.meta.total]).toEqual([[{ name: 'Ben' }], 2])
  const next = await call(
    'GET',
    `/members?role=admin&role=editor&per_page=1&after=${first.json.meta.next_cursor}`,
  )
  expect(next.json.members[0].name).toBe('Ada')
  expect((await call('GET', '/members?role=owner')).status).toBe(422)
})

test('GET /members needs the scope send_preview, because keys for content do not need personal data', async () => {
  const content = client(app.base, await app.key(team, ['read', 'write']))
  const { json } = await content('GET', '/members')
  expect(json).toMatchObject({ status: 403, required_scope: 'send_preview' })
})

test('GET /members shows no member of another team', async () => {
  const stranger = client(app.base, await app.key(await app.team(), ['send_preview']))
  expect((await stranger('GET', '/members')).json.members).toEqual([])
})
