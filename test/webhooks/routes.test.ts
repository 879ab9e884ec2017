import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { adapter as github } from '../../integrations/github/adapter.ts'
import { adapter as slackAdapter } from '../../integrations/slack/adapter.ts'
import { createConnection, webhookUrl } from '../../src/features/connections/index.ts'
import type { Team } from '../../src/features/teams/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { signedIn } from '../support/console.ts'
import { untilNothingIsSent } from '../support/jobs.ts'
import { botToken, formBody, jsonOf, sign, startSlack } from '../support/slack/slack.ts'
import { command, people, press, submission } from '../support/slack/slack-payloads.ts'
import { until } from '../support/until.ts'

const slack = startSlack(people)
let app: TestApp
beforeAll(async () => {
  app = await startApp({ adapters: [slackAdapter, github] })
})
afterAll(async () => {
  await app.close()
  await slack.stop()
})
beforeEach(async () => {
  await untilNothingIsSent(app)
})

const signingSecret = 'one app, two teams'
const secrets = {
  slack: { signing_secret: signingSecret, bot_token: botToken, api_base_url: slack.apiUrl },
  github: { secret: signingSecret },
}

/** A team with a connection to a provider. All connections have the secrets of one app. */
async function connected(
  adapter: typeof slackAdapter | typeof github,
  given: object = secrets[adapter.slug as 'slack'],
) {
  const team = await app.team()
  const ctx = systemContext(app.forwarder, team.id)
  const connection = await createConnection(ctx, { adapter, given: { ...given } })
  const url = webhookUrl(app.base, adapter.slug, connection.webhookToken)
  return { team, id: connection.id, url }
}
type Connected = Awaited<ReturnType<typeof connected>>

/** Two teams, and a route from the first to the second. */
async function routed(adapter: typeof slackAdapter | typeof github, source: string) {
  const [first, second] = [await connected(adapter), await connected(adapter)]
  const admin = await signedIn(app, first.team, 'admin')
  const path = `/integrations/${first.id}/routes`
  await admin.get(path)
  const added = await admin.post(path, { source, address: second.url })
  expect(added.location).toBe(path)
  return { first, second, admin, path }
}

async function sendSlack({ url }: Connected, fields: object, secret = signingSecret) {
  const body = formBody(fields)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': sign(body, timestamp, secret),
  }
  const response = await fetch(url, { method: 'POST', headers, body })
  return { status: response.status, text: await response.text() }
}

const titlesOf = async (team: Team) =>
  (await app.sql`select title from content_blocks where team_id = ${team.id} order by id`).map(
    ({ title }) => title,
  )

const say = (text: string, channel_id: string) =>
  command(text, { channel_id, trigger_id: crypto.randomUUID(), response_url: slack.responseUrl })

test('one Slack app serves two teams: news of a routed channel goes to the other team only', async () => {
  const { first, second } = await routed(slackAdapter, 'C0FINANCE')
  await sendSlack(first, say('The books are closed', 'C0FINANCE'))
  await sendSlack(first, say('Version 2 is out', 'C0PRODUCT'))
  await until(async () => (await titlesOf(second.team)).length > 0)
  await until(async () => (await titlesOf(first.team)).length > 0)
  expect(await titlesOf(second.team)).toEqual(['The books are closed'])
  expect(await titlesOf(first.team)).toEqual(['Version 2 is out'])
})

test('the Undo button and the form of a routed channel act on the other team, also in another channel', async () => {
  const { first, second } = await routed(slackAdapter, 'C0FINANCE')
  const before = slack.followUps().length
  await sendSlack(first, say('Too early to say', 'C0FINANCE'))
  await until(async () => slack.followUps().length > before)
  const [, buttons] = slack.followUps().at(-1).blocks
  const { block_id } = buttons
  const [{ value }] = buttons.elements
  const pressed = press(value, { channel: { id: 'D0DIRECT' }, response_url: slack.responseUrl })
  const [action] = pressed.actions
  await sendSlack(first, { ...pressed, actions: [{ ...action, block_id }] })
  await until(async () => (await titlesOf(second.team)).length === 0)
  await sendSlack(first, {
    ...command(''),
    channel_id: 'C0FINANCE',
    response_url: slack.responseUrl,
  })
  await until(async () => slack.callsOf('views.open').length > 0)
  const view = jsonOf(slack.callsOf('views.open').at(-1), 'view')
  const filled = submission({ title: 'From the form', body: 'Text' })
  await sendSlack(first, {
    ...filled,
    view: { ...filled.view, private_metadata: view.private_metadata },
  })
  await until(async () => (await titlesOf(second.team)).length > 0)
  expect(await titlesOf(second.team)).toEqual(['From the form'])
  expect(await titlesOf(first.team)).toEqual([])
})

