import { expect, test } from 'bun:test'
import { adapter as discordAdapter } from '../../../integrations/discord/adapter.ts'
import { adapter as googleAdapter } from '../../../integrations/google-chat/adapter.ts'
import { adapter as mattermostAdapter } from '../../../integrations/mattermost/adapter.ts'
import { adapter as slackAdapter } from '../../../integrations/slack/adapter.ts'
import { adapter as teamsAdapter } from '../../../integrations/teams/adapter.ts'
import type { TestApp } from '../../support/app.ts'
import { crashWhileSending } from '../../support/chats/chat-crash.ts'
import { connectDiscord } from '../../support/discord/discord-bot.ts'
import { startDiscord } from '../../support/discord/discord-server.ts'
import { connectGoogleChat, startGoogleChat } from '../../support/google-chat/google-chat.ts'
import { connectMattermost } from '../../support/mattermost/mattermost-bot.ts'
import { directOf, startMattermost } from '../../support/mattermost/mattermost-server.ts'
import { connectTeam, startWorkspace } from '../../support/slack/slack-workspace.ts'
import { connectTeamsBot, startTeams } from '../../support/teams/teams-bot.ts'
import { until } from '../../support/until.ts'

const numbers = [1, 2, 3]
const idsOf = {
  discord: numbers.map((number) => `30${number}`),
  google: numbers.map((number) => `users/${number}`),
  mattermost: numbers.map((number) => `${number}`.padEnd(26, '0')),
  slack: numbers.map((number) => `U0${number}`),
  teams: numbers.map((number) => `b1b9d0f2-7c9a-4b1e-8f57-6f3f6f1a2b0${number}`),
}
const people = <Person>(ids: readonly string[], person: (id: string) => Person) =>
  Object.fromEntries(ids.map((id) => [id, person(id)]))

/** The channels to which newsletters are posted. */
const news = {
  discord: '1600000000000000009',
  google: 'spaces/AAAAnews',
  mattermost: 'news'.padEnd(26, '0'),
  slack: 'C0NEWS',
  teams: '19:news@thread.tacv2',
}

/** The chats that do not say whether the newsletter is in the channel. */
const unconfirmed = async ({ sql }: TestApp): Promise<string[]> => {
  const rows = await sql<{ adapter: string }[]>`
    select c.adapter from newsletter_posts p
    join connections c on c.team_id = p.team_id and c.id = p.connection_id where p.status = 'unknown'`
  return rows.map(({ adapter }) => adapter)
}

async function startChats() {
  return {
    discord: startDiscord(people(idsOf.discord, (name) => ({ name }))),
    google: await startGoogleChat(people(idsOf.google, (name) => ({ name }))),
    mattermost: startMattermost(people(idsOf.mattermost, (username) => ({ username }))),
    teams: startTeams(people(idsOf.teams, (name) => ({ name }))),
  }
}

type Chats = Awaited<ReturnType<typeof startChats>>

/** Connects the chats, and every person writes one item. */
async function connect(app: TestApp, { discord, google, mattermost, teams }: Chats) {
  const inDiscord = await connectDiscord(app, discord)
  const inGoogle = await connectGoogleChat(app, google)
  const inMattermost = await connectMattermost(app, mattermost)
  const inTeams = await connectTeamsBot(app, teams)
  for (const id of idsOf.discord) await inDiscord.command(id, 'win', 'We shipped')
  for (const id of idsOf.google) await inGoogle.say(id, '/win We shipped')
  for (const id of idsOf.mattermost) await inMattermost.command(id, 'win', 'We shipped')
  for (const id of idsOf.teams) await inTeams.say(id, 'win We shipped')
  // Google Chat and Teams get the receipts as messages.
  for (const { messages } of [google, teams])
    await until(async () => messages.length === numbers.length)
  google.reset()
  teams.reset()
  const to = (newsletter_channel: string) => ({ newsletter_channel })
  return [
    {
      ...discord,
      ...inDiscord,
      posting: {
        ...(await connectDiscord(app, discord, to(news.discord))),
        channel: news.discord,
      },
    },
    {
      ...google,
      ...inGoogle,
      posting: {
        ...(await connectGoogleChat(app, google, to(news.google))),
        channel: news.google,
      },
    },
    {
      ...mattermost,
      ...inMattermost,
      posting: {
        ...(await connectMattermost(app, mattermost, to(news.mattermost))),
        channel: news.mattermost,
      },
      messages: mattermost.posts,
      // Mattermost recognizes a repeated message for half a minute only.
      whileDown: mattermost.deletePendingIds,
    },
    {
      ...teams,
      ...inTeams,
      posting: { ...(await connectTeamsBot(app, teams, to(news.teams))), channel: news.teams },
    },
  ].map((chat) => ({ ...chat, people: numbers.length }))
}

