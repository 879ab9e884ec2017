import type { NewsletterCadence } from '../../contract/vocabulary.ts'
import { daysAfter, daysBetween, weekdayOf } from '../../lib/clock.ts'

/** The days on which a team sends its newsletters. */
export interface Recurrence {
  cadence: NewsletterCadence
  /** ISO 8601: 1 is Monday. */
  weekday: number
  /** A planned date, `YYYY-MM-DD`; every second week counts from it. */
  anchor: string
}

/** The first day at or after a day that is this day of the week. */
export const firstWeekday = (day: string, weekday: number): string =>
  daysAfter(day, (weekday - weekdayOf(day) + 7) % 7)

/** The anchor of a recurrence whose weekday is changed: every second week stays the same. */
export const movedAnchor = (
  { anchor, weekday: former }: Pick<Recurrence, 'anchor' | 'weekday'>,
  weekday: number,
): string => daysAfter(firstWeekday(anchor, former), weekday - former)

/** The first planned date at or after a day; null for a team that sends ad hoc. */
export function plannedDateFrom(
  day: string,
  { cadence, weekday, anchor }: Recurrence,
): string | null {
  if (cadence === 'ad_hoc') return null
  const next = firstWeekday(day, weekday)
  if (cadence === 'weekly') return next
  if (cadence === 'biweekly') {
    const weeks = Math.round(daysBetween(firstWeekday(anchor, weekday), next) / 7)
    return weeks % 2 === 0 ? next : daysAfter(next, 7)
  }
  return firstOfMonths(day, weekday, cadence === 'monthly' ? 1 : 3)
}

/** The planned dates whose draft is due on a day, because they are at most `leadDays` away. */
export function dueDates(day: string, recurrence: Recurrence, leadDays: number): string[] {
  const last = daysAfter(day, leadDays)
  const dates: string[] = []
  for (
    let date = plannedDateFrom(day, recurrence);
    date !== null && date <= last;
    date = plannedDateFrom(daysAfter(date, 1), recurrence)
  ) {
    dates.push(date)
  }
  return dates
}

/** The first date at or after a day that is the first such weekday of its month; with `step` 3, of the first month of a quarter. */
function firstOfMonths(day: string, weekday: number, step: 1 | 3): string {
  const year = Number(day.slice(0, 4))
  const month = Number(day.slice(5, 7)) - 1
  const start = month - (month % step)
  const dates = [start, start + step].map((one) =>
    firstWeekday(new Date(Date.UTC(year, one, 1)).toISOString().slice(0, 10), weekday),
  )
  return dates.find((date) => date >= day) ?? day
}

/** The fewest days between two planned dates. */
const shortestGap: Record<Exclude<NewsletterCadence, 'ad_hoc'>, number> = {
  weekly: 7,
  biweekly: 14,
  monthly: 28,
  quarterly: 84,
}

/** The first and the last date for which the newsletter of `date` can be prepared already: the team can have changed its recurrence. */
export function planningWindow(
  date: string,
  { cadence }: Recurrence,
): { from: string; to: string } {
  const days = cadence === 'ad_hoc' ? 0 : shortestGap[cadence] - 1
  return { from: daysAfter(date, -days), to: daysAfter(date, days) }
}
