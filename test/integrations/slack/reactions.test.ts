import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { adapter } from '../../../integrations/slack/adapter.ts'
import manifest from '../../../integrations/slack/manifest.json' with { type: 'json' }
import { createConnection, webhookUrl } from '../../../src/features/connections/index.ts'
import { replayDelivery } from '../../../src/features/deliveries/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { untilNothingIsSent } from '../../support/jobs.ts'
import { botToken, formBody, sign, startSlack } from '../../support/slack/slack.ts'
import { people, submission } from '../../support/slack/slack-payloads.ts'
import { until } from '../../support/until.ts'

const slack = startSlack(people)
let app: TestApp
beforeAll(async () => {
  app = await startApp({ adapters: [adapter] })
})
afterAll(async () => {
  await app.close()
  await slack.stop()
})

const scopes = manifest.oauth_config.scopes.bot
const reaction = 'rolled_up_newspaper'
/** The message of a test, so that a late reply to that of another test does not count. */
let messages = 0
let ts = ''
/** The message in Slack: its reactions, and the channel it is in. */
let reactions: { name: string; count: number }[] = []
let isPrivate = false
beforeEach(async () => {
  // Replies are sent after the outcome of a delivery is stored.
  await untilNothingIsSent(app)
  ts = `${1_795_000_000 + messages++}.000200`
  slack.calls.length = 0
  slack.failures.clear()
  reactions = [{ name: reaction, count: 1 }]
  isPrivate = false
  slack.answers.set('reactions.get', () => ({
    ok: true,
    message: { text: 'We *shipped* <@U0TOMAS>’s search :tada:', user: 'U0MIRA', ts, reactions },
  }))
  // Slack describes a private channel of the app only with a permission that the app does not ask for.
  slack.answers.set('conversations.info', () =>
    isPrivate
      ? { ok: false, error: 'missing_scope', needed: 'groups:read', provided: scopes.join(',') }
      : { ok: true, channel: { id: 'C0WINS', is_channel: true, is_private: false } },
  )
})

const signingSecret = 'a secret of these tests'
let events = 0

async function connected(given: object = {}) {
  const team = await app.team()
  const connection = await createConnection(systemContext(app.forwarder, team.id), {
    adapter,
    given: {
      signing_secret: signingSecret,
      bot_token: botToken,
      api_base_url: slack.apiUrl,
      ...given,
    },
  })
  const url = webhookUrl(app.base, 'slack', connection.webhookToken)
  const react = (change: object = {}) => send(url, { type: 'reaction_added', reaction, ...change })
  const unreact = (change: object = {}) =>
    send(url, { type: 'reaction_removed', reaction, ...change })
  return { team, react, unreact, url }
}

async function send(
  url: string,
  { is_ext_shared_channel, ...event }: Record<string, unknown>,
  eventId = `Ev${events++}`,
): Promise<void> {
  const body = JSON.stringify({
    type: 'event_callback',
    team_id: 'T0ACME',
    api_app_id: 'A0NEWS',
    event_id: eventId,
    is_ext_shared_channel,
    event: {
      user: 'U0READER',
      item_user: 'U0MIRA',
      item: { type: 'message', channel: 'C0WINS', ts },
      event_ts: String(Date.now() / 1000),
      ...event,
    },
  })
  await post(url, body, 'application/json')
}

/** Somebody saves the message with the form. */
const submitForm = (url: string) =>
  post(
    url,
    formBody(
      submission({
        title: 'We shipped',
        body: 'We shipped search',
        notes: { channel: 'C0WINS', message_ts: ts },
      }),
    ),
    'application/x-www-form-urlencoded',
  )

async function post(url: string, body: string, contentType: string): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const headers = {
    'content-type': contentType,
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': sign(body, timestamp, signingSecret),
  }
  const response = await fetch(url, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
}

