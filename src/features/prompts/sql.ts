import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

/** When a connection asks its channels for news. */
export interface PromptScheduleRow {
  is_active: boolean
  /** Null: the standard question in the language of the team. */
  question: string | null
  /** ISO 8601: 1 is Monday. */
  weekday: number
  every_weeks: number
  /** A day of the first week, `YYYY-MM-DD`. */
  anchor_date: string
  /** In the time zone, in minutes since midnight. */
  minute_of_day: number
  /** IANA. */
  time_zone: string
  /** Where public holidays apply, such as `DE` or `DE-BY`; null: nowhere. */
  holiday_region: string | null
  /** Further days without a question, `YYYY-MM-DD`. */
  days_off: string[]
  reminds_contributors: boolean
  updated_at: Date
}

/** A channel that is asked. */
export interface PromptChannelRow {
  channel: string
  muted_at: Date | null
  muted_by: string | null
  muted_by_name: string | null
}

/** Identifies a connection. */
interface ConnectionKey {
  teamId: string
  connectionId: string
}

/** The schedule of a connection; undefined before it was set. */
export async function selectPromptSchedule(
  sql: Sql | Tx,
  { teamId, connectionId }: ConnectionKey,
): Promise<PromptScheduleRow | undefined> {
  const [row] = await sql<PromptScheduleRow[]>`
    select is_active, question, weekday, every_weeks, anchor_date::text as anchor_date, minute_of_day,
      time_zone, holiday_region, days_off::text[] as days_off, reminds_contributors, updated_at
    from prompt_schedules where team_id = ${teamId} and connection_id = ${connectionId}`
  return row
}

/** Stores the schedule of a connection. The anchor stays, so that every second week stays the same. */
export async function upsertPromptSchedule(
  tx: Tx,
  { teamId, connectionId }: ConnectionKey,
  row: PromptScheduleRow,
): Promise<void> {
  const values = { ...row, team_id: teamId, connection_id: connectionId }
  await tx`
    insert into prompt_schedules ${tx(values)}
    on conflict (team_id, connection_id) do update set is_active = excluded.is_active,
      question = excluded.question, weekday = excluded.weekday, every_weeks = excluded.every_weeks,
      minute_of_day = excluded.minute_of_day, time_zone = excluded.time_zone,
      holiday_region = excluded.holiday_region, days_off = excluded.days_off,
      reminds_contributors = excluded.reminds_contributors, updated_at = excluded.updated_at`
}

/** The channels of a connection. */
export async function selectChannels(
  sql: Sql | Tx,
  { teamId, connectionId }: ConnectionKey,
): Promise<PromptChannelRow[]> {
  return await sql<PromptChannelRow[]>`
    select channel, muted_at, muted_by, muted_by_name from prompt_channels
    where team_id = ${teamId} and connection_id = ${connectionId} order by channel`
}

/** Makes these the channels of a connection. Those that were switched off stay so. */
export async function replaceChannels(
  tx: Tx,
  { teamId, connectionId }: ConnectionKey,
  channels: readonly string[],
): Promise<void> {
  await tx`
    delete from prompt_channels where team_id = ${teamId} and connection_id = ${connectionId}
      and channel <> all(${[...channels]})`
  if (channels.length === 0) return
  const rows = channels.map((channel) => ({
    team_id: teamId,
    connection_id: connectionId,
    channel,
  }))
  await tx`insert into prompt_channels ${tx(rows)} on conflict do nothing`
}

/** Switches a channel off or on again; false when that changes nothing. */
export async function updateMuted(
  tx: Tx,
  { teamId, connectionId }: ConnectionKey,
  { channel, muted_at, muted_by, muted_by_name }: PromptChannelRow,
): Promise<boolean> {
  const rows = await tx`
    update prompt_channels
    set muted_at = ${muted_at}, muted_by = ${muted_by}, muted_by_name = ${muted_by_name}
    where team_id = ${teamId} and connection_id = ${connectionId} and channel = ${channel}
      and (muted_at is null) <> (${muted_at}::timestamptz is null)
    returning channel`
  return rows.length > 0
}

/** A question that was asked in a channel. */
export interface PromptRow {
  message_id: string
  channel: string
  /** `YYYY-MM-DD`. */
  day: string
  question: string | null
  created_at: Date
}

/** Stores a question that is asked. */
export async function insertPrompt(
  tx: Tx,
  { teamId, connectionId }: ConnectionKey,
  row: PromptRow,
): Promise<void> {
  await tx`insert into prompts ${tx({ ...row, team_id: teamId, connection_id: connectionId })}`
}

