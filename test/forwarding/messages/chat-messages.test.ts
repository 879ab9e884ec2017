import { expect, test } from 'bun:test'
import { adapter } from '../../../integrations/slack/adapter.ts'
import { updateConnection } from '../../../src/features/connections/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { startChatApp } from '../../support/chats/chat-app.ts'
import {
  chatMessagesOf,
  retryJobsOf,
  settledBlocksOf,
  settledChatMessagesOf,
} from '../../support/chats/chat-rows.ts'
import { planIn } from '../../support/chats/plan-messages.ts'
import { newsletterOf, send, unlimitedClient } from '../../support/newsletters.ts'
import {
  buttonOf,
  type ConnectedTeam,
  connectTeam,
  startWorkspace,
  textOf,
} from '../../support/slack/slack-workspace.ts'
import { until } from '../../support/until.ts'

const workspace = startWorkspace({
  U0MIRA: { name: 'Mira Solano' },
  U0TOMAS: { name: 'Tomás Weld' },
  U0GONE: { name: 'Gone', deleted: true },
})
const app = await startChatApp({ adapters: [adapter] }, [workspace])

/** A newsletter with everything that people have sent, marked as sent. */
async function publish({ team }: ConnectedTeam, count: number) {
  const call = await unlimitedClient(app, team)
  const ids = (await settledBlocksOf(app, team, count)).map(({ id }) => id)
  for (const id of ids) await call('PATCH', `/content_blocks/${id}`, { status: 'ready' })
  const path = await newsletterOf(call, ids, { title: 'November <!channel>' })
  await send(call, path)
  return path
}

test('contributors get one message that their news is published, and people whom kudos thank get one, too', async () => {
  const connected = await connectTeam(app, workspace)
  await connected.command('U0MIRA', '/win', 'We shipped *search*')
  await connected.command('U0MIRA', '/kudos', '<@U0TOMAS|tomas> for the design')
  await publish(connected, 2)
  await planIn(app, 9)
  expect(await chatMessagesOf(app, connected.team)).toHaveLength(0)
  await Promise.all([planIn(app, 11), planIn(app, 11), planIn(app, 12)])
  await settledChatMessagesOf(app, connected.team, 2)
  const [toMira] = workspace.in('DU0MIRA')
  expect(toMira?.text).toContain(
    'Your news items are in the newsletter “November &lt;!channel&gt;”',
  )
  expect(textOf(toMira)).toContain('We shipped search')
  const [toTomas] = workspace.in('DU0TOMAS')
  expect(toTomas?.text).toContain('Somebody thanks you in the newsletter “November')
  expect(textOf(toTomas)).not.toContain('We shipped search')
  await planIn(app, 13)
  expect(workspace.messages).toHaveLength(2)
  expect(workspace.faults).toEqual([])
})

test('the message leads to the page of the newsletter in the archive', async () => {
  const connected = await connectTeam(app, workspace)
  const call = await unlimitedClient(app, connected.team)
  await call('PATCH', '/team', { archive: 'link' })
  await connected.command('U0MIRA', '/win', 'We shipped search')
  const path = await publish(connected, 1)
  await planIn(app, 11)
  await settledChatMessagesOf(app, connected.team, 1)
  const address = new URL((await call('GET', path)).json.newsletter.archive_url)
  const { url } = buttonOf(workspace.in('DU0MIRA')[0], 'read_newsletter')
  expect(url).toBe(app.base + address.pathname)
  expect((await fetch(url)).status).toBe(200)
})

test('a newsletter whose sending was undone is not announced', async () => {
  const connected = await connectTeam(app, workspace)
  await connected.command('U0MIRA', '/win', 'We shipped search')
  const path = await publish(connected, 1)
  const id = path.split('/').at(-1) ?? ''
  await app.sql`
    update newsletters set status = 'ready', sent_at = null, sent_html = null, sent_text = null
    where id = ${id}`
  await planIn(app, 11)
  expect(await chatMessagesOf(app, connected.team)).toHaveLength(0)
})

test('people whose account is deactivated get no message', async () => {
  const connected = await connectTeam(app, workspace)
  await connected.command('U0GONE', '/win', 'We shipped search')
  await publish(connected, 1)
  await planIn(app, 11)
  const [row] = await settledChatMessagesOf(app, connected.team, 1)
  expect(row).toMatchObject({ status: 'skipped' })
  expect(row?.reason).toContain('deactivated')
  expect(workspace.messages).toHaveLength(0)
})

test('messages to contributors can be switched off for a team', async () => {
  const connected = await connectTeam(app, workspace, { mute_contributors: true })
  await connected.command('U0MIRA', '/win', 'We shipped search')
  await publish(connected, 1)
  await planIn(app, 11)
  expect(await chatMessagesOf(app, connected.team)).toHaveLength(0)
})

const answered = (text: string) => workspace.answers.some((reply) => reply['text'] === text)

