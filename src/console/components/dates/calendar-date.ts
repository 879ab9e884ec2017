import { daysAfter, daysBetween, localTime, utcDay, weekdayOf } from '../../../lib/clock.ts'
import type { UserLocale } from '../../http/user-locale.ts'

/** The day that it is for a person, as `YYYY-MM-DD`; in UTC when their time zone is not known. */
export const todayOf = ({ timeZone }: Pick<UserLocale, 'timeZone'>, at: Date): string =>
  timeZone === null ? utcDay(at) : localTime(at, timeZone).day

/** The Monday of the week that contains a date. */
export function mondayOf(day: string): string {
  return daysAfter(day, 1 - weekdayOf(day))
}

/** A day beside today, such as “today”, “tomorrow” or “3 days ago”, in a language. */
export function relativeDate(day: string, today: string, language: string): string {
  const days = daysBetween(today, day)
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day')
}

/** “Last week”, “This week” or “Next week” for the week that begins on a Monday; null for others. */
export function weekLabel(monday: string, today: string, language: string): string | null {
  const weeks = daysBetween(mondayOf(today), monday) / 7
  if (Math.abs(weeks) > 1) return null
  const label = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(weeks, 'week')
  return label.charAt(0).toUpperCase() + label.slice(1)
}
