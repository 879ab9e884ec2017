import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Team } from '../../../src/features/teams/index.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import {
  joinTeam,
  logIn,
  member,
  type Person,
  person,
  signedIn,
  testPassword,
} from '../../support/console.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(async () => {
  await app.close()
})

const story = { title: 'Only for Beta', body: 'A secret of Beta.', block_type: 'general' }

/** The value of a hidden field, as the page has it. */
const hidden = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''

/** The hidden fields that a browser sends with the form of a page. */
const fieldsOf = (html: string) => ({ form_team: hidden(html, 'form_team') })

const titlesOf = async (team: Team) => {
  const rows = await app.sql`select title from content_blocks where team_id = ${team.id}`
  return rows.map(({ title }) => title)
}

const teamShownTo = async (visitor: Person) =>
  /In (alpha|beta)/.exec((await visitor.get('/account')).html)?.[1]

let pairs = 0
const twoTeams = async () => {
  pairs += 1
  return [await app.team(`alpha-${pairs}`), await app.team(`beta-${pairs}`)] as const
}

/** Ada, who belongs to Alpha and Beta and works in Beta. */
async function adaInBeta(role: 'viewer' | 'editor' = 'editor') {
  const [alpha, beta] = await twoTeams()
  const { email, accountId } = await member(app, alpha, 'editor')
  const idInBeta = await joinTeam(app, beta, { accountId, email, role })
  const ada = person(app.base)
  await logIn(ada, email)
  await ada.get('/account')
  await ada.post('/account/team', { team: beta.id })
  return { alpha, beta, ada, email, idInBeta }
}

test('what a person wrote in a team is saved in that team after signing in again without JavaScript', async () => {
  const { alpha, beta, ada, email } = await adaInBeta()
  const { html } = await ada.get('/library/new')
  ada.cookies.clear()
  const shut = await ada.post('/library/new', { ...fieldsOf(html), ...story })
  expect(shut.status).toBe(401)
  const kept = Object.fromEntries(
    [...shut.html.matchAll(/name="(kept\.[^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name ?? '',
      value ?? '',
    ]),
  )
  const credentials = { email, password: testPassword, action: '/library/new' }
  const again = await ada.post('/login/continue', { ...kept, ...credentials })
  expect(again.html).toContain('Save what I typed')
  const saved = await ada.post('/library/new', { ...fieldsOf(again.html), ...story })
  expect(saved.status).toBe(303)
  expect(await titlesOf(alpha)).toEqual([])
  expect(await titlesOf(beta)).toEqual([story.title])
  expect((await ada.get(saved.location ?? '')).html).toContain(story.title)
  expect(await teamShownTo(ada)).toBe('beta')
})

test('a form is saved in the team of its page although another tab has switched the team, and leads to the page of what was saved', async () => {
  const { alpha, beta, ada } = await adaInBeta()
  const { html } = await ada.get('/library/new')
  await ada.post('/account/team', { team: alpha.id })
  const saved = await ada.post('/library/new', { ...fieldsOf(html), ...story })
  expect(await titlesOf(alpha)).toEqual([])
  expect(await titlesOf(beta)).toEqual([story.title])
  expect((await ada.get(saved.location ?? '')).html).toContain(story.title)
})

test('the request of a script is handled in the team of its page, and the other tabs stay in theirs', async () => {
  const { alpha, beta, ada, idInBeta } = await adaInBeta()
  await ada.get('/library/new')
  await ada.post('/account/team', { team: alpha.id })
  const headers = { 'hx-request': 'true', 'x-team': beta.id }
  const form = '/library/new /library/new'
  const draft = { form, content: '[["title","Only for Beta"]]', saved_at: String(Date.now()) }
  expect((await ada.post('/drafts', draft, headers)).status).toBe(204)
  const stored = await app.sql`select team_id, member_id from form_drafts where form = ${form}`
  expect([...stored]).toEqual([{ team_id: beta.id, member_id: idInBeta }])
  const path = `/drafts?form=${encodeURIComponent(form)}`
  expect((await ada.get(path)).html).toBe('null')
  expect((await ada.get(path, headers)).html).toContain('Only for Beta')
  expect(await teamShownTo(ada)).toBe('alpha')
})

test('a person in one team who accepts an invitation elsewhere saves the forms that are open in their first team', async () => {
  const [alpha, beta] = await twoTeams()
  const ada = await signedIn(app, beta, 'editor')
  const { html } = await ada.get('/library/new')
  await joinTeam(app, alpha, ada)
  await ada.post('/library/new', { ...fieldsOf(html), ...story })
  expect(await titlesOf(alpha)).toEqual([])
  expect(await titlesOf(beta)).toEqual([story.title])
  expect(await teamShownTo(ada)).toBe('beta')
})

test('a form of a team that the person has left is refused with the reason, and the text stays', async () => {
  const { alpha, beta, ada, idInBeta } = await adaInBeta()
  const { html } = await ada.get('/library/new')
  await app.sql`update members set removed_at = now() where id = ${idInBeta}`
  const refused = await ada.post('/library/new', { ...fieldsOf(html), ...story })
  expect(refused.status).toBe(401)
  expect(refused.html).toContain('a team of which you are not a member')
  expect(refused.html).toContain('name="kept.title" value="Only for Beta"')
  const headers = { 'hx-request': 'true' }
  const ofScript = await ada.post('/library/new', { ...fieldsOf(html), ...story }, headers)
  expect(ofScript.status).toBe(403)
  expect(ofScript.html).toContain('a team of which you are not a member')
  expect([...(await titlesOf(alpha)), ...(await titlesOf(beta))]).toEqual([])
  await ada.get('/library')
  expect((await ada.post('/logout', fieldsOf(html))).location).toBe('/login')
})

test('the role and the second factor of the team of a form count, not those of the team of the session', async () => {
  const { alpha, beta, ada } = await adaInBeta('viewer')
  const { html } = await ada.get('/account')
  await ada.post('/account/team', { team: alpha.id })
  const refused = await ada.post('/library/new', { ...fieldsOf(html), ...story })
  expect(refused.status).toBe(403)
  await app.sql`update teams set requires_second_factor = true where id = ${beta.id}`
  const unsafe = await ada.post('/library/new', { ...fieldsOf(html), ...story })
  expect(unsafe.location).toBe('/account/second-factor')
  expect([...(await titlesOf(alpha)), ...(await titlesOf(beta))]).toEqual([])
  expect(await teamShownTo(ada)).toBe('alpha')
})

test('a form that names no team, as on a page from before an update, is saved in the team of the session', async () => {
  const { beta, ada } = await adaInBeta()
  await ada.get('/library/new')
  expect((await ada.post('/library/new', story)).status).toBe(303)
  expect(await titlesOf(beta)).toEqual([story.title])
})