test('a route of a GitHub organization sends the releases of some repositories to another team', async () => {
  const { first, second } = await routed(github, 'acme/Docs-*')
  for (const name of ['docs-web', 'app']) await sendRelease(first.url, `acme/${name}`)
  await until(async () => (await titlesOf(first.team)).length > 0)
  await until(async () => (await titlesOf(second.team)).length > 0)
  expect(await titlesOf(first.team)).toEqual(['app v1.2.0 is out'])
  expect(await titlesOf(second.team)).toEqual(['docs-web v1.2.0 is out'])
})

async function sendRelease(url: string, fullName: string): Promise<void> {
  const repository = { full_name: fullName, name: fullName.split('/')[1], private: false }
  const body = JSON.stringify({
    action: 'published',
    release: {
      id: 7,
      tag_name: 'v1.2.0',
      name: '',
      body: 'Faster.',
      draft: false,
      prerelease: false,
      html_url: `https://github.com/${fullName}/releases/tag/v1.2.0`,
      published_at: '2026-11-20T12:00:00Z',
      author: { login: 'mira', type: 'User' },
    },
    repository: { ...repository, id: fullName.length, html_url: `https://github.com/${fullName}` },
    sender: { login: 'mira', type: 'User' },
  })
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'release',
    'x-github-delivery': crypto.randomUUID(),
    'x-hub-signature-256': `sha256=${createHmac('sha256', signingSecret).update(body).digest('hex')}`,
  }
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
}

test('a routed request is verified with the secret of the connection that handles it', async () => {
  const first = await connected(slackAdapter, { ...secrets.slack, signing_secret: 'another app' })
  const second = await connected(slackAdapter)
  const admin = await signedIn(app, first.team, 'admin')
  await admin.get(`/integrations/${first.id}/routes`)
  await admin.post(`/integrations/${first.id}/routes`, { source: '*', address: second.url })
  const forged = await sendSlack(first, say('Forged', 'C0FINANCE'), 'another app')
  expect(forged.status).toBe(401)
  expect(await titlesOf(second.team)).toEqual([])
})

test('a route needs the webhook URL of a connection to the same provider', async () => {
  const { first, second, admin, path } = await routed(slackAdapter, 'C0FINANCE')
  const other = await connected(github, secrets.github)
  for (const address of [
    second.id,
    `${app.base}/hooks/slack/${'A'.repeat(32)}`,
    other.url,
    first.url,
  ]) {
    const { status, html } = await admin.post(path, { source: 'C0OTHER', address })
    expect(status).toBe(422)
    expect(html).toContain('id="address-error"')
  }
  const spaced = await admin.post(path, { source: 'two words', address: second.url })
  expect(spaced.html).toContain('id="source-error"')
  const stranger = await signedIn(app, second.team, 'admin')
  expect((await stranger.get(path)).status).toBe(404)
  const editor = await signedIn(app, first.team, 'editor')
  expect((await editor.get(path)).status).toBe(403)
})

test('the routes of the connection that handles a request do not apply', async () => {
  const { first, second } = await routed(slackAdapter, '*')
  const back = await signedIn(app, second.team, 'admin')
  await back.get(`/integrations/${second.id}/routes`)
  await back.post(`/integrations/${second.id}/routes`, { source: '*', address: first.url })
  await sendSlack(first, say('There and no further', 'C0FINANCE'))
  await until(async () => (await titlesOf(second.team)).length > 0)
  expect(await titlesOf(first.team)).toEqual([])
})

test('while the other connection is removed the provider gets 404, and without the route the first team gets the news', async () => {
  const { first, second, admin, path } = await routed(slackAdapter, 'C0FINANCE')
  const other = await signedIn(app, second.team, 'admin')
  await other.get('/integrations')
  await other.post(`/integrations/${second.id}/remove`)
  expect((await sendSlack(first, say('Lost?', 'C0FINANCE'))).status).toBe(404)
  expect((await admin.get(path)).html).toContain('The connection was removed')
  await admin.post(`${path}/remove`, { source: 'C0FINANCE' })
  expect((await sendSlack(first, say('Here', 'C0FINANCE'))).status).toBe(200)
  await until(async () => (await titlesOf(first.team)).length > 0)
  expect(await titlesOf(first.team)).toEqual(['Here'])
})
