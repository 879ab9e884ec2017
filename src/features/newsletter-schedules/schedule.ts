import { localTime } from '../../lib/clock.ts'
import { type Context, inTransaction, type ReadContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { recordAudit } from '../audit-log/index.ts'
import { firstWeekday, movedAnchor, plannedDateFrom, type Recurrence } from './planned-dates.ts'
import { type ScheduleRow, type ScheduleSettings, selectSchedule, upsertSchedule } from './sql.ts'

const defaults: ScheduleSettings = {
  is_recurring: false,
  weekday: 5,
  hour: 9,
  time_zone: 'UTC',
  lead_days: 3,
  reminder_days: null,
}

/** When the newsletters of a team are prepared, and the next planned date; null while none is planned. */
export async function getSchedule(
  { sql, now, actor }: ReadContext & Pick<Context, 'now'>,
  timeZone: string,
): Promise<ScheduleSettings & { next: string | null }> {
  const row = await withDeadline(selectSchedule(sql, actor.teamId))
  if (!row) return { ...defaults, time_zone: timeZone, next: null }
  const { day } = localTime(now(), row.time_zone)
  return { ...row, next: row.is_recurring ? plannedDateFrom(day, recurrenceOf(row)) : null }
}

/** The days on which a schedule plans newsletters. */
export const recurrenceOf = ({ cadence, weekday, anchor_date }: ScheduleRow): Recurrence => ({
  cadence,
  weekday,
  anchor: anchor_date,
})

/**
 * Stores when the newsletters of a team are prepared. Every second week stays the same with another weekday;
 * when the preparation is switched on, it counts from the next such day.
 */
export async function saveSchedule(ctx: Context, settings: ScheduleSettings): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    const at = txCtx.now()
    const stored = await selectSchedule(txCtx.sql, ctx.actor.teamId)
    const { day } = localTime(at, settings.time_zone)
    const anchor_date = stored?.is_recurring
      ? movedAnchor(recurrenceOf(stored), settings.weekday)
      : firstWeekday(day, settings.weekday)
    await upsertSchedule(txCtx.sql, ctx.actor.teamId, { ...settings, anchor_date }, at)
    await recordAudit(txCtx, 'sending_changed')
  })
}
