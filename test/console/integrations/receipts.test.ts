import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Team } from '../../../src/features/teams/index.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { person, pressTwice, signedIn } from '../../support/console.ts'
import { newsletterOf, send, unlimitedClient } from '../../support/newsletters.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(async () => {
  await app.close()
})

/** News that a person without an account has sent to a team with the form. */
async function submission() {
  const team = await app.team()
  const admin = await signedIn(app, team, 'admin')
  await admin.get('/settings/submissions')
  await admin.post('/settings/submissions/create')
  const { html } = await admin.get('/settings/submissions')
  const form = new URL(/id="link" value="([^"]+)"/.exec(html)?.[1] ?? '').pathname
  const sender = person(app.base)
  const fields = {
    id: crypto.randomUUID(),
    title: 'Ten years of <Tideline>',
    body: 'We celebrate.',
    block_type: 'wins_milestones',
    author: '',
    image_alt: '',
  }
  const receipt = (await sender.post(form, fields)).location ?? ''
  return { team, admin, sender, form, fields, receipt, block: await blockOf(team) }
}

async function blockOf(team: Team): Promise<string> {
  const [row] = await app.sql`select id from content_blocks where team_id = ${team.id}`
  return row?.['id']
}

test('the sender of news sees without an account what happens to it, from review to publication', async () => {
  const { team, admin, sender, form, fields, receipt, block } = await submission()
  expect((await sender.post(form, fields)).location).toBe(receipt)
  const seen = async () => (await sender.get(receipt)).html
  const done = async () => (await seen()).split('<li class="done"').length - 1
  const first = await seen()
  expect(first).toContain('Thank you. Your news has reached the editors.')
  const step = async () =>
    /aria-current="step">(?:<span[^>]*>\d<\/span>|<[^>]+>)*([^<]+)/.exec(await seen())?.[1]
  expect(await step()).toBe('Waiting for review')
  expect(await done()).toBe(0)
  expect(first).toContain('Ten years of &lt;Tideline&gt;')
  expect(first).not.toContain('Open in the library')
  const editors = await admin.get(receipt)
  expect(editors.html).toContain(`href="/library/${block}"`)
  const call = await unlimitedClient(app, team)
  await call('PATCH', `/content_blocks/${block}`, { status: 'ready' })
  expect(await step()).toBe('Approved')
  expect(await done()).toBe(2)
  const newsletter = await newsletterOf(call, [block], { title: 'A secret title' })
  expect(await step()).toBe('In the next newsletter')
  await send(call, newsletter)
  const published = await seen()
  expect(await step()).toBe('Published')
  expect(published).toContain('class="receipt-steps"')
  expect(published).not.toContain('A secret title')
  expect(published).not.toContain('Keep this page')
})

test('the page of deleted news says that it was not used, without its title', async () => {
  const { admin, sender, receipt, block } = await submission()
  await admin.post(`/library/${block}/delete`)
  const { status, html } = await sender.get(receipt)
  expect(status).toBe(200)
  expect(html).toContain('Not used')
  expect(html).not.toContain('Tideline')
})

test('a receipt is found only under its own team and token, and search engines do not list it', async () => {
  const { receipt, sender } = await submission()
  const other = await app.team()
  const [, , slug = '', token = ''] = receipt.split('/')
  const guesses = [
    `/receipts/${other.slug}/${token}`,
    `/receipts/${slug}/${'A'.repeat(32)}`,
    `/receipts/${slug}/%00`,
    `/receipts/${slug}/${token.toLowerCase()}`,
  ]
  for (const guess of guesses) expect((await sender.get(guess)).status).toBe(404)
  const response = await fetch(app.base + receipt)
  expect(response.headers.get('x-robots-tag')).toBe('noindex')
  expect(response.headers.get('set-cookie')).toBeNull()
  expect(app.logLines.join('\n')).not.toContain(token)
})

test('the cookie of the browser that has sent news goes to its receipt only, and no script reads it', async () => {
  const { sender, form, fields, receipt } = await submission()
  const again = await sender.post(form, fields)
  const cookie = again.headers.getSetCookie().find((line) => line.startsWith('tidings_sender='))
  expect(cookie).toContain(`; Path=${receipt}; `)
  expect(cookie).toEndWith('; HttpOnly; SameSite=Lax')
})

test('members of other teams do not get a link to the block', async () => {
  const { receipt, block } = await submission()
  const stranger = await signedIn(app, await app.team(), 'admin')
  expect((await stranger.get(receipt)).html).not.toContain(block)
})

test('only the browser that has sent news withdraws it, only before an editor works on it, and the audit log says so', async () => {
  const { team, admin, sender, form, fields, receipt, block } = await submission()
  const withdrawal = `${receipt}/withdraw`
  const stranger = person(app.base)
  for (const other of [stranger, admin]) {
    expect((await other.get(receipt)).html).not.toContain(withdrawal)
    expect((await other.get(withdrawal)).location).toBe(receipt)
    expect((await other.post(withdrawal)).location).toBe(receipt)
  }
  const call = await unlimitedClient(app, team)
  // The id of a form identifies its sender, who may send it again.
  const { origin } = (await call('GET', `/content_blocks/${block}`)).json.content_block
  const guess = await stranger.post(form, { ...fields, id: origin.external_id })
  expect(guess.location).not.toBe(receipt)
  expect((await stranger.get(receipt)).html).not.toContain(withdrawal)
  const setStatus = (status: string) => call('PATCH', `/content_blocks/${block}`, { status })
  await setStatus('ready')
  expect((await sender.get(receipt)).html).not.toContain(withdrawal)
  expect((await sender.post(withdrawal)).location).toBe(receipt)
  expect((await sender.get(receipt)).html).toContain(
    'only be withdrawn before an editor works on it',
  )
  expect(await blockOf(team)).toBe(block)
  // An editor has worked on it.
  await setStatus('draft')
  expect((await sender.get(receipt)).html).not.toContain(withdrawal)
  await sender.post(withdrawal)
  expect(await blockOf(team)).toBe(block)
  const other = await submission()
  expect((await other.sender.get(other.receipt)).html).toContain(`${other.receipt}/withdraw`)
  const responses = await pressTwice(other.sender, `${other.receipt}/withdraw`)
  expect(responses.map(({ location }) => location)).toEqual([other.receipt, other.receipt])
  const { html } = await other.sender.get(other.receipt)
  expect(html).toContain('Your news is withdrawn.')
  expect(html).toContain('<span class="badge ">Withdrawn</span>')
  expect(html).not.toContain('Tideline')
  expect(await blockOf(other.team)).toBeUndefined()
  const log = await app.sql`
    select actor from audit_log where team_id = ${other.team.id} and action = 'block_deleted'`
  expect([...log]).toMatchObject([{ actor: expect.stringContaining('Submission form') }])
})
