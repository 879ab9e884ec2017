import { afterAll, beforeAll, expect, test } from 'bun:test'
import { adapter as github } from '../../integrations/github/adapter.ts'
import { createConnection } from '../../src/features/connections/index.ts'
import { addMember, NewMember } from '../../src/features/members/index.ts'
import type { Team } from '../../src/features/teams/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemContext } from '../../src/lib/context.ts'
import { parseInput } from '../../src/lib/parse.ts'
import { client, startApp, type TestApp } from '../support/app.ts'
import { type Person, signedIn } from '../support/console.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(async () => await app.close())

/** The titles of the steps that are ticked. */
async function completedSteps(who: Person): Promise<string[]> {
  const { html } = await who.get('/welcome')
  return [...html.matchAll(/<span>([^<]+)<\/span><span class="visually-hidden">: done/g)].map(
    ([, title = '']) => title,
  )
}

const startPage = async (who: Person) => (await who.get('/home')).location

/** Runs a command that a page shows, as a shell would. */
async function run(command: string): Promise<number> {
  const [, path = ''] = /curl http:\/\/tidings\.test(\S+)/.exec(command) ?? []
  const [, authorization = ''] = /'Authorization: (.+?)'/.exec(command) ?? []
  const [, body = ''] = /-d '(.+)'/.exec(command) ?? []
  const headers = { authorization, 'content-type': 'application/json' }
  return (await fetch(app.base + path, { method: 'POST', headers, body })).status
}

const toPlainText = (html: string) =>
  html.replaceAll('&#39;', "'").replaceAll('&#x27;', "'").replaceAll('&quot;', '"')

test('the first steps lead to a previewed newsletter with a win and a release, and each is marked as done', async () => {
  const team: Team = await app.team()
  const admin = await signedIn(app, team, 'admin')
  expect(await completedSteps(admin)).toEqual([])
  expect(await startPage(admin)).toBe('/welcome')

  const { location } = await admin.post('/welcome')
  const { html } = await admin.get(location ?? '')
  expect(await completedSteps(admin)).toEqual(['Create an API key'])
  const commands = [...html.matchAll(/<code[^>]*>(.+?)<\/code>/gs)].map(([, text = '']) =>
    toPlainText(text),
  )
  expect(await Promise.all(commands.map(run))).toEqual([201, 201])
  expect(await completedSteps(admin)).toHaveLength(2)

  await createConnection(systemContext(app.forwarder, team.id), {
    kind: github,
    given: { secret: 'of the hook' },
  })
  const call = client(app.base, await app.key(team, ['read', 'write', 'send_preview']))
  const { json } = await call('GET', '/content_blocks')
  const kinds = json.content_blocks.map(({ block_type }: { block_type: string }) => block_type)
  expect(kinds.toSorted()).toEqual(['general', 'wins_milestones'])
  expect(await startPage(admin)).toBe('/welcome')

  const made = await call('POST', '/newsletters', { title: 'First', subject_line: 'First' })
  const issue = `/newsletters/${made.json.newsletter.id}`
  for (const { id } of json.content_blocks) {
    await call('PATCH', `/content_blocks/${id}`, { status: 'ready' })
    await call('POST', `${issue}/blocks`, { content_block_id: id })
  }
  expect(await completedSteps(admin)).toHaveLength(4)
  const reader = parseInput(NewMember, { email: 'reader@people.test', name: 'Rae Reader' })
  await addMember(systemContext({ sql: app.sql, now: systemClock }, team.id), reader)
  await call('POST', `${issue}/send_preview`, { recipients: [reader.email] })
  expect(await completedSteps(admin)).toHaveLength(5)
  const whole = (await admin.get('/welcome')).html
  expect(whole).toContain('All done.')
  expect(whole).not.toContain('every 3s')
  expect(await startPage(admin)).toBe('/newsletters')
})

test('after sign-in people see the page with their next task', async () => {
  const team = await app.team()
  const [editor, viewer] = [
    await signedIn(app, team, 'editor'),
    await signedIn(app, team, 'viewer'),
  ]
  expect((await editor.get('/')).location).toBe('/home')
  expect([await startPage(editor), await startPage(viewer)]).toEqual(['/library', '/newsletters'])
  expect((await editor.get('/welcome')).status).toBe(403)
})

test('the steps of another team are not marked as done', async () => {
  const busy = await app.team()
  const call = client(app.base, await app.key(busy, ['write']))
  await call('POST', '/content_blocks', { title: 'Theirs', body: 'x' })
  expect(await completedSteps(await signedIn(app, await app.team(), 'admin'))).toEqual([])
})
