import { expect, test } from 'bun:test'
import { adapter as discordAdapter } from '../../../integrations/discord/adapter.ts'
import { adapter as googleAdapter } from '../../../integrations/google-chat/adapter.ts'
import type { Adapter } from '../../../integrations/kit/adapter.ts'
import { adapter as mattermostAdapter } from '../../../integrations/mattermost/adapter.ts'
import { adapter as slackAdapter } from '../../../integrations/slack/adapter.ts'
import { adapter as teamsAdapter } from '../../../integrations/teams/adapter.ts'
import { updateConnection } from '../../../src/features/connections/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { startChatApp } from '../../support/chats/chat-app.ts'
import { chatMessagesOf, retryJobsOf, settledBlocksOf } from '../../support/chats/chat-rows.ts'
import { planIn } from '../../support/chats/plan-messages.ts'
import { connectDiscord } from '../../support/discord/discord-bot.ts'
import { startDiscord } from '../../support/discord/discord-server.ts'
import { connectGoogleChat, startGoogleChat } from '../../support/google-chat/google-chat.ts'
import { untilNothingIsSent } from '../../support/jobs.ts'
import { connectMattermost } from '../../support/mattermost/mattermost-bot.ts'
import { directOf, startMattermost } from '../../support/mattermost/mattermost-server.ts'
import { newsletterOf, send, unlimitedClient } from '../../support/newsletters.ts'
import { connectTeam, startWorkspace } from '../../support/slack/slack-workspace.ts'
import { connectTeamsBot, startTeams } from '../../support/teams/teams-bot.ts'
import { until } from '../../support/until.ts'

const mira = {
  discord: '301',
  google: 'users/1',
  mattermost: '1'.padEnd(26, '0'),
  slack: 'U0MIRA',
  teams: 'b1b9d0f2-7c9a-4b1e-8f57-6f3f6f1a2b01',
}
const name = 'Mira Solano'
const discord = startDiscord({ [mira.discord]: { name } })
const google = await startGoogleChat({ [mira.google]: { name } })
const mattermost = startMattermost({ [mira.mattermost]: { username: 'mira' } })
const slack = startWorkspace({ [mira.slack]: { name } })
const teams = startTeams({ [mira.teams]: { name } })

/** A team whose contributor Mira writes news in a chat, and the messages that she has got about them. */
interface Connected {
  team: Team
  connectionId: string
  adapter: Adapter
  write(): Promise<unknown>
  /** She writes a word after `/tidings`, or to the bot. */
  ask(word: string): Promise<unknown>
  inbox(): unknown[]
}

const adapters = [discordAdapter, googleAdapter, mattermostAdapter, slackAdapter, teamsAdapter]
const app = await startChatApp({ adapters }, [discord, google, mattermost, slack, teams])

type Given = Record<string, unknown>
const chats: [chat: string, connect: (given: Given) => Promise<Connected>][] = [
  [
    'Slack',
    async (given) => {
      const connected = await connectTeam(app, slack, given)
      return {
        ...connected,
        adapter: slackAdapter,
        write: () => connected.command(mira.slack, '/win', 'We shipped'),
        ask: (word) => connected.command(mira.slack, '/tidings', word),
        inbox: () => slack.in(`D${mira.slack}`),
      }
    },
  ],
  [
    'Discord',
    async (given) => {
      const connected = await connectDiscord(app, discord, given)
      return {
        ...connected,
        adapter: discordAdapter,
        write: () => connected.command(mira.discord, 'win', 'We shipped'),
        ask: (word) => connected.tidings(mira.discord, word),
        inbox: () => discord.to(mira.discord),
      }
    },
  ],
  [
    'Mattermost',
    async (given) => {
      const connected = await connectMattermost(app, mattermost, given)
      return {
        ...connected,
        adapter: mattermostAdapter,
        write: () => connected.command(mira.mattermost, 'win', 'We shipped'),
        ask: (word) => connected.command(mira.mattermost, 'tidings', word),
        inbox: () => mattermost.in(directOf(mira.mattermost)),
      }
    },
  ],
  [
    'Microsoft Teams',
    async (given) => {
      const connected = await connectTeamsBot(app, teams, given)
      return {
        ...connected,
        adapter: teamsAdapter,
        write: () => connected.say(mira.teams, 'win We shipped'),
        ask: (word) => connected.say(mira.teams, word),
        inbox: () => teams.in(`a:${mira.teams}`),
      }
    },
  ],
  [
    'Google Chat',
    async (given) => {
      const connected = await connectGoogleChat(app, google, given)
      return {
        ...connected,
        adapter: googleAdapter,
        write: () => connected.say(mira.google, '/win We shipped'),
        ask: (word) => connected.say(mira.google, `/tidings ${word}`),
        inbox: () => google.in('spaces/dm1'),
      }
    },
  ],
]