test('a person switches messages off with the button of a message, and on again', async () => {
  const connected = await connectTeam(app, workspace)
  await connected.command('U0MIRA', '/win', 'We shipped search')
  await publish(connected, 1)
  await planIn(app, 11)
  await settledChatMessagesOf(app, connected.team, 1)
  const [message] = workspace.in('DU0MIRA')
  if (!message) throw new Error('no message')
  await connected.press('U0MIRA', buttonOf(message, 'messages_off'), message)
  await until(async () => answered('You get no more messages about your news.'))
  await app.sql`delete from chat_messages where team_id = ${connected.team.id}`
  await planIn(app, 11)
  expect(await settledChatMessagesOf(app, connected.team, 1)).toMatchObject([{ status: 'skipped' }])
  await connected.press('U0MIRA', { action_id: 'messages_on', value: 'on' }, message)
  await until(async () => answered('You get messages about your news again.'))
  await app.sql`delete from chat_messages where team_id = ${connected.team.id}`
  await planIn(app, 11)
  expect(await settledChatMessagesOf(app, connected.team, 1)).toMatchObject([{ status: 'sent' }])
})

test('nobody gets a message in the quiet hours of the team, and it is sent afterwards', async () => {
  const connected = await connectTeam(app, workspace, { quiet_hours: '00:00-23:59' })
  await connected.command('U0MIRA', '/win', 'We shipped search')
  await publish(connected, 1)
  await planIn(app, 11)
  await until(
    async () => (await chatMessagesOf(app, connected.team))[0]?.reason?.includes('quiet') === true,
  )
  expect(workspace.calls).not.toContain('chat.postMessage')
  const given = { quiet_hours: 'none' }
  await updateConnection(systemContext(app.forwarder, connected.team.id), {
    adapter,
    id: connected.connectionId,
    given,
  })
  await until(async () => {
    await retryJobsOf(app, connected.team)
    return workspace.in('DU0MIRA').length > 0
  })
  expect(await settledChatMessagesOf(app, connected.team, 1)).toMatchObject([
    { status: 'sent', reason: null },
  ])
})

test.each([
  ['limited', 2],
  ['down', 2],
  ['lost', 1],
] as const)(
  'a message is sent once in the end when Slack is %s, with %d requests to post it',
  async (failure, requests) => {
    const connected = await connectTeam(app, workspace)
    workspace.failures.set('chat.postMessage', failure)
    await connected.command('U0MIRA', '/win', 'We shipped search')
    await publish(connected, 1)
    await planIn(app, 11)
    await until(async () => (await chatMessagesOf(app, connected.team))[0]?.reason != null)
    workspace.failures.clear()
    await until(async () => {
      await retryJobsOf(app, connected.team)
      return (await chatMessagesOf(app, connected.team))[0]?.status === 'sent'
    })
    expect(await chatMessagesOf(app, connected.team)).toMatchObject([{ status: 'sent' }])
    expect(workspace.in('DU0MIRA')).toHaveLength(1)
    const posts = workspace.calls.filter((method) => method === 'chat.postMessage')
    expect(posts).toHaveLength(requests)
  },
)

/** The state that a process leaves which dies while it sends. */
async function interrupted(work: () => Promise<unknown>): Promise<void> {
  await app.sql`
    create or replace function interrupt_messages() returns trigger language plpgsql as
    $$ begin new.status = 'sending'; return new; end $$`
  await app.sql`
    create or replace trigger interrupt before insert on chat_messages
    for each row execute function interrupt_messages()`
  try {
    await work()
  } finally {
    await app.sql`drop trigger interrupt on chat_messages`
  }
}

test('a message whose attempt was interrupted before Slack had it is sent', async () => {
  const connected = await connectTeam(app, workspace)
  await connected.command('U0MIRA', '/win', 'We shipped search')
  await publish(connected, 1)
  await interrupted(() => planIn(app, 11))
  expect(await settledChatMessagesOf(app, connected.team, 1)).toMatchObject([{ status: 'sent' }])
  expect(workspace.in('DU0MIRA')).toHaveLength(1)
})

test('a message of which Slack does not show whether it has it is not sent again', async () => {
  const connected = await connectTeam(app, workspace)
  workspace.failures.set('conversations.history', 'missing_scope')
  await connected.command('U0MIRA', '/win', 'We shipped search')
  await publish(connected, 1)
  await interrupted(() => planIn(app, 11))
  const [row] = await settledChatMessagesOf(app, connected.team, 1)
  expect(row).toMatchObject({ status: 'unknown' })
  expect(row?.reason).toContain('did not confirm')
  expect(workspace.messages).toHaveLength(0)
})

test('a message that Slack refuses says what to do', async () => {
  const connected = await connectTeam(app, workspace)
  workspace.failures.set('chat.postMessage', 'token_revoked')
  await connected.command('U0MIRA', '/win', 'We shipped search')
  await publish(connected, 1)
  await planIn(app, 11)
  const [row] = await settledChatMessagesOf(app, connected.team, 1)
  expect(row).toMatchObject({ status: 'failed', attempts: 1 })
  expect(row?.reason).toContain('Install the app again')
})
