import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { adapter as discordAdapter } from '../../../integrations/discord/adapter.ts'
import { adapter as googleAdapter } from '../../../integrations/google-chat/adapter.ts'
import { adapter as mattermostAdapter } from '../../../integrations/mattermost/adapter.ts'
import { adapter as slackAdapter } from '../../../integrations/slack/adapter.ts'
import { adapter as teamsAdapter } from '../../../integrations/teams/adapter.ts'
import { translateTo } from '../../../src/console/locales/index.ts'
import { getConnectionHealth } from '../../../src/features/connections/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { chatMessagesOf, retryJobsOf, settledBlocksOf } from '../../support/chats/chat-rows.ts'
import { planIn } from '../../support/chats/plan-messages.ts'
import { signedIn } from '../../support/console.ts'
import { connectDiscord } from '../../support/discord/discord-bot.ts'
import { startDiscord } from '../../support/discord/discord-server.ts'
import { connectGoogleChat, startGoogleChat } from '../../support/google-chat/google-chat.ts'
import { untilNothingIsSent } from '../../support/jobs.ts'
import { connectMattermost } from '../../support/mattermost/mattermost-bot.ts'
import { directOf, startMattermost } from '../../support/mattermost/mattermost-server.ts'
import { blockOf, newsletterOf, send, unlimitedClient } from '../../support/newsletters.ts'
import {
  type Fault,
  type FaultyProxy,
  startFaultyProxy,
} from '../../support/processes/faulty-proxy.ts'
import { connectTeam, startWorkspace } from '../../support/slack/slack-workspace.ts'
import { connectTeamsBot, startTeams } from '../../support/teams/teams-bot.ts'
import { until } from '../../support/until.ts'

const mira = {
  discord: '301',
  google: 'users/1',
  mattermost: '1'.padEnd(26, '0'),
  slack: 'U01',
  teams: 'b1b9d0f2-7c9a-4b1e-8f57-6f3f6f1a2b01',
}
const limited = (seconds: number): Fault => ({
  status: 429,
  headers: { 'retry-after': String(seconds), 'x-ratelimit-reset': String(seconds) },
  body: { retry_after: seconds, global: false },
})
const outages: Fault[] = [limited(1), { status: 503 }, 'cut']
/** How many outages end with a message: Teams and the channels of Slack do not say whether they have one that they did not confirm. */
const outageCounts: Record<string, number> = { 'Microsoft Teams': 1, Slack: 2 }
const outagesOf = (name: string) => outages.slice(0, outageCounts[name])
const slackError = (error: string): Fault => ({ status: 200, body: { ok: false, error } })

