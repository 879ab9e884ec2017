import type { Rule } from './calendar.ts'

const dayMs = 86_400_000
const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
/** A series that began earlier, or that lasts longer, is not followed. */
const maxMonths = 1_200

/**
 * The local times at which a series repeats, in ms as if they were UTC, up to `end`. Only series that repeat every
 * month or less often are followed: nobody announces a daily or weekly appointment. The library is not used here,
 * because it does not end for some rules.
 */
export function repetitions(startMs: number, rule: Rule, end: number): number[] {
  if (rule.freq !== 'MONTHLY' && rule.freq !== 'YEARLY') return []
  const last = Math.min(end, untilMs(rule))
  const times = monthsOf(startMs, rule, end)
    .flatMap((monthMs) => timesIn(rule, startMs, monthMs))
    .filter((time) => time >= startMs)
  return times.slice(0, rule.count ?? times.length).filter((time) => time <= last)
}

/** The months of a series up to `end`, each as its first moment. */
function monthsOf(startMs: number, { freq, interval }: Rule, end: number): number[] {
  const step = Math.max(1, Math.floor(interval)) * (freq === 'YEARLY' ? 12 : 1)
  const first = new Date(startMs)
  const months: number[] = []
  for (let month = 0; month <= maxMonths; month += step) {
    const ms = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month)
    if (ms > end) break
    months.push(ms)
  }
  return months
}

/** Clocks differ from UTC by at most this much. */
const maxOffsetMs = 14 * 3_600_000

/** The last moment of a series. `UNTIL` is a day, or a time in UTC, which is compared with local times. */
function untilMs({ until }: Rule): number {
  if (until === undefined) return Number.POSITIVE_INFINITY
  const ms = Date.parse(until)
  if (Number.isNaN(ms)) return Number.POSITIVE_INFINITY
  return ms + (until.includes('T') ? maxOffsetMs : dayMs - 1)
}

/** The times in the months of one repetition, in order. */
function timesIn(rule: Rule, startMs: number, monthMs: number): number[] {
  const timeOfDay = startMs % dayMs
  const year = new Date(monthMs).getUTCFullYear()
  const months =
    rule.freq === 'YEARLY' && rule.bymonth.length > 0
      ? rule.bymonth.map((month) => Date.UTC(year, month - 1))
      : [monthMs]
  return months
    .flatMap((one) => daysIn(rule, startMs, one).map((day) => one + (day - 1) * dayMs + timeOfDay))
    .toSorted((a, b) => a - b)
}

/** The days of a month, from 1, on which a series repeats. */
function daysIn(rule: Rule, startMs: number, monthMs: number): number[] {
  const date = new Date(monthMs)
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  if (
    rule.freq === 'MONTHLY' &&
    rule.bymonth.length > 0 &&
    !rule.bymonth.includes(date.getUTCMonth() + 1)
  )
    return []
  const days = Array.from({ length }, (_, index) => index + 1)
  const byMonthDay = new Set(rule.bymonthday.map((day) => (day < 0 ? length + 1 + day : day)))
  const startDay = new Date(startMs).getUTCDate()
  const chosen = days.filter((day) => {
    if (byMonthDay.size > 0 && !byMonthDay.has(day)) return false
    if (rule.byday.length > 0) return rule.byday.some((one) => isWeekday(one, monthMs, day, length))
    return byMonthDay.size > 0 || day === startDay
  })
  if (rule.bysetpos.length === 0) return chosen
  return rule.bysetpos.flatMap(
    (position) => chosen.at(position > 0 ? position - 1 : position) ?? [],
  )
}

/** Whether a day is `MO`, `2MO` (the second Monday of the month) or `-1MO` (the last one). */
function isWeekday(text: string, monthMs: number, day: number, length: number): boolean {
  const [, position = '', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text) ?? []
  if (weekdays[new Date(monthMs + (day - 1) * dayMs).getUTCDay()] !== name) return false
  const fromStart = Math.ceil(day / 7)
  const fromEnd = -Math.ceil((length - day + 1) / 7)
  return position === '' || Number(position) === fromStart || Number(position) === fromEnd
}