const replies = () =>
  slack
    .callsOf('chat.postMessage')
    .map(({ fields }) => fields)
    .filter(({ thread_ts }) => thread_ts === ts)

const blocksOf = (team: Team) => app.sql`
  select title, body, author, source_url, external_id from content_blocks where team_id = ${team.id}`
const deliveriesOf = (team: Team) => app.sql<
  { id: string; status: string; reason: string | null }[]
>`
  select id, status, reason from deliveries where team_id = ${team.id} order by id`
const settled = async (team: Team, count: number) => {
  await until(async () => {
    const rows = await deliveriesOf(team)
    return rows.length === count && rows.every(({ status }) => status !== 'waiting')
  })
  return await deliveriesOf(team)
}

test('a reaction saves the message with its author and link, and one reply in the thread confirms it', async () => {
  const { team, react } = await connected()
  await react()
  await settled(team, 1)
  await react({ user: 'U0SECOND' })
  await settled(team, 2)
  expect([...(await blocksOf(team))]).toEqual([
    {
      title: 'We shipped Tomás Weld’s search 🎉',
      body: expect.stringContaining('<strong>shipped</strong>'),
      author: 'Mira Solano',
      source_url: `https://acme.slack.com/archives/C0WINS/p${ts.replace('.', '')}`,
      external_id: `slack:message:C0WINS:${ts}`,
    },
  ])
  await until(async () => replies().length > 0)
  expect(replies()).toMatchObject([{ channel: 'C0WINS', thread_ts: ts }])
  const link = /<(http[^|]+)\|/.exec(replies()[0]?.['text'] ?? '')?.[1] ?? ''
  expect(await (await fetch(link)).text()).toContain('Waiting for review')
})

test('a removed reaction withdraws the block within ten minutes, unless another one is left', async () => {
  const { team, react, unreact } = await connected()
  await react()
  await settled(team, 1)
  await unreact()
  expect((await settled(team, 2))[1]).toMatchObject({ status: 'ignored' })
  expect(await blocksOf(team)).toHaveLength(1)
  reactions = []
  await unreact({ user: 'U0SECOND' })
  expect((await settled(team, 3))[2]).toMatchObject({ status: 'withdrawn' })
  expect(await blocksOf(team)).toHaveLength(0)
})

test('a reaction that is added and removed withdraws nothing that somebody has saved with the form, before or after it', async () => {
  for (const first of ['form', 'reaction'] as const) {
    ts = `${ts.slice(0, -1)}${first === 'form' ? 1 : 2}`
    reactions = [{ name: reaction, count: 1 }]
    const { team, react, unreact, url } = await connected()
    const save = { form: () => submitForm(url), reaction: () => react() }
    await save[first]()
    await settled(team, 1)
    await save[first === 'form' ? 'reaction' : 'form']()
    await settled(team, 2)
    expect(await blocksOf(team)).toHaveLength(1)
    reactions = []
    await unreact()
    expect((await settled(team, 3))[2]).toMatchObject({ status: 'withdrawn' })
    expect(await blocksOf(team)).toHaveLength(1)
  }
})

test('a reaction that is removed after ten minutes withdraws nothing', async () => {
  const { team, react, unreact } = await connected()
  await react()
  await settled(team, 1)
  reactions = []
  await unreact({ event_ts: String(Date.now() / 1000 + 11 * 60) })
  await settled(team, 2)
  expect(await blocksOf(team)).toHaveLength(1)
})

