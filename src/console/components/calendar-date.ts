import { daysAfter } from '../../lib/clock.ts'

/** The Monday of the week that contains a date. */
export function mondayOf(day: string): string {
  return daysAfter(day, -((new Date(day).getUTCDay() + 6) % 7))
}

/** A date relative to today: “today”, “in 3 days”, “5 days ago”. */
export function relativeDate(day: string, today: string): string {
  const days = Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000)
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  if (days === -1) return 'yesterday'
  return days > 0 ? `in ${days} days` : `${-days} days ago`
}

/** “Last week”, “This week” or “Next week” for the week that begins on a Monday; null for others. */
export function weekLabel(monday: string, today: string): string | null {
  const weeks = Math.round((Date.parse(monday) - Date.parse(mondayOf(today))) / (7 * 86_400_000))
  const names: Record<number, string> = { [-1]: 'Last week', 0: 'This week', 1: 'Next week' }
  return names[weeks] ?? null
}
