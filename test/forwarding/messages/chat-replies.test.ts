import { beforeEach, describe, expect, test } from 'bun:test'
import { adapter as mattermostAdapter } from '../../../integrations/mattermost/adapter.ts'
import { adapter as slackAdapter } from '../../../integrations/slack/adapter.ts'
import { adapter as teamsAdapter } from '../../../integrations/teams/adapter.ts'
import { planMessages } from '../../../src/forwarding/index.ts'
import { startApp } from '../../support/app.ts'
import { startChatApp } from '../../support/chats/chat-app.ts'
import { retryJobsOf, settledBlocksOf } from '../../support/chats/chat-rows.ts'
import { member } from '../../support/console.ts'
import { untilNothingIsSent } from '../../support/jobs.ts'
import {
  connectMattermost,
  buttonOf as mattermostButton,
  textOf as mattermostText,
} from '../../support/mattermost/mattermost-bot.ts'
import { directOf, startMattermost } from '../../support/mattermost/mattermost-server.ts'
import { startService } from '../../support/processes/crash.ts'
import {
  buttonOf,
  connectTeam,
  startWorkspace,
  textOf,
} from '../../support/slack/slack-workspace.ts'
import {
  connectTeamsBot,
  mentionOfBot,
  startTeams,
  tenantId,
} from '../../support/teams/teams-bot.ts'
import { until } from '../../support/until.ts'

const mira = { teams: 'b1b9d0f2-7c9a-4b1e-8f57-6f3f6f1a2b01', mattermost: '1'.padEnd(26, '0') }
const slack = startWorkspace({ U0MIRA: { name: 'Mira Solano' } })
const teams = startTeams({ [mira.teams]: { name: 'Mira Solano' } })
const mattermost = startMattermost({ [mira.mattermost]: { username: 'mira' } })
const app = await startChatApp({ adapters: [slackAdapter, teamsAdapter, mattermostAdapter] }, [
  slack,
  teams,
  mattermost,
])
beforeEach(() => {
  for (const list of [mattermost.posts, mattermost.replies, mattermost.calls]) list.length = 0
  mattermost.failures.clear()
})

let messages = 0

/** A direct message of Mira to the bot in Slack, or one that mentions it in a channel. */
const written = (text: string, channel = 'DU0MIRA') => {
  const ts = `1796.${String(++messages).padStart(6, '0')}`
  const type =
    channel === 'DU0MIRA' ? { type: 'message', channel_type: 'im' } : { type: 'app_mention' }
  return { ...type, user: 'U0MIRA', channel, ts, event_ts: ts, text }
}

describe.each(['limited', 'down'] as const)('while Slack is %s', (failure) => {
  /** Fails a method until it was called, then not any more. */
  async function during(method: string, work: () => Promise<unknown>) {
    slack.failures.set(method, failure)
    await work()
    await until(async () => slack.calls.includes(method))
    slack.failures.clear()
  }

  test.each([
    ['status', 'for review'],
    ['mine', 'not sent any news yet'],
    ['next', 'No newsletter'],
    ['link', '/account/chat/'],
    ['hello', 'You can save news'],
  ])('the reply to “%s” in a direct message is sent once afterwards', async (word, reply) => {
    const { event } = await connectTeam(app, slack)
    await during('chat.postMessage', () => event(written(word)))
    await until(async () => slack.in('DU0MIRA').length > 0)
    await untilNothingIsSent(app)
    expect(slack.in('DU0MIRA').map(({ text }) => text)).toEqual([expect.stringContaining(reply)])
    expect(slack.faults).toEqual([])
  })

  test('a person who mentions the bot is offered the form afterwards', async () => {
    const { event } = await connectTeam(app, slack)
    await during('chat.postEphemeral', () => event(written('<@U0BOT> hi', 'C0WINS')))
    await until(async () => slack.ephemerals.length > 0)
    expect(buttonOf(slack.ephemerals[0], 'open_form').value).toBe('form')
  })

  test('a person who opens a form reads that it did not open, also where only a direct message reaches them', async () => {
    const { command, request } = await connectTeam(app, slack)
    slack.failures.set('views.open', failure)
    await command('U0MIRA', '/win', '')
    await until(async () => slack.answers.length === 1)
    expect(slack.answers[0]?.['text']).toContain('did not open')
    slack.failures.set('chat.postMessage', failure)
    await request({
      type: 'shortcut',
      callback_id: 'write_for_newsletter',
      trigger_id: `shortcut-${++messages}`,
      action_ts: '1.1',
      user: { id: 'U0MIRA', team_id: 'T0ACME' },
      team: { id: 'T0ACME' },
    })
    await until(async () => slack.calls.includes('chat.postMessage'))
    slack.failures.clear()
    await until(async () => slack.in('U0MIRA').length === 1)
    expect(slack.in('U0MIRA')[0]?.text).toContain('did not open')
  })

  test.each(['users.info', 'views.open'])(
    'an editor whose draft does not open because of %s reads that nothing was changed',
    async (method) => {
      const connected = await connectTeam(app, slack, { review_channel: 'C0EDITORS' })
      const { team, command, press } = connected
      const { email } = await member(app, team, 'editor')
      slack.people['U0MIRA'] = { name: 'Mira Solano', email }
      await command('U0MIRA', '/win', 'We shipped')
      await settledBlocksOf(app, team, 1)
      await planMessages(app.forwarder)
      await until(async () => slack.in('C0EDITORS').length === 1)
      const [review] = slack.in('C0EDITORS')
      if (!review) throw new Error('there is no review')
      await untilNothingIsSent(app)
      slack.answers.length = 0
      slack.failures.set(method, failure)
      await press('U0MIRA', buttonOf(review, 'edit_in_form'), review)
      await until(async () => slack.answers.length === 1)
      expect(slack.answers[0]?.['text']).toContain('nothing was changed')
      slack.failures.clear()
      await press('U0MIRA', buttonOf(review, 'edit_in_form'), review)
      await until(async () => slack.opened.length === 1)
    },
  )

  test('the home that somebody opens is published afterwards', async () => {
    const { event } = await connectTeam(app, slack)
    await during('views.publish', () =>
      event({ type: 'app_home_opened', user: 'U0MIRA', tab: 'home', channel: 'D0HOME' }),
    )
    await until(async () => {
      await planMessages(app.forwarder)
      return slack.homes.has('U0MIRA')
    })
    expect(textOf({ ...written(''), text: '', blocks: slack.homes.get('U0MIRA') ?? [] })).toContain(
      'News for the newsletter',
    )
  })
})

