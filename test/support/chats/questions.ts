import { planMessages } from '../../../src/forwarding/index.ts'
import type { TestApp } from '../app.ts'
import type { Person } from '../console.ts'

interface AskedChat {
  team: { id: string }
  connectionId: string
  /** The channels in which the chat asks for news. */
  askedChannels?: readonly string[]
}

/** The channels of a chat are asked for news at this time. */
export async function scheduleQuestions(
  { sql }: Pick<TestApp, 'sql'>,
  { team, connectionId, askedChannels = [] }: AskedChat,
  at: Date,
): Promise<void> {
  if (askedChannels.length === 0) return
  const minute = at.getUTCHours() * 60 + at.getUTCMinutes()
  await sql`
    insert into prompt_schedules (team_id, connection_id, is_active, weekday, every_weeks, anchor_date,
      minute_of_day, time_zone, days_off, reminds_contributors, updated_at)
    values (${team.id}, ${connectionId}, true, ${at.getUTCDay() || 7}, 1, ${at}, ${minute}, 'UTC', '{}', false,
      now() - interval '1 hour')`
  for (const channel of askedChannels)
    await sql`
      insert into prompt_channels (team_id, connection_id, channel)
      values (${team.id}, ${connectionId}, ${channel})`
}

/** An admin schedules a question on the page of the connection, and the channel is asked at this moment. */
export async function askNow(
  app: TestApp,
  admin: Person,
  { connectionId, team, channel }: AskedChat & { channel: string },
): Promise<void> {
  const form = { is_active: 'on', question: 'What went *well*?', channels: channel }
  const when = { weekday: '1', every_weeks: '1', time: '10:00', time_zone: 'UTC' }
  const page = `/integrations/${connectionId}/prompts`
  await admin.post(page, { ...form, ...when, holiday_country: '', days_off: '' })
  const at = new Date(Date.now() + 60_000)
  const minute = at.getUTCHours() * 60 + at.getUTCMinutes()
  await app.sql`
    update prompt_schedules set weekday = ${at.getUTCDay() || 7}, minute_of_day = ${minute}, anchor_date = ${at},
      updated_at = now() - interval '1 day'
    where team_id = ${team.id}`
  // At exactly this time: the next minute can be another day.
  await planMessages({ ...app.forwarder, now: () => at })
}
