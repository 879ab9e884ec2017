import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { adapter as discordAdapter } from '../../../integrations/discord/adapter.ts'
import { adapter as googleAdapter } from '../../../integrations/google-chat/adapter.ts'
import { adapter as mattermostAdapter } from '../../../integrations/mattermost/adapter.ts'
import { adapter as teamsAdapter } from '../../../integrations/teams/adapter.ts'
import { connectionHealth } from '../../../src/features/connections/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { chatMessagesOf, retryJobsOf, settledBlocksOf } from '../../support/chats/chat-rows.ts'
import { planIn } from '../../support/chats/plan-messages.ts'
import { connectDiscord } from '../../support/discord/discord-bot.ts'
import { startDiscord } from '../../support/discord/discord-server.ts'
import { connectGoogleChat, startGoogleChat } from '../../support/google-chat/google-chat.ts'
import { untilNothingIsSent } from '../../support/jobs.ts'
import { connectMattermost } from '../../support/mattermost/mattermost-bot.ts'
import { directOf, startMattermost } from '../../support/mattermost/mattermost-server.ts'
import { newsletterOf, send, unlimitedClient } from '../../support/newsletters.ts'
import {
  type Fault,
  type FaultyProxy,
  startFaultyProxy,
} from '../../support/processes/faulty-proxy.ts'
import { connectTeamsBot, startTeams } from '../../support/teams/teams-bot.ts'
import { until } from '../../support/until.ts'

const mira = {
  discord: '301',
  google: 'users/1',
  mattermost: '1'.padEnd(26, '0'),
  teams: 'b1b9d0f2-7c9a-4b1e-8f57-6f3f6f1a2b01',
}
const limited = (seconds: number): Fault => ({
  status: 429,
  headers: { 'retry-after': String(seconds), 'x-ratelimit-reset': String(seconds) },
  body: { retry_after: seconds, global: false },
})
const outages: Fault[] = [limited(1), { status: 503 }, 'cut']
/** Teams cannot say whether it has a message that it did not confirm: such a message is not sent again. */
const outagesOf = (name: string) => (name === 'Microsoft Teams' ? outages.slice(0, 1) : outages)

/** A team that reviews in a channel of a chat, behind a proxy. */
interface Connected {
  team: Team
  connectionId: string
  write(): Promise<unknown>
  /** What the channel for reviews shows, and how many messages Mira has got. */
  review(): unknown[]
  inbox(): number
}

interface Chat {
  proxy: FaultyProxy
  /** The address of the chat without the proxy. */
  address: string
  /** How the chat refuses a message, and what the connection says then. */
  refusals: [about: string, fault: Fault, action: string][]
  connect(given: { address?: string; channel: number }): Promise<Connected>
}

const servers: { stop(): unknown }[] = []
let app: TestApp
const chats: Record<'Discord' | 'Google Chat' | 'Mattermost' | 'Microsoft Teams', Chat> =
  await startChats()
type ChatName = keyof typeof chats
const names: ChatName[] = ['Discord', 'Google Chat', 'Mattermost', 'Microsoft Teams']

