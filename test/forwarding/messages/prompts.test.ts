import { beforeEach, expect, test } from 'bun:test'
import { adapter } from '../../../integrations/slack/adapter.ts'
import { planMessages } from '../../../src/forwarding/index.ts'
import { daysAfter, localTime } from '../../../src/lib/clock.ts'
import { startChatApp } from '../../support/chats/chat-app.ts'
import { chatMessagesOf, settledChatMessagesOf } from '../../support/chats/chat-rows.ts'
import { member, signedIn } from '../../support/console.ts'
import { insertStatements } from '../../support/database/insert-statements.ts'
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
  U0ADA: { name: 'Ada Reyes' },
})
const app = await startChatApp({ adapters: [adapter] }, [workspace])
beforeEach(async () => {
  // The teams of earlier tests ask no more.
  await app.sql`update prompt_schedules set is_active = false`
})

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** A week from now at 14:00 in Berlin: the schedules of these tests are saved before it. */
const thatDay = localTime(new Date(Date.now() + 7 * dayMs), 'Europe/Berlin').day
const asked = berlin(thatDay, '14:00')
const weekday = new Date(thatDay).getUTCDay() || 7

/** A time of day in Berlin, in summer and in winter. */
function berlin(day: string, time: string): Date {
  const utc = new Date(`${day}T${time}:00Z`)
  const hours = localTime(utc, 'Europe/Berlin').hour - utc.getUTCHours()
  return new Date(utc.getTime() - hours * 60 * minuteMs)
}

const planAt = (at: Date) => planMessages({ ...app.forwarder, now: () => at })
const planAfter = (minutes: number) => planAt(new Date(asked.getTime() + minutes * minuteMs))
/** Summer time can begin or end between the weeks. */
const planWeeksAfter = (weeks: number, minutes = 0) =>
  planAt(new Date(berlin(daysAfter(thatDay, 7 * weeks), '14:00').getTime() + minutes * minuteMs))

const form = {
  is_active: 'on',
  question: '',
  channels: 'C0WINS\nC0SALES',
  weekday: String(weekday),
  every_weeks: '1',
  time: '14:00',
  time_zone: 'Europe/Berlin',
  holiday_country: '',
  holiday_state: '',
  days_off: '',
}

/** A team whose channels are asked, and its admin. */
async function askingTeam(given: Record<string, string> = {}) {
  const connected = await connectTeam(app, workspace)
  const admin = await signedIn(app, connected.team, 'admin')
  const path = `/integrations/${connected.connectionId}/prompts`
  expect((await admin.post(path, { ...form, ...given })).status).toBe(303)
  return { ...connected, admin, path }
}

test('each channel is asked once at the time of the team, also when two processes plan at once and plan again', async () => {
  const connected = await askingTeam({ question: 'What is <!channel> new?' })
  await planAfter(-1)
  expect(await chatMessagesOf(app, connected.team)).toHaveLength(0)
  await Promise.all([planAfter(1), planAfter(1), planAfter(2)])
  await planAfter(60)
  await settledChatMessagesOf(app, connected.team, 2)
  expect(workspace.messages.map(({ channel }) => channel).toSorted()).toEqual(['C0SALES', 'C0WINS'])
  expect(workspace.messages[0]?.text).toBe('What is &lt;!channel&gt; new?')
  expect(workspace.faults).toEqual([])
})

test('after an outage the question of the day is asked within three hours, and no earlier one is made up for', async () => {
  const connected = await askingTeam({ channels: 'C0WINS' })
  await planAfter(181)
  expect(await chatMessagesOf(app, connected.team)).toHaveLength(0)
  // Two weeks later: the question of that week only.
  await planWeeksAfter(2, 179)
  await settledChatMessagesOf(app, connected.team, 1)
  expect(workspace.messages).toHaveLength(1)
})

test('with every second week, the week between them has no question', async () => {
  const connected = await askingTeam({ channels: 'C0WINS', every_weeks: '2' })
  const first =
    await app.sql`select anchor_date from prompt_schedules where team_id = ${connected.team.id}`
  expect(first).toHaveLength(1)
  for (const week of [0, 1, 2, 3]) await planWeeksAfter(week)
  await settledChatMessagesOf(app, connected.team, 2)
})