/** Mira writes news, which is published in a newsletter. Her receipt has arrived before that. */
async function publish({ team, write }: Connected, count: number): Promise<void> {
  await write()
  const blocks = await settledBlocksOf(app, team, count)
  await untilNothingIsSent(app)
  const call = await unlimitedClient(app, team)
  const id = blocks.at(-1)?.id ?? ''
  await call('PATCH', `/content_blocks/${id}`, { status: 'ready' })
  await send(call, await newsletterOf(call, [id]))
}

const change = ({ team, connectionId, adapter }: Connected, given: Given) =>
  updateConnection(systemContext(app.forwarder, team.id), { adapter, id: connectionId, given })

/** An hour before and two hours after now, by the clock of UTC. */
function aroundNow(): string {
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
  return `${at(-1)}-${at(2)}`
}

const published = async (team: Team) =>
  (await chatMessagesOf(app, team)).filter(({ kind }) => kind === 'published')

/** Whether Mira wants messages, once the word that she has written has been done. */
async function asked(connected: Connected, word: string): Promise<void> {
  const { team } = connected
  const settled = async () => {
    const [row] = await app.sql`
      select count(*)::integer as n from deliveries where team_id = ${team.id} and status = 'ignored'`
    return Number(row?.['n'])
  }
  const before = await settled()
  await connected.ask(word)
  await until(async () => (await settled()) > before)
  await untilNothingIsSent(app)
}

test.each(chats)(
  'in %s a message in the quiet hours is sent once afterwards, and who turns messages off gets none until they want them again',
  async (_, connect) => {
    const connected = await connect({ quiet_hours: aroundNow() })
    const { team, inbox } = connected
    await publish(connected, 1)
    const before = inbox().length
    await planIn(app, 11)
    await until(async () => (await published(team))[0]?.reason?.includes('quiet') === true)
    expect(inbox()).toHaveLength(before)
    await change(connected, { quiet_hours: 'none' })
    await until(async () => {
      await retryJobsOf(app, team)
      return (await published(team))[0]?.status === 'sent'
    })
    await planIn(app, 12)
    await untilNothingIsSent(app)
    expect(inbox()).toHaveLength(before + 1)

    await asked(connected, 'off')
    await publish(connected, 2)
    const muted = inbox().length
    await planIn(app, 24)
    await until(async () => (await published(team)).some(({ status }) => status === 'skipped'))
    expect(inbox()).toHaveLength(muted)
    const skipped = (await published(team)).find(({ status }) => status === 'skipped')
    expect(skipped?.reason).toBe('The person wants no messages.')

    await asked(connected, 'on')
    await publish(connected, 3)
    const wanted = inbox().length
    await planIn(app, 36)
    await until(async () => inbox().length === wanted + 1)
  },
)

test.each(chats)(
  'in %s nobody gets messages while an admin has switched them off, and who wants them hears that',
  async (chat, connect) => {
    const connected = await connect({ mute_contributors: 'true' })
    await publish(connected, 1)
    await planIn(app, 11)
    expect(await published(connected.team)).toHaveLength(0)
    slack.answers.length = 0
    await asked(connected, 'on')
    if (chat === 'Slack')
      expect(slack.answers.map(({ text }) => text)).toEqual([
        expect.stringContaining('an admin of your newsletter has switched them off'),
      ])
    await change(connected, { mute_contributors: 'false' })
    await publish(connected, 2)
    const before = connected.inbox().length
    await planIn(app, 23)
    await until(async () => connected.inbox().length > before)
  },
)
