import { daysBefore, localTime } from '../../lib/clock.ts'
import { type Context, inTransaction, type ReadContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import type { JobQueue } from '../../lib/queue/index.ts'
import { sendMessages } from '../chat-messages/index.ts'
import { nextPromptDays } from './dates.ts'
import {
  type CountedPromptRow,
  existsBlockSince,
  insertPrompt,
  insertReply,
  markReminded,
  type PromptChannelRow,
  type PromptRow,
  type PromptScheduleRow,
  selectChannels,
  selectPrompt,
  selectPromptSchedule,
  selectPrompts,
  selectRegularContributors,
} from './sql.ts'

/** A question that could not be asked in time, such as in an outage, is left out after three hours. */
const lateMinutes = 180
/** Regular contributors are reminded so long after a question, and no later than three hours after that. */
const reminderMs = 3 * 3_600_000
const regularDays = 60
const maxReminders = 100

interface ConnectionReference {
  connectionId: string
}

/**
 * Stores the questions that are due: one for each channel and day, however often and in however many
 * processes it is called. Days that have passed are not made up for.
 */
export async function askForNews(
  ctx: Context & { queue: JobQueue },
  { connectionId }: ConnectionReference,
): Promise<void> {
  const key = { teamId: ctx.actor.teamId, connectionId }
  const schedule = await withDeadline(selectPromptSchedule(ctx.sql, key))
  if (!schedule?.is_active) return
  const at = ctx.now()
  const { day: date } = localTime(at, schedule.time_zone)
  if (!isTime(schedule, at)) return
  const [next] = await nextPromptDays(date, schedule, { count: 1, language: 'en' })
  if (next?.day !== date || next.skipped !== null) return
  await inTransaction(ctx, async (txCtx) => {
    for (const { channel, muted_at } of await selectChannels(txCtx.sql, key)) {
      if (muted_at !== null) continue
      const message = { connectionId, kind: 'prompt' as const, recipient: channel, subject: date }
      const [message_id] = await sendMessages(txCtx, [message])
      if (message_id === undefined) continue
      const { question } = schedule
      const prompt = { message_id, channel, day: date, question, created_at: at }
      await insertPrompt(txCtx.sql, key, prompt)
    }
  })
}

/** Whether the time of day has come, unless the schedule was saved after it. */
function isTime(
  { minute_of_day: due, time_zone, updated_at }: PromptScheduleRow,
  at: Date,
): boolean {
  const now = localTime(at, time_zone)
  const saved = localTime(updated_at, time_zone)
  const minutes = now.hour * 60 + now.minute
  const isSavedLater = saved.day === now.day && saved.hour * 60 + saved.minute > due
  return minutes >= due && minutes < due + lateMinutes && !isSavedLater
}

/** Stores reminders to regular contributors who have sent nothing since the day before a question. */
export async function remindContributors(
  ctx: Context & { queue: JobQueue },
  { connectionId }: ConnectionReference,
): Promise<void> {
  const key = { teamId: ctx.actor.teamId, connectionId }
  const schedule = await withDeadline(selectPromptSchedule(ctx.sql, key))
  if (!schedule?.is_active || !schedule.reminds_contributors) return
  await inTransaction(ctx, async (txCtx) => {
    const at = txCtx.now()
    const until = new Date(at.getTime() - reminderMs)
    const from = new Date(until.getTime() - reminderMs)
    const prompts = await markReminded(txCtx.sql, key, { from, until, at })
    const channels = await selectChannels(txCtx.sql, key)
    const asked = channels.filter(({ muted_at }) => muted_at === null)
    // Who has stopped the questions of a channel wants no reminders of them.
    const prompt = prompts.find((one) => asked.some(({ channel }) => channel === one.channel))
    if (!prompt) return
    const period = { since: daysBefore(at, regularDays), quietSince: daysBefore(until, 1) }
    const limited = { ...period, limit: maxReminders }
    const people = await selectRegularContributors(txCtx.sql, key, limited)
    const messages = people.map((recipient) => ({
      connectionId,
      kind: 'reminder' as const,
      recipient,
      subject: prompt.day,
      data: { prompt: prompt.message_id },
    }))
    await sendMessages(txCtx, messages)
  })
}

/** A question with the state of its channel; undefined for one that is unknown. */
export async function findPrompt(
  { sql, actor: { teamId } }: ReadContext,
  { connectionId, messageId }: ConnectionReference & { messageId: string },
): Promise<(PromptRow & Omit<PromptChannelRow, 'channel'>) | undefined> {
  return await withDeadline(selectPrompt(sql, { teamId, connectionId }, messageId))
}

/** Whether a connection asks for news at present. */
export async function isAsking(
  { sql, actor: { teamId } }: ReadContext,
  { connectionId }: ConnectionReference,
): Promise<boolean> {
  const schedule = await withDeadline(selectPromptSchedule(sql, { teamId, connectionId }))
  return schedule?.is_active === true
}

/** Whether a person has sent or written something since the day before a question. */
export async function hasReplied(
  { sql, actor: { teamId } }: ReadContext,
  { connectionId, userId, askedAt }: ConnectionReference & { userId: string; askedAt: Date },
): Promise<boolean> {
  const since = daysBefore(askedAt, 1)
  return await withDeadline(existsBlockSince(sql, { teamId, connectionId }, { userId, since }))
}

/** Counts a block as a reply to a question of the connection. */
export async function addReply(
  { sql, actor: { teamId } }: Context,
  {
    connectionId,
    messageId,
    blockId,
  }: ConnectionReference & { messageId: string; blockId: string },
): Promise<void> {
  await withDeadline(insertReply(sql, { teamId, connectionId }, { messageId, blockId }))
}

/** The newest questions of a connection with the number of their replies. */
export async function listPrompts(
  { sql, actor: { teamId } }: ReadContext,
  { connectionId, limit }: ConnectionReference & { limit: number },
): Promise<CountedPromptRow[]> {
  return await withDeadline(selectPrompts(sql, { teamId, connectionId }, limit))
}