test('on a public holiday of the country and on a day off nothing is asked, and the page says so', async () => {
  const year = Number(thatDay.slice(0, 4))
  const christmas = `${thatDay < `${year}-12-25` ? year : year + 1}-12-25`
  const weekdayThen = String(new Date(christmas).getUTCDay() || 7)
  const given = { channels: 'C0WINS', weekday: weekdayThen, holiday_country: 'DE' }
  const connected = await askingTeam({ ...given, days_off: thatDay, weekday: String(weekday) })
  await planAt(asked)
  expect(await chatMessagesOf(app, connected.team)).toHaveLength(0)
  expect((await connected.admin.get(connected.path)).html).toContain('no question, a day off')
  await connected.admin.post(connected.path, { ...form, ...given })
  await planAt(berlin(christmas, '14:00'))
  expect(await chatMessagesOf(app, connected.team)).toHaveLength(0)
  await connected.admin.post(connected.path, { ...form, ...given, holiday_country: '' })
  await planAt(berlin(christmas, '14:00'))
  await settledChatMessagesOf(app, connected.team, 1)
})

test('what is written with the button of a question is a draft, counts as a reply, and the count is shown to editors', async () => {
  const connected = await askingTeam({ channels: 'C0WINS' })
  const { team, admin, request, event } = connected
  await planAfter(1)
  const [row] = await settledChatMessagesOf(app, connected.team, 1)
  const [question] = workspace.in('C0WINS')
  if (!question || !row) throw new Error('no question')
  expect(question.text).toBe('What went well this week?')
  const { value } = buttonOf(question, 'open_form')
  await request({
    type: 'block_actions',
    api_app_id: 'A0NEWS',
    team: { id: 'T0ACME' },
    user: { id: 'U0MIRA', team_id: 'T0ACME' },
    trigger_id: '1.2.3',
    response_url: workspace.responseUrl,
    container: { type: 'message', channel_id: 'C0WINS', message_ts: question.ts },
    actions: [{ action_id: 'open_form', value, action_ts: '1795.4' }],
  })
  await until(async () => workspace.opened.length > 0)
  const view = JSON.parse(workspace.opened[0]?.['view'] ?? '{}')
  await request({
    type: 'view_submission',
    api_app_id: 'A0NEWS',
    team: { id: 'T0ACME' },
    user: { id: 'U0MIRA', name: 'mira', team_id: 'T0ACME' },
    view: {
      ...view,
      id: 'V0REPLY',
      hash: '1.a',
      state: {
        values: {
          title: { title: { value: 'We signed Harbour Bank' } },
          body: { body: { value: 'After two years.' } },
        },
      },
    },
  })
  const replies = () => app.sql`
    select r.message_id from prompt_replies r join content_blocks b on b.id = r.block_id
    where r.team_id = ${team.id} and b.status = 'draft'`
  await until(async () => (await replies()).length === 1)
  expect(await replies()).toMatchObject([{ message_id: row.id }])
  expect((await admin.get(connected.path)).html).toMatch(/C0WINS[\s\S]*>1</)
  const { email } = await member(app, team, 'editor')
  workspace.people['U0ADA'] = { name: 'Ada Reyes', email }
  for (const user of ['U0ADA', 'U0TOMAS']) {
    await event({ type: 'app_home_opened', user, tab: 'home', event_ts: '1795.5' })
    await until(async () => workspace.homes.has(user))
  }
  expect(JSON.stringify(workspace.homes.get('U0ADA'))).toContain('1 reply')
  expect(JSON.stringify(workspace.homes.get('U0TOMAS'))).not.toContain('1 reply')
  expect(workspace.faults).toEqual([])
})

test('an editor stops the questions of a channel with the button of a question, others cannot, and an admin starts them again', async () => {
  const connected = await askingTeam({ channels: 'C0WINS', reminds_contributors: 'on' })
  await sent(connected, 'U0MIRA', [10, 20])
  const { team, press, admin, path } = connected
  await planAfter(1)
  await settledChatMessagesOf(app, connected.team, 1)
  const [question] = workspace.in('C0WINS')
  if (!question) throw new Error('no question')
  const off = buttonOf(question, 'prompts_off')
  await press('U0TOMAS', off, question)
  await until(async () => workspace.answers.some(({ text }) => text?.startsWith('Only editors')))
  const { email } = await member(app, team, 'editor')
  workspace.people['U0ADA'] = { name: 'Ada Reyes', email }
  await press('U0ADA', off, question)
  await until(async () => textOf(workspace.in('C0WINS')[0]).includes('<@U0ADA> has switched'))
  // Nobody is reminded of a question that was stopped.
  await planAfter(185)
  await planWeeksAfter(1)
  expect(await chatMessagesOf(app, connected.team)).toHaveLength(1)
  const { html } = await admin.get(path)
  expect(html).toContain('Ada Reyes has stopped the questions in C0WINS.')
  await admin.post(`${path}/unmute`, { channel: 'C0WINS' })
  await planWeeksAfter(1)
  await settledChatMessagesOf(app, connected.team, 2)
  expect(workspace.faults).toEqual([])
})

