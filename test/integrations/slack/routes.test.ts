import { expect, test } from 'bun:test'
import { adapter } from '../../../integrations/slack/adapter.ts'
import { planMessages } from '../../../src/forwarding/index.ts'
import { startChatApp } from '../../support/chats/chat-app.ts'
import { blocksOf } from '../../support/chats/chat-rows.ts'
import { member, signedIn } from '../../support/console.ts'
import {
  buttonOf,
  type ConnectedTeam,
  connectTeam,
  startWorkspace,
} from '../../support/slack/slack-workspace.ts'
import { until } from '../../support/until.ts'

const workspace = startWorkspace({ U0MIRA: { name: 'Mira Solano' }, U0ADA: { name: 'Ada Reyes' } })
const app = await startChatApp({ adapters: [adapter] }, [workspace])

const channel = 'C0FINANCE'

/** A team that Slack calls, and one to which it routes the channel. Both have the secrets of one app. */
async function routed(given: Record<string, string> = {}) {
  const called = await connectTeam(app, workspace)
  const target = await connectTeam(app, workspace, given)
  const admin = await signedIn(app, called.team, 'admin')
  const path = `/integrations/${called.connectionId}/routes`
  expect((await admin.post(path, { source: channel, address: target.url })).location).toBe(path)
  return { called, target }
}

const titlesOf = async ({ team }: ConnectedTeam) =>
  (await blocksOf(app, team)).map(({ title }) => title)

/** The last form that the workspace has opened, after `open`. */
async function viewAfter(open: () => Promise<unknown>) {
  const before = workspace.opened.length
  await open()
  await until(async () => workspace.opened.length > before)
  return JSON.parse(workspace.opened.at(-1)?.['view'] ?? '{}')
}

test('what a mention of the app saves in a routed channel goes to the other team, and Undo withdraws it there', async () => {
  const { called, target } = await routed()
  const mention = {
    type: 'app_mention',
    user: 'U0MIRA',
    ts: '1795.3',
    event_ts: '1795.3',
    text: '<@U0BOT> win The books are closed',
  }
  await called.event({ ...mention, channel })
  await until(async () => (await titlesOf(target)).length > 0)
  await called.event({ ...mention, channel: 'C0PRODUCT' })
  await until(async () => (await titlesOf(called)).length > 0)
  expect(await titlesOf(target)).toEqual(['The books are closed'])
  const saved = () => workspace.in('U0MIRA').find(({ text }) => text.includes('books are closed'))
  await until(async () => saved() !== undefined)
  const [, undo] = saved()?.blocks ?? []
  const { action_id, value } = undo?.elements?.[0] ?? {}
  await called.request({
    type: 'block_actions',
    api_app_id: 'A0NEWS',
    team: { id: 'T0ACME' },
    user: { id: 'U0MIRA', team_id: 'T0ACME' },
    trigger_id: '1.2.4',
    response_url: workspace.responseUrl,
    container: { type: 'message', channel_id: 'D0MIRA', message_ts: '1795.6' },
    channel: { id: 'D0MIRA' },
    actions: [{ type: 'button', action_id, block_id: undo?.block_id, value, action_ts: '1795.7' }],
  })
  await until(async () => (await titlesOf(target)).length === 0)
  expect(await titlesOf(called)).toHaveLength(1)
})

test('a message to the app belongs to the team that Slack calls, also with a route for everything', async () => {
  const { called, target } = await routed()
  const admin = await signedIn(app, called.team, 'admin')
  const path = `/integrations/${called.connectionId}/routes`
  await admin.post(path, { source: '*', address: target.url })
  await called.event({
    type: 'message',
    channel_type: 'im',
    user: 'U0MIRA',
    channel: 'D0MIRA',
    ts: '1795.4',
    event_ts: '1795.4',
    text: 'win We moved',
  })
  await until(async () => (await titlesOf(called)).length > 0)
  expect(await titlesOf(target)).toEqual([])
})

test('the form that a button in a routed channel opens is about the other team', async () => {
  const { called, target } = await routed()
  const view = await viewAfter(() =>
    called.press(
      'U0MIRA',
      { action_id: 'open_form', value: 'form' },
      { channel, ts: '1795.5', text: '', blocks: [] },
    ),
  )
  await called.submitForm('U0MIRA', view, { title: 'From the form', body: 'Text' })
  await until(async () => (await titlesOf(target)).length > 0)
  expect(await titlesOf(target)).toEqual(['From the form'])
  expect(await titlesOf(called)).toEqual([])
})

test('an editor changes a draft in a form of the routed channel in which the other team reviews', async () => {
  const { called, target } = await routed({ review_channel: channel })
  const { email } = await member(app, target.team, 'editor')
  workspace.people['U0ADA'] = { name: 'Ada Reyes', email }
  await called.command('U0MIRA', '/win', 'The books are closed', channel)
  await until(async () => (await titlesOf(target)).length > 0)
  await planMessages(app.forwarder)
  await until(async () => workspace.in(channel).length > 0)
  const [message] = workspace.in(channel)
  if (!message) throw new Error('there is no message')
  const view = await viewAfter(() =>
    called.press('U0ADA', buttonOf(message, 'edit_in_form'), message),
  )
  await called.submitForm('U0ADA', view, { title: 'The books of May are closed', body: 'At last' })
  await until(async () => (await titlesOf(target)).includes('The books of May are closed'))
  expect(await titlesOf(called)).toEqual([])
})
