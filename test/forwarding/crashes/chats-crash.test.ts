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
  return [
    { ...discord, ...inDiscord },
    { ...google, ...inGoogle },
    {
      ...mattermost,
      ...inMattermost,
      messages: mattermost.posts,
      // Mattermost recognizes a repeated message for half a minute only.
      whileDown: mattermost.deletePendingIds,
    },
    { ...teams, ...inTeams },
  ].map((chat) => ({ ...chat, people: numbers.length }))
}

test('every contributor in Discord, Google Chat, Mattermost and Teams gets one message, although SIGKILL ends the service while each chat takes its second; Teams cannot say whether it has it', async () => {
  const chats = await startChats()
  const { discord, google, mattermost, teams } = chats
  const adapters = [discordAdapter, googleAdapter, mattermostAdapter, teamsAdapter]
  try {
    await crashWhileSending(
      adapters,
      (app) => connect(app, chats),
      async ({ sql }) => {
        const sent = {
          discord: discord.messages.map(({ channel_id }) => channel_id).toSorted(),
          google: google.messages.map(({ space }) => space).toSorted(),
          mattermost: mattermost.posts.map(({ channel_id }) => channel_id).toSorted(),
          teams: teams.messages.map(({ conversation }) => conversation).toSorted(),
        }
        expect(sent).toEqual({
          discord: idsOf.discord.map((id) => `9${id}`),
          google: idsOf.google.map((id) => id.replace('users/', 'spaces/dm')),
          mattermost: idsOf.mattermost.map(directOf).toSorted(),
          teams: idsOf.teams.map((id) => `a:${id}`),
        })
        const unknown = await sql`select recipient from chat_messages where status = 'unknown'`
        expect(unknown.map(({ recipient }) => `a:${recipient}`)).toEqual([
          teams.messages[1]?.conversation ?? '',
        ])
        expect(Object.values(chats).flatMap(({ faults }): unknown[] => faults)).toEqual([])
      },
    )
  } finally {
    for (const chat of Object.values(chats)) await chat.stop()
  }
})

test('every contributor gets one message and every channel one question, although SIGKILL ends the service while Slack takes the second', async () => {
  const slack = startWorkspace(people(idsOf.slack, (name) => ({ name })))
  const askedChannels = ['C0SALES', 'C0WINS']
  const connect = async (app: TestApp) => {
    const connected = await connectTeam(app, slack)
    for (const id of idsOf.slack) await connected.command(id, '/win', 'We shipped')
    return [{ ...slack, ...connected, askedChannels, people: idsOf.slack.length }]
  }
  try {
    await crashWhileSending([slackAdapter], connect, async () => {
      expect(slack.messages.map(({ channel }) => channel).toSorted()).toEqual([
        ...askedChannels,
        ...idsOf.slack.map((id) => `D${id}`),
      ])
    })
  } finally {
    await slack.stop()
  }
})
