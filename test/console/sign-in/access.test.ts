import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { adapter as github } from '../../../integrations/github/adapter.ts'
import { can } from '../../../src/console/roles.ts'
import { memberRoles } from '../../../src/contract/vocabulary.ts'
import { listKeys } from '../../../src/features/api-keys/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { readContext, startApp, type TestApp } from '../../support/app.ts'
import {
  type Examples,
  examplesFor,
  pathOf,
  type Route,
  routes,
} from '../../support/browser/console-walk.ts'
import { type Person, person, type Seen, signedIn } from '../../support/console.ts'

let app: TestApp
let team: Team
let people: Record<(typeof memberRoles)[number], Person>
/** An admin of another team. */
let stranger: Person
let examples: Examples

beforeAll(async () => {
  app = await startApp({ adapters: [github], forward: false })
  team = await app.team('acme')
  people = {
    admin: await signedIn(app, team, 'admin'),
    editor: await signedIn(app, team, 'editor'),
    viewer: await signedIn(app, team, 'viewer'),
  }
  stranger = await signedIn(app, await app.team('globex'), 'admin')
  examples = await examplesFor(app, team, 'Wanted')
})
afterAll(async () => await app.close())

const memberRoutes = routes.filter(({ role }) => role !== null)
const routeName = (route: Route) => `${route.method} ${route.path}`

function request(who: Person, route: Route, headers: Record<string, string> = {}): Promise<Seen> {
  const path = pathOf(route, examples)
  // What the forms about one thing ask for.
  const text = { to: 'ready', body: 'Words.', member: '', version: '1', current: '1' }
  const fields = { role: 'admin', grace: '0', ...text }
  return route.method === 'GET' ? who.get(path, headers) : who.post(path, fields, headers)
}

test('the role check covers more than 25 routes', () =>
  expect(memberRoutes.length).toBeGreaterThan(25))

describe.each(memberRoutes.map((route) => [routeName(route), route] as const))('%s', (_, route) => {
  test('a request without a session gets the sign-in page, also with an API key', async () => {
    const key = await app.key(team, ['read', 'write', 'send_preview'])
    for (const headers of [{}, { authorization: `Bearer ${key}` }]) {
      const { status, location, html } = await request(person(app.base), route, headers)
      if (route.method === 'GET') {
        expect([status, location?.split('?')[0], html]).toEqual([303, '/login', ''])
      } else {
        expect(status).toBe(401)
        expect(html).toContain('<h1>Sign in again</h1>')
        expect(html).not.toContain('Wanted')
      }
    }
    const inQuery = await person(app.base).get(`${pathOf(route, examples)}?api_key=${key}`)
    expect(inQuery.status).not.toBe(200)
  })

  test('members with a lower role get 403', async () => {
    for (const role of memberRoles.filter((one) => !(route.role && can(one, route.role)))) {
      const { status, html } = await request(people[role], route)
      expect(status).toBe(403)
      expect(html).toContain('Not allowed')
      expect(html).not.toContain('Wanted')
    }
  })

  if (route.path.includes(':id')) {
    test("another team's data is not found", async () => {
      const foreign = await request(stranger, route)
      const { path } = route
      const never = { ...route, path: path.replace(':id', `${'x'.repeat(35)}`) }
      const missing = await request(stranger, never)
      expect(foreign.status).toBe(404)
      const plain = (html: string) => html.replaceAll(/value="[^"]*"/g, '')
      expect(plain(foreign.html)).toBe(plain(missing.html))
    })
  }
})

test('none of the rejected requests has changed anything', async () => {
  const [key] = (await listKeys(readContext(app, team))).filter(({ id }) => id === examples['keys'])
  expect(key).toMatchObject({ name: 'Wanted', revoked_at: null, expires_at: null })
  const rows =
    await app.sql`select id from members where id = ${examples['members'] ?? ''} and removed_at is null`
  expect(rows).toHaveLength(1)
})

test('a session cookie gives no access to the API', async () => {
  const cookie = [...people.admin.cookies].map((pair) => pair.join('=')).join('; ')
  const response = await fetch(`${app.base}/api/v1/team`, { headers: { cookie } })
  expect(response.status).toBe(401)
})

test('a person cannot switch to a team of which they are not a member', async () => {
  expect((await stranger.post('/account/team', { team: team.id })).status).toBe(404)
  expect((await stranger.get('/settings/team')).html).not.toContain('value="acme"')
})