async function startChats() {
  const discord = startDiscord({ [mira.discord]: { name: 'Mira Solano' } })
  const google = await startGoogleChat({ [mira.google]: { name: 'Mira Solano' } })
  const mattermost = startMattermost({ [mira.mattermost]: { username: 'mira' } })
  const teams = startTeams({ [mira.teams]: { name: 'Mira Solano' } })
  const proxies = {
    discord: await startFaultyProxy(discord.apiUrl),
    google: await startFaultyProxy(google.apiUrl),
    mattermost: await startFaultyProxy(mattermost.url),
    teams: await startFaultyProxy(teams.url),
  }
  servers.push(discord, google, mattermost, teams, ...Object.values(proxies))
  return {
    Discord: {
      proxy: proxies.discord,
      address: discord.apiUrl,
      refusals: [
        ['revoked its token', { status: 401, body: { code: 0 } }, 'save it as bot_token'],
        ['removed the bot', { status: 403, body: { code: 50_001 } }, 'Give the application access'],
        ['deleted the channel', { status: 404, body: { code: 10_003 } }, 'check its id'],
      ],
      async connect({ address = proxies.discord.url, channel }) {
        const review_channel = `160000000000000010${channel}`
        const connected = await connectDiscord(app, discord, {
          review_channel,
          api_base_url: address,
        })
        return {
          ...connected,
          write: () => connected.command(mira.discord, 'win', 'We shipped'),
          review: () => discord.in(review_channel),
          inbox: () => discord.to(mira.discord).length,
        }
      },
    },
    'Google Chat': {
      proxy: proxies.google,
      address: google.apiUrl,
      refusals: [
        ['revoked its token', { status: 401 }, 'Check service_account and private_key'],
        ['removed the app', { status: 403 }, 'that the app is a member of the space'],
        ['deleted the space', { status: 404 }, 'Add the app to the space'],
      ],
      async connect({ address = proxies.google.url, channel }) {
        const review_channel = `spaces/AAAAreview${channel}`
        const connected = await connectGoogleChat(app, google, {
          review_channel,
          api_base_url: address,
        })
        return {
          ...connected,
          write: () => connected.say(mira.google, '/win We shipped'),
          review: () => google.in(review_channel),
          inbox: () => google.in('spaces/dm1').length,
        }
      },
    },
    Mattermost: {
      proxy: proxies.mattermost,
      address: mattermost.url,
      refusals: [
        ['revoked its token', { status: 401 }, 'save it as access_token'],
        ['removed the bot', { status: 403 }, 'Add the bot to the team and to the channel'],
        ['archived the channel', { status: 400 }, 'the ids of the channels'],
      ],
      async connect({ address = proxies.mattermost.url, channel }) {
        const review_channel = `editors${channel}`.padEnd(26, '0')
        const connected = await connectMattermost(app, mattermost, {
          review_channel,
          server_url: address,
        })
        return {
          ...connected,
          write: () => connected.command(mira.mattermost, 'win', 'We shipped'),
          review: () => mattermost.in(review_channel),
          inbox: () => mattermost.in(directOf(mira.mattermost)).length,
        }
      },
    },
    'Microsoft Teams': {
      proxy: proxies.teams,
      address: teams.url,
      refusals: [
        ['revoked its secret', { status: 401 }, 'Check app_id'],
        ['removed the app', { status: 403 }, 'Check'],
        ['deleted the channel', { status: 404 }, 'channel'],
      ],
      async connect({ address = proxies.teams.url, channel }) {
        const review_channel = `19:editors${channel}@thread.tacv2`
        const connected = await connectTeamsBot(app, teams, {
          review_channel,
          api_base_url: address,
        })
        return {
          ...connected,
          write: () => connected.say(mira.teams, 'win We shipped'),
          review: () => teams.in(review_channel),
          inbox: () => teams.in(`a:${mira.teams}`).length,
        }
      },
    },
  } satisfies Record<string, Chat>
}

beforeAll(async () => {
  app = await startApp({
    adapters: [discordAdapter, googleAdapter, mattermostAdapter, teamsAdapter],
  })
})
afterAll(async () => {
  await app.close()
  for (const server of servers) await server.stop()
})
beforeEach(async () => {
  await untilNothingIsSent(app)
})

let channels = 10

/** One news item of Mira, stored with its contributors, and a receipt that is sent. */
async function written(connected: Connected): Promise<void> {
  const before = connected.inbox()
  await connected.write()
  await settledBlocksOf(app, connected.team, 1)
  await untilNothingIsSent(app)
  expect(connected.inbox()).toBeGreaterThanOrEqual(before)
}

/** Causes each outage of a chat in turn while jobs of a team are tried, and ends the last one. */
async function throughOutages(name: ChatName, team: Team, start: () => Promise<unknown>) {
  const { state } = chats[name].proxy
  for (const [index, outage] of outagesOf(name).entries()) {
    const { failed } = state
    state.fault = outage
    if (index === 0) await start()
    await until(async () => {
      await retryJobsOf(app, team)
      return state.failed > failed
    })
  }
  state.fault = null
}

