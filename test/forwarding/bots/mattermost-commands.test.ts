import { beforeEach, expect, test } from 'bun:test'
import { adapter } from '../../../integrations/mattermost/adapter.ts'
import {
  createConnection,
  deleteConnection,
  updateConnection,
  webhookUrl,
} from '../../../src/features/connections/index.ts'
import { registerConnections, revokeTokens } from '../../../src/forwarding/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { startChatApp } from '../../support/chats/chat-app.ts'
import { settledBlocksOf } from '../../support/chats/chat-rows.ts'
import { signedIn } from '../../support/console.ts'
import { bot, startMattermost } from '../../support/mattermost/mattermost-server.ts'

const team_id = 'acmeteam000000000000000001'
const mira = 'mira'.padEnd(26, '0')
const words = ['kudos', 'news', 'tidings', 'welcome', 'win']

const server = startMattermost({ [mira]: { username: 'mira' } })
const app = await startChatApp({ adapters: [adapter] }, [server])
beforeEach(() => {
  for (const list of [server.commands, server.calls, server.faults, server.replies]) list.length = 0
  server.failures.clear()
})

/** A team whose bot registers the commands of a team of Mattermost. */
async function connect(given: Record<string, string> = {}) {
  const team = await app.team()
  const ctx = systemContext(app.forwarder, team.id)
  const settings = { server_url: server.url, access_token: bot.token, team_id, ...given }
  const { id, webhookToken } = await createConnection(ctx, { adapter, given: settings })
  return { team, ctx, id, url: webhookUrl(app.base, 'mattermost', webhookToken) }
}

const commandOf = (word: string) => server.commands.find(({ trigger }) => trigger === word)

/** Somebody writes a command, which Mattermost sends with the token of the command. */
const write = (url: string, word: string, token: string) =>
  fetch(url, {
    method: 'POST',
    body: new URLSearchParams({
      token,
      command: `/${word}`,
      text: `We shipped ${word}`,
      user_id: mira,
      user_name: 'mira',
      team_id,
      channel_id: 'townsquare0000000000000001',
      trigger_id: server.trigger(mira),
      response_url: server.responseUrl(mira),
    }),
  })

const written = () => server.calls.filter((name) => /^(?:POST|PUT|DELETE) commands/.test(name))

test('the bot registers the commands of its team once, and each of them is accepted with its token', async () => {
  const { team, url } = await connect()
  for (const _ of [1, 2]) await registerConnections(app.forwarder)
  expect(written()).toHaveLength(5)
  expect(server.commands.map(({ trigger }) => trigger).toSorted()).toEqual(words)
  for (const [index, word] of words.filter((one) => one !== 'tidings').entries()) {
    const { token = '', url: address } = commandOf(word) ?? {}
    expect(address).toBe(url)
    expect((await write(url, word, token)).status).toBe(200)
    await settledBlocksOf(app, team, index + 1)
  }
  expect((await write(url, 'win', 'another token')).status).toBe(401)
  expect(server.faults).toEqual([])
})

test('the tokens of the commands are stored encrypted, and no page shows them', async () => {
  const { team, id } = await connect()
  await registerConnections(app.forwarder)
  const token = commandOf('win')?.token ?? ''
  const [row] = await app.sql`
    select row_to_json(c)::text as stored, encrypted from connections c where id = ${id}`
  expect(row?.['stored']).not.toContain(token)
  expect(Buffer.from(row?.['encrypted']).toString('latin1')).not.toContain(token)
  const admin = await signedIn(app, team, 'admin')
  expect((await admin.get(`/integrations/${id}`)).html).not.toContain(token)
})

test('commands that exist keep their tokens when they are registered again, with the new address of the service', async () => {
  const { ctx, id, url } = await connect()
  await registerConnections(app.forwarder)
  const before = server.commands.map(({ token }) => token)
  await registerConnections({ ...app.forwarder, baseUrl: 'https://news.acme.example' })
  expect(server.commands.map(({ token }) => token)).toEqual(before)
  expect(commandOf('win')?.url).toBe(`https://news.acme.example${new URL(url).pathname}`)
  server.calls.length = 0
  await updateConnection(ctx, { adapter, id, given: { quiet_hours: 'none' } })
  await registerConnections({ ...app.forwarder, baseUrl: 'https://news.acme.example' })
  expect(written()).toEqual([])
})

test('a command that was deleted in Mattermost and is registered again has a new token, which replaces the old one', async () => {
  const { team, ctx, id, url } = await connect()
  await registerConnections(app.forwarder)
  const old = commandOf('win')?.token ?? ''
  server.commands.length = 0
  await updateConnection(ctx, { adapter, id, given: { access_token: bot.token } })
  await app.sql`update connections set registration = null where id = ${id}`
  await registerConnections(app.forwarder)
  const { token = '' } = commandOf('win') ?? {}
  expect(token).not.toBe(old)
  expect((await write(url, 'win', token)).status).toBe(200)
  expect((await write(url, 'win', old)).status).toBe(401)
  await settledBlocksOf(app, team, 1)
})

test('the page says what to do when the bot may not create commands, and when a command belongs to another integration', async () => {
  const { team, ctx, id } = await connect()
  const admin = await signedIn(app, team, 'admin')
  const page = async () => (await admin.get(`/integrations/${id}`)).html
  server.failures.set('GET commands', 'no_access')
  await registerConnections(app.forwarder)
  expect(await page()).toContain('does not let the bot create slash commands')
  server.failures.clear()
  server.commands.push({
    id: 'other'.padEnd(26, '0'),
    token: 'token of another integration',
    team_id,
    method: 'P',
    trigger: 'news',
    url: 'https://other.example/hook',
  })
  await updateConnection(ctx, { adapter, id, given: { access_token: bot.token } })
  await app.sql`update connections set registration = null where id = ${id}`
  await registerConnections(app.forwarder)
  expect(await page()).toContain('belong to another integration: /news')
  expect(server.commands.filter(({ url }) => url === 'https://other.example/hook')).toHaveLength(1)
  expect(server.commands).toHaveLength(5)
})

test.each(['down', 'limited'] as const)(
  'the commands are removed with the connection, later when Mattermost is %s, and then its secrets are deleted',
  async (failure) => {
    const { ctx, id } = await connect()
    await registerConnections(app.forwarder)
    await deleteConnection(ctx, id)
    const hasSecrets = async () => {
      const [row] =
        await app.sql`select encrypted is not null as has from connections where id = ${id}`
      return row?.['has']
    }
    server.failures.set('GET commands', failure)
    await revokeTokens(app.forwarder)
    expect([server.commands.length, await hasSecrets()]).toEqual([5, true])
    server.failures.clear()
    await revokeTokens(app.forwarder)
    expect([server.commands.length, await hasSecrets()]).toEqual([0, false])
  },
)

test('a connection needs the token of a command, or a team in which its bot registers them', async () => {
  const team = await app.team()
  const ctx = systemContext(app.forwarder, team.id)
  const create = createConnection(ctx, { adapter, given: { server_url: server.url } })
  await expect(create).rejects.toThrow('team_id is required')
})