/** A question of a connection. */
export async function selectPrompt(
  sql: Sql | Tx,
  { teamId, connectionId }: ConnectionKey,
  messageId: string,
): Promise<(PromptRow & Omit<PromptChannelRow, 'channel'>) | undefined> {
  const [row] = await sql<(PromptRow & Omit<PromptChannelRow, 'channel'>)[]>`
    select p.message_id, p.channel, p.day::text as day, p.question, p.created_at, c.muted_at, c.muted_by,
      c.muted_by_name
    from prompts p
    left join prompt_channels c using (team_id, connection_id, channel)
    where p.team_id = ${teamId} and p.connection_id = ${connectionId} and p.message_id = ${messageId}`
  return row
}

/** A question with the number of its replies. */
export interface CountedPromptRow extends PromptRow {
  replies: number
}

/** The newest questions of a connection. */
export async function selectPrompts(
  sql: Sql | Tx,
  { teamId, connectionId }: ConnectionKey,
  limit: number,
): Promise<CountedPromptRow[]> {
  return await sql<CountedPromptRow[]>`
    select p.message_id, p.channel, p.day::text as day, p.question, p.created_at,
      (select count(*)::integer from prompt_replies r
        where r.team_id = p.team_id and r.message_id = p.message_id) as replies
    from prompts p
    where p.team_id = ${teamId} and p.connection_id = ${connectionId}
    order by p.message_id desc limit ${limit}`
}

/** Stores that a block replies to a question of the connection; nothing for another question. */
export async function insertReply(
  sql: Sql | Tx,
  { teamId, connectionId }: ConnectionKey,
  { messageId, blockId }: { messageId: string; blockId: string },
): Promise<void> {
  await sql`
    insert into prompt_replies (team_id, message_id, block_id)
    select team_id, message_id, ${blockId} from prompts
    where team_id = ${teamId} and connection_id = ${connectionId} and message_id = ${messageId}
    on conflict do nothing`
}

/** Marks the questions that were asked in a period as reminded, unless they are already. Returns those. */
export async function markReminded(
  tx: Tx,
  { teamId, connectionId }: ConnectionKey,
  { from, until, at }: { from: Date; until: Date; at: Date },
): Promise<Pick<PromptRow, 'message_id' | 'channel' | 'day'>[]> {
  return await tx<Pick<PromptRow, 'message_id' | 'channel' | 'day'>[]>`
    update prompts set reminded_at = ${at}
    where team_id = ${teamId} and connection_id = ${connectionId} and reminded_at is null
      and created_at > ${from} and created_at <= ${until}
    returning message_id, channel, day::text as day`
}

/**
 * People who sent or wrote at least two blocks since `since`, none of them since `quietSince`, and who want
 * to be reminded.
 */
export async function selectRegularContributors(
  sql: Sql | Tx,
  { teamId, connectionId }: ConnectionKey,
  { since, quietSince, limit }: { since: Date; quietSince: Date; limit: number },
): Promise<string[]> {
  const rows = await sql<{ user_id: string }[]>`
    select c.user_id from block_contributors c
    left join chat_people p using (team_id, connection_id, user_id)
    where c.team_id = ${teamId} and c.connection_id = ${connectionId} and c.created_at > ${since}
      and c.role <> 'recipient' and coalesce(p.wants_messages and p.wants_reminders, true)
    group by c.user_id
    having count(distinct c.block_id) > 1 and max(c.created_at) <= ${quietSince}
    order by c.user_id limit ${limit}`
  return rows.map(({ user_id }) => user_id)
}

/** Whether a person has sent or written a block since a moment. */
export async function existsBlockSince(
  sql: Sql | Tx,
  { teamId, connectionId }: ConnectionKey,
  { userId, since }: { userId: string; since: Date },
): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (
      select from block_contributors
      where team_id = ${teamId} and connection_id = ${connectionId} and user_id = ${userId}
        and role <> 'recipient' and created_at > ${since}
    ) as found`
  return row.found
}

/** Deletes the questions of all teams that were asked before a moment. */
export async function deletePromptsBefore(sql: Sql | Tx, moment: Date): Promise<void> {
  await deleteInSlices(sql, 'prompts', sql`created_at < ${moment}`)
}

/** Deletes the schedules of connections that were removed. */
export async function deleteSchedulesOfRemovedConnections(sql: Sql | Tx): Promise<void> {
  await sql`
    delete from prompt_channels p using connections c
    where c.team_id = p.team_id and c.id = p.connection_id and c.removed_at is not null`
  await sql`
    delete from prompt_schedules p using connections c
    where c.team_id = p.team_id and c.id = p.connection_id and c.removed_at is not null`
}
