import type { TestApp } from '../app.ts'

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
