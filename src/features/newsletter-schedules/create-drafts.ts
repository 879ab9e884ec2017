import { newNewsletterDefaults } from '../../contract/newsletters/input.ts'
import { daysAfter, localTime } from '../../lib/clock.ts'
import {
  inTransaction,
  type LinkContext,
  type ServiceContext,
  systemContext,
} from '../../lib/context.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import type { JobQueue } from '../../lib/queue/index.ts'
import { localeOf } from '../../locales/index.ts'
import { listEditors } from '../block-comments/index.ts'
import { composeNewsletter, createNewsletter, findLatestTemplate } from '../newsletters/index.ts'
import { type EmailText, notifyMembers, type Recipient } from '../notifications/index.ts'
import { dueDates, planningWindow } from './planned-dates.ts'
import { recurrenceOf } from './schedule.ts'
import {
  existsPlannedDate,
  insertPlannedDate,
  insertReminder,
  type PlannedNewsletter,
  type ScheduleRow,
  selectActiveSchedules,
  selectPlannedNewsletter,
  selectUnreminded,
} from './sql.ts'

/** Writes the emails about planned newsletters. */
export interface PlanEmails {
  prepared(recipient: Recipient, newsletter: PlannedNewsletter & { blocks: number }): EmailText
  reminder(recipient: Recipient, newsletter: PlannedNewsletter): EmailText
}

interface PlanContext extends ServiceContext, Pick<LinkContext, 'baseUrl'> {
  sql: Sql
  queue: JobQueue
  emails: PlanEmails
}

/**
 * Creates the drafts that are due, each once for its planned date, and reminds editors of newsletters
 * that are not sent. Any number of processes can run it, and it can be repeated at any time.
 */
export async function runSchedules(ctx: PlanContext): Promise<void> {
  const failures: unknown[] = []
  for (const schedule of await withDeadline(selectActiveSchedules(ctx.sql))) {
    await runSchedule(ctx, schedule).catch((error: unknown) => failures.push(error))
  }
  // A team whose schedule fails does not stop the others; the job is retried.
  if (failures.length > 0) throw failures[0]
}

async function runSchedule(ctx: PlanContext, schedule: ScheduleRow): Promise<void> {
  const { is_recurring, lead_days } = schedule
  const { day: today, hour } = localTime(ctx.now(), schedule.time_zone)
  if (hour < schedule.hour) return
  const dates = is_recurring ? dueDates(today, recurrenceOf(schedule), lead_days) : []
  for (const date of dates) await prepareDraft(ctx, schedule, { date, today })
  await remindEditors(ctx, schedule, today)
}

/**
 * Creates the draft of a planned date, unless the team has a newsletter for it: one that was planned by
 * hand, or one that was prepared for another day before the recurrence was changed. A planned date that has
 * passed while the service was off gets no draft any more.
 */
async function prepareDraft(
  ctx: PlanContext,
  schedule: ScheduleRow,
  { date, today }: { date: string; today: string },
): Promise<void> {
  const { team_id: teamId } = schedule
  if (await withDeadline(existsPlannedDate(ctx.sql, teamId, date))) return
  await inTransaction(systemContext(ctx, teamId), async (txCtx) => {
    const at = ctx.now()
    const days = planningWindow(date, recurrenceOf(schedule))
    const existing = await selectPlannedNewsletter(txCtx.sql, teamId, { date, ...days })
    if (existing) {
      await insertPlannedDate(txCtx.sql, { teamId, date, newsletterId: existing.id, at })
      return
    }
    const title = titleOf(schedule, date)
    const { id } = await createNewsletter(txCtx, {
      ...newNewsletterDefaults,
      title,
      subject_line: title,
      template_slug: (await findLatestTemplate(txCtx)).slug,
      scheduled_date: date,
      status: 'draft',
    })
    const isFirst = await insertPlannedDate(txCtx.sql, { teamId, date, newsletterId: id, at })
    // Another process was faster: nothing of this transaction is stored.
    if (!isFirst) throw new AlreadyPreparedError()
    const { blocks } = await composeNewsletter(txCtx, { id })
    // The email about the draft is the reminder, too, when both are due.
    if (isReminderDue(schedule, { date, today })) {
      await insertReminder(txCtx.sql, teamId, { id, title, date }, at)
    }
    const about = { id, title, date, blocks: blocks.length }
    await notifyMembers(txCtx, {
      kind: 'reminders',
      memberIds: (await listEditors(txCtx)).map((editor) => editor.id),
      compose: (recipient) => ctx.emails.prepared(recipient, about),
    })
  }).catch(ignoreAlreadyPrepared)
}

const isReminderDue = (
  { reminder_days }: ScheduleRow,
  { date, today }: { date: string; today: string },
): boolean => reminder_days !== null && date <= daysAfter(today, reminder_days)

class AlreadyPreparedError extends Error {}

function ignoreAlreadyPrepared(error: unknown): void {
  if (!(error instanceof AlreadyPreparedError)) throw error
}

const titleOf = ({ team_name, language }: ScheduleRow, date: string): string => {
  const format = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' })
  // A title has at most 255 characters.
  return `${[...team_name].slice(0, 100).join('')}, ${format.format(new Date(`${date}T00:00:00Z`))}`
}

async function remindEditors(ctx: PlanContext, schedule: ScheduleRow, today: string) {
  const { team_id: teamId, reminder_days } = schedule
  if (reminder_days === null) return
  const days = { from: today, to: daysAfter(today, reminder_days) }
  for (const newsletter of await withDeadline(selectUnreminded(ctx.sql, teamId, days))) {
    await inTransaction(systemContext(ctx, teamId), async (txCtx) => {
      if (!(await insertReminder(txCtx.sql, teamId, newsletter, ctx.now()))) return
      await notifyMembers(txCtx, {
        kind: 'reminders',
        memberIds: (await listEditors(txCtx)).map((editor) => editor.id),
        compose: (recipient) => ctx.emails.reminder(recipient, newsletter),
      })
    })
  }
}
