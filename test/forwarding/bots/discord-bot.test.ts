import { afterEach, expect, test } from 'bun:test'
import { adapter } from '../../../integrations/discord/adapter.ts'
import { updateConnection } from '../../../src/features/connections/index.ts'
import { registerConnections } from '../../../src/forwarding/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { startChatApp } from '../../support/chats/chat-app.ts'
import {
  blocksOf,
  retryJobsOf,
  settledBlocksOf,
  settledChatMessagesOf,
} from '../../support/chats/chat-rows.ts'
import { planIn } from '../../support/chats/plan-messages.ts'
import { signedIn } from '../../support/console.ts'
import { connectDiscord, textOf } from '../../support/discord/discord-bot.ts'
import { discord, startDiscord } from '../../support/discord/discord-server.ts'
import { untilNothingIsSent } from '../../support/jobs.ts'
import { publishBlocks } from '../../support/newsletters.ts'
import { until } from '../../support/until.ts'

const [mira, tomas] = ['201', '202'] as const
const channel = '1600000000000000007'
const server = startDiscord({ [mira]: { name: 'Mira Solano' }, [tomas]: { name: 'Tomás Weld' } })
const app = await startChatApp({ adapters: [adapter] }, [server])
afterEach(() => {
  expect(server.faults).toEqual([])
})

test('the commands of Discord are registered once, and again after the token was changed', async () => {
  const connected = await connectDiscord(app, server, { bot_token: 'a wrong token' })
  const registered = () => server.calls.filter((name) => name.startsWith('PUT applications'))
  await registerConnections(app.forwarder)
  expect(registered()).toHaveLength(0)
  const admin = await signedIn(app, connected.team, 'admin')
  const { html } = await admin.get(`/integrations/${connected.connectionId}`)
  expect(html).toContain('Discord refused the token (401)')
  await updateConnection(systemContext(app.forwarder, connected.team.id), {
    adapter,
    id: connected.connectionId,
    given: { bot_token: discord.botToken },
  })
  await registerConnections(app.forwarder)
  await registerConnections(app.forwarder)
  expect(registered()).toHaveLength(1)
  expect(server.commands()).toHaveLength(6)
  const page = await admin.get(`/integrations/${connected.connectionId}`)
  expect(page.html).not.toContain('Discord refused the token')
})

test('a token of another application of Discord registers nothing and says so', async () => {
  const other = { application_id: '1300000000000000009' }
  const connected = await connectDiscord(app, server, other)
  await registerConnections(app.forwarder)
  const [row] = await app.sql`
    select registration->>'reason' as reason from connections where team_id = ${connected.team.id}`
  expect(row?.['reason']).toContain('belongs to the application')
})

test('/tidings in Discord says what became of news, how much waits and what comes next', async () => {
  const connected = await connectDiscord(app, server)
  const help = await connected.tidings(mira, 'help')
  expect(textOf(help.data)).toContain('/tidings next')
  expect(textOf((await connected.tidings(mira, 'mine')).data)).toContain('not sent any news yet')
  await connected.command(mira, 'win', 'We shipped [search](https://evil.example)')
  await settledBlocksOf(app, connected.team, 1)
  const mine = await connected.tidings(mira, 'mine')
  expect(textOf(mine.data)).toContain('waiting for review')
  expect(mine.data.flags).toBe(64)
  expect(textOf((await connected.tidings(mira, 'status')).data)).toContain('1 item waits')
  expect(textOf((await connected.tidings(mira, 'next')).data)).toContain('No newsletter')
})

test('/tidings mine in Discord shows news whose sender could not be told yet', async () => {
  const connected = await connectDiscord(app, server)
  server.failures.set('POST webhooks', 'down')
  await connected.command(mira, 'win', 'We shipped search')
  await settledBlocksOf(app, connected.team, 1)
  const mine = await connected.tidings(mira, 'mine')
  expect(textOf(mine.data)).toContain('waiting for review')
  expect(server.replies).toEqual([])
})

test('what somebody wrote in a private channel of Discord is not shown in the channel for reviews', async () => {
  const connected = await connectDiscord(app, server, { review_channel: channel })
  const [open, closed] = ['1600000000000000021', '1600000000000000022']
  const deny = [{ id: discord.server, type: 0, allow: '0', deny: '1024' }]
  server.channels.set(closed, { type: 0, permission_overwrites: deny })
  for (const [index, from] of [open, closed].entries()) {
    const form = await connected.save(mira, tomas, from, `Text of channel ${index}`)
    await connected.submit(mira, form, {})
    await settledBlocksOf(app, connected.team, index + 1)
  }
  await planIn(app)
  await until(async () => server.in(channel).length > 0)
  const text = textOf(server.in(channel)[0])
  expect(text).toContain('Text of channel 0')
  expect(text).not.toContain('Text of channel 1')
  expect(text).toContain('News from a private conversation')
})

test('a draft from a private channel is not posted for a review while Discord cannot say that it is private', async () => {
  const connected = await connectDiscord(app, server, { review_channel: channel })
  const closed = '1600000000000000023'
  const deny = [{ id: discord.server, type: 0, allow: '0', deny: '1024' }]
  server.channels.set(closed, { type: 0, permission_overwrites: deny })
  server.failures.set('GET channels/*', 'down')
  const form = await connected.save(mira, tomas, closed, 'We buy Initech')
  await connected.submit(mira, form, {})
  await until(async () => {
    const [row] = await app.sql`select reason from deliveries where team_id = ${connected.team.id}`
    return row?.['reason'] === 'Discord answered 503.'
  })
  await planIn(app)
  await untilNothingIsSent(app)
  expect(JSON.stringify(server.messages)).not.toContain('Initech')
  server.failures.clear()
  await until(async () => {
    await retryJobsOf(app, connected.team)
    return (await blocksOf(app, connected.team)).length === 1
  })
  await settledBlocksOf(app, connected.team, 1)
  await planIn(app, 1)
  await until(async () => server.in(channel).length > 0)
  expect(textOf(server.in(channel)[0])).toContain('News from a private conversation')
  expect(JSON.stringify(server.messages)).not.toContain('Initech')
})

test('a draft that is saved after the token of Discord was reset counts as private', async () => {
  const connected = await connectDiscord(app, server, { bot_token: 'a wrong token' })
  const form = await connected.save(mira, tomas, '1600000000000000024', 'We buy Initech')
  await connected.submit(mira, form, {})
  await settledBlocksOf(app, connected.team, 1)
  const people = await app.sql`
    select user_id from block_contributors where team_id = ${connected.team.id} and from_private`
  expect(people.map(({ user_id }) => user_id).toSorted()).toEqual([mira, tomas])
})

test('a person who takes no direct messages in Discord gets none', async () => {
  const connected = await connectDiscord(app, server)
  await connected.command(mira, 'win', 'We shipped search')
  await settledBlocksOf(app, connected.team, 1)
  server.people[mira] = { name: 'Mira Solano', isClosed: true }
  await publishBlocks(app, connected.team)
  await planIn(app, 11)
  expect(await settledChatMessagesOf(app, connected.team, 1)).toMatchObject([
    { reason: expect.stringContaining('takes no direct messages') },
  ])
  expect(server.messages).toHaveLength(0)
})