/** A team that reviews in a channel of a chat, behind a proxy. */
interface Connected {
  team: Team
  connectionId: string
  write(): Promise<unknown>
  /** What the channel for newsletters shows. */
  news(): unknown[]
  /** What the channel for reviews shows, and how many messages Mira has got. */
  review(): unknown[]
  /** What the checks of the chat have found. */
  faults: readonly unknown[]
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
type ChatName = 'Discord' | 'Google Chat' | 'Mattermost' | 'Microsoft Teams' | 'Slack'
const chats: Record<ChatName, Chat> = await startChats()
const names: ChatName[] = ['Discord', 'Google Chat', 'Mattermost', 'Microsoft Teams']

async function startChats() {
  const discord = startDiscord({ [mira.discord]: { name: 'Mira Solano' } })
  const google = await startGoogleChat({ [mira.google]: { name: 'Mira Solano' } })
  const mattermost = startMattermost({ [mira.mattermost]: { username: 'mira' } })
  const teams = startTeams({ [mira.teams]: { name: 'Mira Solano' } })
  const slack = startWorkspace({ [mira.slack]: { name: 'Mira Solano' } })
  const proxies = {
    discord: await startFaultyProxy(discord.apiUrl),
    google: await startFaultyProxy(google.apiUrl),
    mattermost: await startFaultyProxy(mattermost.url),
    teams: await startFaultyProxy(teams.url),
    slack: await startFaultyProxy(slack.apiUrl),
  }
  servers.push(discord, google, mattermost, teams, slack, ...Object.values(proxies))
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
          newsletter_channel: `160000000000000020${channel}`,
          api_base_url: address,
        })
        return {
          ...connected,
          faults: discord.faults,
          news: () => discord.in(`160000000000000020${channel}`),
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
          newsletter_channel: `spaces/AAAAnews${channel}`,
          api_base_url: address,
        })
        return {
          ...connected,
          faults: google.faults,
          news: () => google.in(`spaces/AAAAnews${channel}`),
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
        const newsletter_channel = `news${channel}`.padEnd(26, '0')
        const connected = await connectMattermost(app, mattermost, {
          review_channel,
          newsletter_channel,
          server_url: address,
        })
        return {
          ...connected,
          faults: mattermost.faults,
          news: () => mattermost.in(newsletter_channel),
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
          newsletter_channel: `19:news${channel}@thread.tacv2`,
          api_base_url: address,
        })
        return {
          ...connected,
          faults: teams.faults,
          news: () => teams.in(`19:news${channel}@thread.tacv2`),
          write: () => connected.say(mira.teams, 'win We shipped'),
          review: () => teams.in(review_channel),
          inbox: () => teams.in(`a:${mira.teams}`).length,
        }
      },
    },
    Slack: {
      proxy: proxies.slack,
      address: slack.apiUrl,
      refusals: [
        ['does not know the token', slackError('invalid_auth'), 'save its token as bot_token'],
        ['removed the app', slackError('not_in_channel'), 'Invite the app with /invite'],
        ['archived the channel', slackError('is_archived'), 'check newsletter_channel'],
      ],
      async connect({ address = proxies.slack.url, channel }) {
        const review_channel = `C0EDITORS${channel}`
        const newsletter_channel = `C0NEWS${channel}`
        const settings = { review_channel, newsletter_channel, api_base_url: address }
        const connected = await connectTeam(app, slack, settings)
        return {
          ...connected,
          faults: slack.faults,
          news: () => slack.in(newsletter_channel),
          write: () => connected.command(mira.slack, '/win', 'We shipped'),
          review: () => slack.in(review_channel),
          inbox: () => slack.in(`D${mira.slack}`).length,
        }
      },
    },
  } satisfies Record<string, Chat>
}

beforeAll(async () => {
  app = await startApp({
    adapters: [discordAdapter, googleAdapter, mattermostAdapter, slackAdapter, teamsAdapter],
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
      const health = () => getConnectionHealth(systemContext(app.forwarder, team.id), connectionId)
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
    const health = () => getConnectionHealth(systemContext(app.forwarder, team.id), connectionId)
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

test.each<ChatName>([...names, 'Slack'])(
  'a newsletter is in its channel once after outages of %s, and the page says what to do when it was refused',
  async (name) => {
    const { proxy, refusals, connect } = chats[name]
    const connected = await connect({ channel: ++channels })
    const { team, connectionId } = connected
    const editor = await signedIn(app, team, 'editor')
    const call = await unlimitedClient(app, team)
    const cover_image_url = 'https://news.example.com/media/office.jpg'
    const path = await newsletterOf(call, [await blockOf(call)], { cover_image_url })
    await send(call, path)
    const page = async () => (await editor.get(`${path}/export`)).html
    const shows = (text: string) => healed(team, async () => (await page()).includes(text))
    const post = () => editor.post(`${path}/posts`, { connection: connectionId })
    const health = () => getConnectionHealth(systemContext(app.forwarder, team.id), connectionId)
    await page()

    for (const [about, fault, action] of refusals) {
      proxy.state.fault = fault
      await post()
      await shows('Not posted')
      expect([about, await page()]).toEqual([about, expect.stringContaining(action)])
      // An editor does not have to open the page Export to learn of it.
      for (const where of [path, '/newsletters'])
        expect((await editor.get(where)).html).toMatch(
          new RegExp(`<a class="badge danger" href="${path}/export#post-to-chat"[^>]*>Not posted`),
        )
      expect((await health()).state).toBe('failing')
      const [failed] = await app.sql`
        select reason from newsletter_posts where team_id = ${team.id}`
      expect(translateTo('de').fromEnglish(failed?.['reason'])).toMatch(/prüfen|Sie /i)
      proxy.state.fault = null
    }
    expect(connected.news()).toEqual([])
    await throughOutages(name, team, post)
    await shows('Posted')
    for (const where of [path, '/newsletters'])
      expect((await editor.get(where)).html).not.toContain('#post-to-chat')
    expect(connected.news()).toHaveLength(1)
    expect(JSON.stringify(connected.news())).toContain(`"${cover_image_url}"`)
    expect(connected.faults).toEqual([])
    expect(await health()).toMatchObject({ reason: null })
  },
)
