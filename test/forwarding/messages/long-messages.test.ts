import { describe, expect, test } from 'bun:test'
import { adapter as discord } from '../../../integrations/discord/adapter.ts'
import { adapter as googleChat } from '../../../integrations/google-chat/adapter.ts'
import type { Adapter } from '../../../integrations/kit/adapter.ts'
import { adapter as mattermost } from '../../../integrations/mattermost/adapter.ts'
import { adapter as slack } from '../../../integrations/slack/adapter.ts'
import { adapter as teams } from '../../../integrations/teams/adapter.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { planMessages } from '../../../src/forwarding/index.ts'
import { startChatApp } from '../../support/chats/chat-app.ts'
import { signedIn } from '../../support/console.ts'
import { connectDiscord } from '../../support/discord/discord-bot.ts'
import { startDiscord } from '../../support/discord/discord-server.ts'
import { connectGoogleChat, startGoogleChat } from '../../support/google-chat/google-chat.ts'
import { connectMattermost } from '../../support/mattermost/mattermost-bot.ts'
import { startMattermost } from '../../support/mattermost/mattermost-server.ts'
import { blockOf, newsletterOf, send, unlimitedClient } from '../../support/newsletters.ts'
import { connectTeam, startWorkspace } from '../../support/slack/slack-workspace.ts'
import { connectTeamsBot, startTeams } from '../../support/teams/teams-bot.ts'
import { until } from '../../support/until.ts'

// Very many and very long texts, through the stand-ins, which refuse what the chats refuse.

const servers = {
  slack: startWorkspace({}),
  discord: startDiscord({}),
  mattermost: startMattermost({}),
  teams: startTeams({}),
  googleChat: await startGoogleChat({}),
}
const app = await startChatApp(
  { adapters: [slack, discord, mattermost, teams, googleChat] },
  Object.values(servers),
)

type Connect = (given: object) => Promise<{ team: Team; connectionId: string }>

const platforms: [name: string, Adapter, keyof typeof servers, channel: string, Connect][] = [
  ['Slack', slack, 'slack', 'C0EDITORS', (given) => connectTeam(app, servers.slack, { ...given })],
  [
    'Discord',
    discord,
    'discord',
    '1600000000000000007',
    (given) => connectDiscord(app, servers.discord, { ...given }),
  ],
  [
    'Mattermost',
    mattermost,
    'mattermost',
    'c'.repeat(26),
    (given) => connectMattermost(app, servers.mattermost, { ...given }),
  ],
  [
    'Microsoft Teams',
    teams,
    'teams',
    '19:editors@thread.tacv2',
    (given) => connectTeamsBot(app, servers.teams, { ...given }),
  ],
  [
    'Google Chat',
    googleChat,
    'googleChat',
    'spaces/AAAAeditors',
    (given) => connectGoogleChat(app, servers.googleChat, { ...given }),
  ],
]

const words = ['Hafenbank', '👩‍👩‍👧‍👦', '*_`~[a](b)`_*', 'Änderung', '🏳️‍🌈']
/** A text of whole words and emoji, each of which is several characters for most chats. */
const longText = (characters: number) => {
  let text = ''
  for (let index = 0; text.length < characters; index++) text += `${words[index % words.length]} `
  return [...text.trim()].slice(0, characters).join('').replace(/ \S*$/, '')
}

/** The messages of a channel as JSON. */
const shownIn = (server: keyof typeof servers, channel: string) =>
  servers[server]
    .in(channel)
    .map((message) => JSON.stringify(message))
    .join('\n')

/** The last words before each `…`, without the escapes of Markdown. */
const cutWords = (shown: string) =>
  [...shown.replaceAll('\\', '').matchAll(/([^\s"]*)…/g)].map(([, word = '']) => word)

describe.each(platforms)('%s', (_name, adapter, server, channel, connect) => {
  test('very many drafts with very long texts are all shown for a review, and no word and no emoji is cut', async () => {
    const { team } = await connect({ review_channel: channel })
    const call = await unlimitedClient(app, team)
    const count = 13
    for (let index = 0; index < count; index++) {
      const title = index % 2 === 0 ? '*'.repeat(190) : longText(190)
      const body = longText(9_000)
      await call('POST', '/webhooks/ingest', { title: `${index} ${title}`, body, author: title })
    }
    await planMessages({ ...app.forwarder, now: () => new Date(Date.now() + 1000) })
    const messages = Math.ceil(count / (adapter.messaging?.draftsPerMessage ?? 1))
    await until(async () => servers[server].in(channel).length === messages)
    const { content_blocks: blocks } = (await call('GET', '/content_blocks?limit=50')).json
    expect(blocks).toHaveLength(count)
    for (const { id } of blocks) expect(shownIn(server, channel)).toContain(`/library/${id}`)
    for (const { id } of blocks) await call('PATCH', `/content_blocks/${id}`, { status: 'ready' })
    await planMessages({ ...app.forwarder, now: () => new Date(Date.now() + 2000) })
    await until(
      async () => shownIn(server, channel).match(/Approved in Tidings/g)?.length === count,
    )
    expect(servers[server].faults).toEqual([])
    const cut = cutWords(shownIn(server, channel))
    expect(cut.length).toBeGreaterThan(0)
    expect(cut.filter((word) => !words.includes(word) && !/^\*+$/.test(word))).toEqual([])
  })

  test('a newsletter with very many and very long headlines is posted with the number of the others and its link', async () => {
    const { team, connectionId } = await connect({ newsletter_channel: channel })
    const call = await unlimitedClient(app, team)
    const blocks: string[] = []
    for (let index = 0; index < 40; index++)
      blocks.push(await blockOf(call, { title: `${index} ${longText(190)}` }))
    await call('PATCH', '/team', { archive: 'link' })
    const path = await newsletterOf(call, blocks, { title: longText(190) })
    await send(call, path)
    const editor = await signedIn(app, team, 'editor')
    await editor.get(`${path}/export`)
    const before = servers[server].in(channel).length
    await editor.post(`${path}/posts`, {
      connection: connectionId,
      ...(adapter === slack && { channel }),
    })
    await until(async () => (await editor.get(`${path}/export`)).html.includes('Posted'))
    const [posted] = servers[server].in(channel).slice(before)
    expect(JSON.stringify(posted)).toMatch(/and \d\d more/)
    expect(JSON.stringify(posted)).toContain('/archive/')
    expect(servers[server].faults).toEqual([])
    const cut = cutWords(JSON.stringify(posted))
    expect(cut.filter((word) => !words.includes(word))).toEqual([])
  })
})