test('every contributor in Discord, Google Chat, Mattermost and Teams gets one message and every channel one newsletter, although SIGKILL ends the service while each chat takes one; Teams cannot say whether it has it', async () => {
  const chats = await startChats()
  const { discord, google, mattermost, teams } = chats
  const adapters = [discordAdapter, googleAdapter, mattermostAdapter, teamsAdapter]
  try {
    await crashWhileSending(
      adapters,
      (app) => connect(app, chats),
      async (app) => {
        const { sql } = app
        const sent = {
          discord: discord.messages.map(({ channel_id }) => channel_id).toSorted(),
          google: google.messages.map(({ space }) => space).toSorted(),
          mattermost: mattermost.posts.map(({ channel_id }) => channel_id).toSorted(),
          teams: teams.messages.map(({ conversation }) => conversation).toSorted(),
        }
        expect(sent).toEqual({
          discord: [news.discord, ...idsOf.discord.map((id) => `9${id}`)].toSorted(),
          google: [news.google, ...idsOf.google.map((id) => id.replace('users/', 'spaces/dm'))],
          mattermost: [news.mattermost, ...idsOf.mattermost.map(directOf)].toSorted(),
          teams: [expect.stringContaining(news.teams), ...idsOf.teams.map((id) => `a:${id}`)],
        })
        expect(await unconfirmed(app)).toEqual(['teams'])
        const unknown = await sql`select recipient from chat_messages where status = 'unknown'`
        expect(unknown.map(({ recipient }) => `a:${recipient}`)).toEqual([
          teams.messages.filter(({ conversation }) => conversation.startsWith('a:'))[1]
            ?.conversation ?? '',
        ])
        expect(Object.values(chats).flatMap(({ faults }): unknown[] => faults)).toEqual([])
      },
    )
  } finally {
    for (const chat of Object.values(chats)) await chat.stop()
  }
})

test('every contributor gets one message, every channel one question and one newsletter, although SIGKILL ends the service while Slack takes one; it cannot say whether a channel has it', async () => {
  const slack = startWorkspace(people(idsOf.slack, (name) => ({ name })))
  const askedChannels = ['C0SALES', 'C0WINS']
  const connect = async (app: TestApp) => {
    const connected = await connectTeam(app, slack)
    for (const id of idsOf.slack) await connected.command(id, '/win', 'We shipped')
    const channel = news.slack
    const posting = {
      ...(await connectTeam(app, slack, { newsletter_channel: channel })),
      channel,
    }
    return [{ ...slack, ...connected, posting, askedChannels, people: idsOf.slack.length }]
  }
  try {
    await crashWhileSending([slackAdapter], connect, async (app) => {
      expect(slack.messages.map(({ channel }) => channel).toSorted()).toEqual([
        news.slack,
        ...askedChannels,
        ...idsOf.slack.map((id) => `D${id}`),
      ])
      expect(await unconfirmed(app)).toEqual(['slack'])
    })
  } finally {
    await slack.stop()
  }
})
