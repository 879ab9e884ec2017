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

test('each of the first steps is marked as done when it is done, also by other means than the page', async () => {
  const team: Team = await app.team()
  const admin = await signedIn(app, team, 'admin')
  expect(await completedSteps(admin)).toEqual([])
  expect(await startPage(admin)).toBe('/welcome')

  const { location } = await admin.post('/welcome')
  const { html } = await admin.get(location ?? '')
  const commands = [...html.matchAll(/<code[^>]*>(.+?)<\/code>/gs)].map(([, text = '']) =>
    toPlainText(text),
  )
  expect(await completedSteps(admin)).toEqual([])
  expect(await Promise.all(commands.map(run))).toEqual([201, 201])
  expect(await completedSteps(admin)).toEqual(['Add your first news'])

  const call = client(app.base, await app.key(team, ['read', 'write', 'send_preview']))
  const { json } = await call('GET', '/content_blocks')
  expect(await startPage(admin)).toBe('/welcome')
  const made = await call('POST', '/newsletters', { title: 'First', subject_line: 'First' })
  const newsletter = `/newsletters/${made.json.newsletter.id}`
  for (const { id } of json.content_blocks) {
    await call('PATCH', `/content_blocks/${id}`, { status: 'ready' })
    await call('POST', `${newsletter}/blocks`, { content_block_id: id })
  }
  expect(await completedSteps(admin)).toHaveLength(3)
  const reader = parseInput(NewMember, { email: 'reader@people.test', name: 'Rae Reader' })
  await addMember(systemContext({ sql: app.sql, now: systemClock }, team.id), reader)
  await call('POST', `${newsletter}/send_preview`, { recipients: [reader.email] })
  expect(await completedSteps(admin)).toHaveLength(4)
  for (const status of ['in_progress', 'ready', 'sent']) await call('PATCH', newsletter, { status })
  const whole = (await admin.get('/welcome')).html
  expect(whole).toContain('All done.')
  expect(whole).not.toContain('every 3s')
  expect(await startPage(admin)).toBe('/newsletters')
})

test('a connection counts as the first news, because its content follows', async () => {
  const team = await app.team()
  const connection = { adapter: github, given: { secret: 'of the hook' } }
  await createConnection(systemContext(app.forwarder, team.id), connection)
  expect(await completedSteps(await signedIn(app, team, 'admin'))).toEqual(['Add your first news'])
})

test('before the sample is added, the sample newsletter has the sections of the template', async () => {
  const admin = await signedIn(app, await app.team(), 'admin')
  const { html } = await admin.get('/welcome')
  const [, source = ''] = /<iframe[^>]* src="([^"]+)"/.exec(html) ?? []
  const sample = (await admin.get(source.replaceAll('&amp;', '&'))).html
  const headings = [...sample.matchAll(/<h2[^>]*>([^<]+)/g)].map(([, heading]) => heading)
  expect(headings).toContain('Wins and milestones')
  expect(headings).toContain('People')
  expect(headings).not.toContain('More news')
})

test('sample content does not count as own content, and is added once however often people click', async () => {
  const team = await app.team()
  const admin = await signedIn(app, team, 'admin')
  await Promise.all([1, 2, 3].map(() => admin.post('/welcome/sample')))
  expect(await completedSteps(admin)).toEqual(['See a finished newsletter'])
  const call = client(app.base, await app.key(team, ['read']))
  const { json } = await call('GET', '/newsletters')
  expect(json.newsletters).toMatchObject([{ blocks_count: 6 }])
  expect(await startPage(admin)).toBe('/welcome')
})

test('the library marks the blocks of the sample, and no others', async () => {
  const team = await app.team()
  const admin = await signedIn(app, team, 'admin')
  await admin.post('/welcome/sample')
  const call = client(app.base, await app.key(team, ['read', 'write']))
  const own = { title: 'Our own news', body: 'b', author: 'Ada Lovelace' }
  expect((await call('POST', '/content_blocks', own)).status).toBe(201)
  const rows = (await admin.get('/library?status=all')).html.split('<li class="block-row"').slice(1)
  const marked = rows.filter((row) => />Sample<\/span>/.test(row))
  expect(marked).toHaveLength(rows.length - 1)
  expect(marked.join()).not.toContain('Our own news')
})

test('when the sample is removed, blocks stay that were changed, added to another newsletter or sent', async () => {
  const team = await app.team()
  const admin = await signedIn(app, team, 'admin')
  const call = client(app.base, await app.key(team, ['read', 'write']))
  await admin.post('/welcome/sample')
  const [changed, added] = (await call('GET', '/content_blocks')).json.content_blocks
  await call('PATCH', `/content_blocks/${changed.id}`, { title: 'My own title' })
  const own = (await call('POST', '/newsletters', { title: 'Own' })).json.newsletter.id
  await call('POST', `/newsletters/${own}/blocks`, { content_block_id: added.id })
  await admin.post('/welcome/sample/remove')
  const { html } = await admin.get('/welcome')
  expect(html).toContain('except 2 blocks')
  const left = (await call('GET', '/content_blocks')).json.content_blocks
  expect(left.map(({ id }: { id: string }) => id).toSorted()).toEqual(
    [changed.id, added.id].toSorted(),
  )
  expect((await call('GET', '/newsletters')).json.newsletters).toMatchObject([{ id: own }])

  await admin.post('/welcome/sample')
  const [sample] = (await call('GET', '/newsletters')).json.newsletters
  for (const status of ['ready', 'sent'])
    await call('PATCH', `/newsletters/${sample.id}`, { status })
  await admin.post('/welcome/sample/remove')
  expect((await call('GET', `/newsletters/${sample.id}`)).json.newsletter.status).toBe('sent')
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
