import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../../support/app.ts'
import { signedIn } from '../../support/console.ts'

let closed: TestApp
let forAdmins: TestApp

beforeAll(async () => {
  closed = await startApp()
  forAdmins = await startApp({ createTeams: 'admins' })
})
afterAll(async () => {
  await closed.close()
  await forAdmins.close()
})

test('nobody can create a team unless the installation allows it', async () => {
  const admin = await signedIn(closed, await closed.team(), 'admin')
  expect((await admin.get('/library')).html).not.toContain('New team')
  expect((await admin.get('/teams/new')).status).toBe(404)
  expect((await admin.post('/teams/new', { name: 'Sales' })).status).toBe(404)
})

test('an admin creates a team, is its admin and continues there; an editor cannot', async () => {
  const team = await forAdmins.team()
  const admin = await signedIn(forAdmins, team, 'admin')
  const editor = await signedIn(forAdmins, team, 'editor')
  expect((await editor.post('/teams/new', { name: 'Sales' })).status).toBe(404)
  expect((await admin.get('/teams/new')).html).toContain('Create the team')
  expect((await admin.post('/teams/new', { name: '' })).status).toBe(422)
  for (const _ of [1, 2]) {
    const { location } = await admin.post('/teams/new', { name: 'Sales & more' })
    expect(location).toBe('/welcome')
  }
  const { html } = await admin.get('/settings/audit')
  expect(html).toContain('Sales &amp; more')
  expect(html).toContain('Created the team')
  const teams = await forAdmins.sql`
    select t.slug, m.role from teams t join members m on m.team_id = t.id
    where t.name = 'Sales & more'`
  expect(teams.map(({ role }) => role)).toEqual(['admin', 'admin'])
  expect(new Set(teams.map(({ slug }) => slug)).size).toBe(2)
  // The first team is still there, in the menu of teams.
  expect(html).toContain(`value="${team.id}"`)
})

test('a person creates at most ten teams in a day', async () => {
  const admin = await signedIn(forAdmins, await forAdmins.team(), 'admin')
  for (let count = 1; count < 10; count++) {
    expect((await admin.post('/teams/new', { name: `Team ${count}` })).status).toBe(303)
  }
  const { status, html } = await admin.post('/teams/new', { name: 'One more' })
  expect(status).toBe(422)
  expect(html).toContain('created 10 teams today')
  await forAdmins.sql`update teams set created_at = created_at - interval '1 day'
    where id in (select team_id from members where account_id = ${admin.accountId})`
  expect((await admin.post('/teams/new', { name: 'One more' })).status).toBe(303)
})

test('the command palette offers a new team to people who may create one', async () => {
  const admin = await signedIn(forAdmins, await forAdmins.team(), 'admin')
  const editor = await signedIn(forAdmins, await forAdmins.team(), 'editor')
  expect((await admin.get('/search?q=new team')).html).toContain('href="/teams/new" class="search')
  expect((await editor.get('/search?q=new team')).html).not.toContain('href="/teams/new"')
})