/** The person has sent so many blocks, the newest so many days before the question. */
async function sent({ team, connectionId }: ConnectedTeam, user: string, ages: number[]) {
  for (const age of ages) {
    const at = new Date(asked.getTime() - age * dayMs)
    await app.sql`
      insert into block_contributors (team_id, block_id, connection_id, user_id, role, from_private, created_at)
      values (${team.id}, ${`cb_${user}_${age}`}, ${connectionId}, ${user}, 'sender', false, ${at})`
  }
}

test('regular contributors who have sent nothing are reminded once, three hours after the question', async () => {
  const connected = await askingTeam({ channels: 'C0WINS', reminds_contributors: 'on' })
  await sent(connected, 'U0MIRA', [10, 20])
  await sent(connected, 'U0TOMAS', [10])
  await sent(connected, 'U0ADA', [0.5, 20])
  await planAfter(1)
  await planAfter(170)
  await settledChatMessagesOf(app, connected.team, 1)
  await Promise.all([planAfter(185), planAfter(185)])
  await planAfter(200)
  const rows = await settledChatMessagesOf(app, connected.team, 2)
  expect(rows).toMatchObject([
    { kind: 'prompt', recipient: 'C0WINS', status: 'sent' },
    { kind: 'reminder', recipient: 'U0MIRA', status: 'sent' },
  ])
  expect(workspace.in('DU0MIRA')[0]?.text).toContain('What went well this week?')
  expect(buttonOf(workspace.in('DU0MIRA')[0], 'open_form').value).toBe(rows[0]?.id)
  expect(workspace.faults).toEqual([])
})

test('the reminders of regular contributors take one statement for their messages and one for the jobs', async () => {
  const connected = await askingTeam({ channels: 'C0WINS', reminds_contributors: 'on' })
  for (const user of ['U0MIRA', 'U0TOMAS', 'U0ADA']) await sent(connected, user, [10, 20])
  await planAfter(1)
  await settledChatMessagesOf(app, connected.team, 1)
  const added = { table: 'chat_messages', queue: 'send-chat-message' }
  expect(await insertStatements(app.sql, added, () => planAfter(185))).toBe(2)
  const rows = await settledChatMessagesOf(app, connected.team, 4)
  expect(rows.map(({ recipient, status }) => `${recipient} ${status}`).toSorted()).toEqual([
    ...['C0WINS sent', 'U0ADA sent', 'U0MIRA sent', 'U0TOMAS sent'],
  ])
})

test('a person turns reminders off with their button, and still gets messages about their news', async () => {
  const connected = await askingTeam({ channels: 'C0WINS', reminds_contributors: 'on' })
  await sent(connected, 'U0MIRA', [10, 20])
  await planAfter(1)
  await planAfter(185)
  await settledChatMessagesOf(app, connected.team, 2)
  const [reminder] = workspace.in('DU0MIRA')
  if (!reminder) throw new Error('no reminder')
  await connected.press('U0MIRA', buttonOf(reminder, 'reminders_off'), reminder)
  await until(async () =>
    workspace.answers.some(({ text }) => text === 'You are not reminded any more.'),
  )
  const people = await app.sql`
    select wants_messages, wants_reminders from chat_people where team_id = ${connected.team.id}`
  expect(people).toMatchObject([{ wants_messages: true, wants_reminders: false }])
  await planWeeksAfter(1)
  await planWeeksAfter(1, 185)
  const rows = await settledChatMessagesOf(app, connected.team, 3)
  expect(rows.filter(({ kind }) => kind === 'reminder')).toHaveLength(1)
})

test('the page names the field of what is wrong, and belongs to admins of the team', async () => {
  const { admin, path, team } = await askingTeam()
  const wrong: [Record<string, string>, string][] = [
    [{ channels: '#general' }, 'Channels must be ids of channels, not #general'],
    [{ channels: '' }, 'Channels must have at least one channel'],
    [{ time_zone: 'Mars' }, 'must be a name such as Europe/Berlin'],
    [{ days_off: 'tomorrow' }, 'must be days such as 2026-12-24'],
    [{ holiday_country: 'DE', holiday_state: 'XX' }, 'must be one of'],
  ]
  for (const [given, message] of wrong) {
    const { html, status } = await admin.post(path, { ...form, ...given })
    expect(status).toBe(422)
    expect(html).toContain(message)
  }
  const editor = await signedIn(app, team, 'editor')
  expect((await editor.get(path)).status).toBe(403)
  const other = await signedIn(app, await app.team(), 'admin')
  expect((await other.get(path)).status).toBe(404)
  expect((await other.post(path, form)).status).toBe(404)
  expect((await other.post(`${path}/unmute`, { channel: 'C0WINS' })).status).toBe(404)
})