const healed = (team: Team, isDone: () => boolean | Promise<boolean>) =>
  until(async () => {
    await retryJobsOf(app, team)
    return await isDone()
  })

test.each(names)(
  'a review, its update and a message to a contributor are each sent once after outages of %s, and those of another team meanwhile',
  async (name) => {
    const { address, connect } = chats[name]
    const connected = await connect({ channel: ++channels })
    const other = await connect({ address, channel: ++channels })
    const { team } = connected
    await written(connected)
    await written(other)
    await throughOutages(name, team, async () => {
      await planIn(app, 0)
      await until(async () => other.review().length === 1)
    })
    await healed(team, () => connected.review().length > 0)
    await healed(team, async () =>
      (await chatMessagesOf(app, team)).every(({ status }) => status === 'sent'),
    )
    expect(connected.review()).toHaveLength(1)

    const call = await unlimitedClient(app, team)
    const [block] = await settledBlocksOf(app, team, 1)
    const path = `/content_blocks/${block?.id}`
    await throughOutages(name, team, async () => {
      await call('PATCH', path, { status: 'ready' })
      await planIn(app, 0)
    })
    await healed(team, () => JSON.stringify(connected.review()).includes('Approved in Tidings'))

    await send(call, await newsletterOf(call, [block?.id ?? '']))
    const before = connected.inbox()
    await throughOutages(name, team, () => planIn(app, 11))
    await healed(team, async () =>
      (await chatMessagesOf(app, team)).every(({ status }) => status === 'sent'),
    )
    expect([connected.review().length, connected.inbox() - before]).toEqual([1, 1])
  },
)

test.each(names)(
  'the connection says what to do when %s refuses a review, and works again with the next one',
  async (name) => {
    const { proxy, refusals, connect } = chats[name]
    for (const [about, fault, action] of refusals) {
      const connected = await connect({ channel: ++channels })
      const { team, connectionId } = connected
      const health = () => connectionHealth(systemContext(app.forwarder, team.id), connectionId)
      await written(connected)
      proxy.state.fault = fault
      await planIn(app, 0)
      await until(async () => (await chatMessagesOf(app, team))[0]?.status === 'failed')
      proxy.state.fault = null
      expect([about, await health()]).toMatchObject([
        about,
        { state: 'failing', action: expect.stringContaining(action) },
      ])
      await connected.write()
      await settledBlocksOf(app, team, 2)
      await untilNothingIsSent(app)
      await planIn(app, 0)
      await until(async () => (await health()).state === 'working')
      expect([about, connected.review().length]).toEqual([about, 1])
    }
  },
)

test.each(names)(
  'the connection says what to do when %s refuses the token, although only people get messages, until a message is sent',
  async (name) => {
    const { proxy, refusals, connect } = chats[name]
    const [[, fault, action] = ['', 'cut', ''] as const] = refusals
    const connected = await connect({ channel: ++channels })
    const { team, connectionId } = connected
    const health = () => connectionHealth(systemContext(app.forwarder, team.id), connectionId)
    await written(connected)
    const call = await unlimitedClient(app, team)
    const [block] = await settledBlocksOf(app, team, 1)
    await call('PATCH', `/content_blocks/${block?.id}`, { status: 'ready' })
    await send(call, await newsletterOf(call, [block?.id ?? '']))
    proxy.state.fault = fault
    await planIn(app, 11)
    await until(async () =>
      (await chatMessagesOf(app, team)).some(
        ({ kind, status }) => kind === 'published' && status === 'failed',
      ),
    )
    proxy.state.fault = null
    await until(async () => (await health()).state === 'failing')
    expect((await health()).action).toContain(action)
    await connected.write()
    await settledBlocksOf(app, team, 2)
    await untilNothingIsSent(app)
    await planIn(app, 12)
    await until(async () => (await health()).state === 'working')
  },
)
