import { daysBefore, localTime } from '../../lib/clock.ts'
import {
  type Context,
  inTransaction,
  type ReadContext,
  type ServiceContext,
} from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { recordAudit } from '../audit-log/index.ts'
import { nextPromptDays, type PromptDay } from './dates.ts'
import { requireHolidayRegion } from './holidays.ts'
import {
  deletePromptsBefore,
  deleteSchedulesOfRemovedConnections,
  type PromptChannelRow,
  type PromptScheduleRow,
  replaceChannels,
  selectChannels,
  selectPromptSchedule,
  updateMuted,
  upsertPromptSchedule,
} from './sql.ts'

/** When a connection asks for news, and where. */
export type PromptSettings = Omit<PromptScheduleRow, 'anchor_date' | 'updated_at'> & {
  channels: readonly string[]
}

/** The settings of a connection with the state of its channels and the next days. */
export interface PromptSchedule extends Omit<PromptSettings, 'channels'> {
  channels: PromptChannelRow[]
  next: PromptDay[]
}

const defaults: Omit<PromptSchedule, 'time_zone'> = {
  is_active: false,
  question: null,
  weekday: 4,
  every_weeks: 1,
  minute_of_day: 14 * 60,
  holiday_region: null,
  days_off: [],
  reminds_contributors: false,
  channels: [],
  next: [],
}

const listedDays = 6

/** When a connection asks for news; the defaults before somebody has set it. `language` is that of holidays. */
export async function getPromptSchedule(
  { sql, now, actor: { teamId } }: ReadContext & Pick<Context, 'now'>,
  {
    connectionId,
    timeZone,
    language,
  }: { connectionId: string; timeZone: string; language: string },
): Promise<PromptSchedule> {
  const key = { teamId, connectionId }
  const row = await withDeadline(selectPromptSchedule(sql, key))
  if (!row) return { ...defaults, time_zone: timeZone }
  const { day: date, hour, minute } = localTime(now(), row.time_zone)
  const isOver = hour * 60 + minute >= row.minute_of_day
  const days = await nextPromptDays(date, row, { count: listedDays, language })
  return {
    ...row,
    channels: await withDeadline(selectChannels(sql, key)),
    next: row.is_active ? days.filter(({ day }) => !isOver || day > date).slice(0, 5) : [],
  }
}

/** Stores when a connection asks for news. Throws `validation_failed` for a region without known holidays. */
export async function savePromptSchedule(
  ctx: Context,
  { connectionId, settings }: { connectionId: string; settings: PromptSettings },
): Promise<void> {
  const { channels, ...schedule } = settings
  if (schedule.holiday_region !== null) await requireHolidayRegion(schedule.holiday_region)
  await inTransaction(ctx, async (txCtx) => {
    const at = txCtx.now()
    const key = { teamId: ctx.actor.teamId, connectionId }
    const anchor_date = localTime(at, schedule.time_zone).day
    await upsertPromptSchedule(txCtx.sql, key, { ...schedule, anchor_date, updated_at: at })
    await replaceChannels(txCtx.sql, key, channels)
    await recordAudit(txCtx, 'prompts_changed')
  })
}

/** Who switches a channel off, in the chat or in the console. */
export interface MuteChange {
  connectionId: string
  channel: string
  muted: boolean
  by: { userId: string | null; name: string } | null
}

/** Stops the questions in a channel, or starts them again. */
export async function setPromptMuted(
  ctx: Context,
  { connectionId, channel, muted, by }: MuteChange,
): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    const row = {
      channel,
      muted_at: muted ? txCtx.now() : null,
      muted_by: muted ? (by?.userId ?? null) : null,
      muted_by_name: muted ? (by?.name ?? null) : null,
    }
    const key = { teamId: ctx.actor.teamId, connectionId }
    if (!(await updateMuted(txCtx.sql, key, row))) return
    await recordAudit(txCtx, muted ? 'prompts_muted' : 'prompts_unmuted', channel)
  })
}

const retentionDays = 400

/** Deletes questions after 400 days, and the schedules of connections that were removed. */
export async function purgePrompts({ sql, now }: ServiceContext): Promise<void> {
  await deletePromptsBefore(sql, daysBefore(now(), retentionDays))
  await withDeadline(deleteSchedulesOfRemovedConnections(sql))
}