test('reactions of people of another company in a shared channel neither save nor withdraw a message', async () => {
  const { team, react, unreact } = await connected()
  const from = async (team_id: string, change: typeof react) => {
    const profile = { display_name: 'Mira Solano' }
    slack.answers.set('users.info', () => ({ ok: true, user: { team_id, profile } }))
    await change({ is_ext_shared_channel: true })
  }
  const reason = 'from a person of another company'
  try {
    await from('T0PARTNER', react)
    const [ignored] = await settled(team, 1)
    expect(ignored).toMatchObject({ status: 'ignored', reason })
    await replayDelivery(systemContext(app.forwarder, team.id), ignored?.id ?? '')
    expect((await settled(team, 1))[0]).toMatchObject({
      status: 'ignored',
      reason: expect.stringContaining('its person is not stored any more'),
    })
    await from('T0ACME', react)
    expect((await settled(team, 2))[1]).toMatchObject({ status: 'delivered' })
    reactions = []
    await from('T0PARTNER', unreact)
    expect((await settled(team, 3))[2]).toMatchObject({ status: 'ignored', reason })
    expect(await blocksOf(team)).toHaveLength(1)
    await from('T0ACME', unreact)
    expect((await settled(team, 4))[3]).toMatchObject({ status: 'withdrawn' })
  } finally {
    slack.answers.delete('users.info')
  }
})

test('a reaction in a private channel saves nothing, its person alone is told, and the connection stays healthy', async () => {
  isPrivate = true
  const { team, react } = await connected()
  await react()
  expect((await settled(team, 1))[0]?.status).toBe('ignored')
  await until(async () => slack.callsOf('chat.postEphemeral').length > 0)
  const [told] = slack.callsOf('chat.postEphemeral')
  expect(told?.fields).toMatchObject({ channel: 'C0WINS', user: 'U0READER' })
  expect(told?.fields['text']).toContain('Only messages of public channels can be saved like this.')
  expect(await blocksOf(team)).toHaveLength(0)
  expect(replies()).toHaveLength(0)
  const [connection] =
    await app.sql`select token_problem from connections where team_id = ${team.id}`
  expect(connection?.['token_problem']).toBeNull()
})

test('other reactions are neither stored nor looked up, and the reaction can be chosen', async () => {
  const { team, react } = await connected({ reaction: ':star:' })
  await react()
  await react({ item: { type: 'file', file: 'F1' }, reaction: 'star' })
  expect(await deliveriesOf(team)).toHaveLength(0)
  expect(slack.callsOf('reactions.get')).toHaveLength(0)
  reactions = [{ name: 'star', count: 1 }]
  await react({ reaction: 'star' })
  await settled(team, 1)
  expect(await blocksOf(team)).toHaveLength(1)
})

test('a reaction that Slack reports three times creates one block and one reply', async () => {
  const { team, url } = await connected()
  const event = { type: 'reaction_added', reaction }
  await Promise.all([1, 2, 3].map(() => send(url, event, `EvSame${team.id}`)))
  await settled(team, 1)
  await until(async () => replies().length > 0)
  expect(await blocksOf(team)).toHaveLength(1)
  expect(replies()).toHaveLength(1)
})

test('while Slack limits requests the message waits and is saved later', async () => {
  const { team, react } = await connected()
  slack.failures.set('reactions.get', 'limited')
  await react()
  await until(async () => (await deliveriesOf(team))[0]?.reason?.includes('limits') === true)
  slack.failures.clear()
  await until(async () => {
    await app.sql`update pgboss.job set start_after = now() where state = 'retry' and start_after > now()`
    return (await blocksOf(team)).length > 0
  })
  expect(await blocksOf(team)).toHaveLength(1)
})

test('while Slack limits messages the reply in the thread waits, and is sent once', async () => {
  const { react } = await connected()
  const replies = () => slack.callsOf('chat.postMessage')
  slack.answers.set('chat.postMessage', () =>
    replies().length < 2
      ? new Response('', { status: 429, headers: { 'retry-after': '1' } })
      : { ok: true },
  )
  try {
    await react()
    await until(async () => replies().length >= 2)
    await untilNothingIsSent(app)
    expect(replies()).toHaveLength(2)
    expect(replies()[1]?.fields['text']).toContain('Saved for the newsletter')
  } finally {
    slack.answers.delete('chat.postMessage')
  }
})