describe('in Microsoft Teams', () => {
  test('replies to a message are sent once after a 429', async () => {
    const { team, say } = await connectTeamsBot(app, teams)
    for (const [word, reply] of [
      ['status', 'for review'],
      ['hello', 'saves a win'],
    ] as const) {
      teams.reset()
      teams.failure.kind = 'limited'
      await say(mira.teams, word)
      await until(async () => {
        const [row] = await app.sql`
          select 1 from pgboss.job where name = 'notify-sender' and state = 'retry'
            and data->>'teamId' = ${team.id}`
        return row !== undefined
      })
      teams.failure.kind = null
      await until(async () => teams.messages.length > 0)
      await untilNothingIsSent(app)
      const shown = teams.messages.map((sent) => sent.text + JSON.stringify(sent.attachments))
      expect(shown).toEqual([expect.stringContaining(reply)])
    }
    expect(teams.faults).toEqual([])
  })

  test('a reply is sent when Teams is busy with the conversation (412), and not again when it was not confirmed', async () => {
    const { team, say } = await connectTeamsBot(app, teams)
    const ended = () =>
      until(async () => {
        const open = await app.sql`
          select 1 from deliveries
          where team_id = ${team.id} and (status = 'waiting' or notification is not null)`
        return open.length === 0
      })
    teams.failure.kind = 'busy'
    await say(mira.teams, 'status')
    await until(async () => teams.refused.count > 0)
    teams.failure.kind = null
    await ended()
    expect(teams.messages).toHaveLength(1)
    teams.failure.kind = 'lost'
    await say(mira.teams, 'status')
    await ended()
    expect(teams.messages).toHaveLength(2)
  })

  test('what concerns a person alone is not said in a channel', async () => {
    const { say } = await connectTeamsBot(app, teams)
    const channel = {
      id: '19:wins@thread.tacv2;messageid=1',
      conversationType: 'channel',
      tenantId,
    }
    for (const word of ['link', 'mine']) {
      teams.reset()
      await say(mira.teams, `<at>Tidings</at> ${word}`, {
        conversation: channel,
        entities: [mentionOfBot],
      })
      await until(async () => teams.messages.length === 1)
      expect(teams.messages[0]?.conversation).toBe(`a:${mira.teams}`)
    }
  })
})

describe.each(['limited', 'down'] as const)('while Mattermost is %s', (failure) => {
  const replies = () => mattermost.replies.map((reply) => mattermostText(reply)).join('\n')

  test('the link to an account is sent afterwards', async () => {
    const { command } = await connectMattermost(app, mattermost)
    mattermost.failures.set('GET config/client', failure)
    await command(mira.mattermost, 'tidings', 'link')
    await until(async () => mattermost.calls.includes('GET config/client'))
    mattermost.failures.clear()
    await until(async () => replies().includes('/account/chat/'))
  })

  test('a person who opens a form or a draft reads that it did not open', async () => {
    const review_channel = 'editors'.padEnd(26, '0')
    const { team, command, press } = await connectMattermost(app, mattermost, { review_channel })
    mattermost.failures.set('POST actions/dialogs/open', failure)
    await command(mira.mattermost, 'win', '')
    await until(async () => replies().includes('did not open'))
    await command(mira.mattermost, 'win', 'We shipped')
    await settledBlocksOf(app, team, 1)
    await planMessages(app.forwarder)
    await until(async () => mattermost.in(review_channel).length === 1)
    const [review] = mattermost.in(review_channel)
    if (!review) throw new Error('there is no review')
    const inbox = () => mattermost.in(directOf(mira.mattermost)).map((post) => mattermostText(post))
    for (const name of ['decline_draft', 'edit_in_form']) {
      const before = inbox().length
      expect(mattermostButton(review, name)).toBeDefined()
      mattermost.failures.set('GET users/*', failure)
      await press(mira.mattermost, review, name)
      await until(async () => inbox().length > before)
    }
    expect(inbox().join('\n')).toContain('nothing was changed')
  })
})

test('the reply to a word is sent although SIGKILL ends the service before it is', async () => {
  const other = await startApp({ adapters: [slackAdapter], forward: false })
  let service = await startService(other)
  try {
    const { team, event } = await connectTeam(other, slack)
    slack.failures.set('chat.postMessage', 'down')
    expect((await event(written('status'))).status).toBe(200)
    await until(async () => slack.calls.includes('chat.postMessage'))
    const isWaiting = async () =>
      (await other.sql`select 1 from pgboss.job where name = 'notify-sender' and state = 'retry'`)
        .length === 1
    await until(isWaiting)
    service.process.kill('SIGKILL')
    await service.process.exited
    slack.failures.clear()
    service = await startService(other)
    await until(async () => {
      await retryJobsOf(other, team)
      return slack.in('DU0MIRA').length === 1
    })
    expect(slack.in('DU0MIRA')[0]?.text).toContain('for review')
  } finally {
    service.process.kill('SIGKILL')
    await other.close()
  }
})
