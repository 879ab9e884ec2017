import type { RecurrenceRule } from '../calendar.ts'

/** How long a day lasts in UTC. */
export const dayMs = 86_400_000
const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
/** A series with a number of repetitions is followed this long: they have to be counted from its start. */
const maxCountedMonths = 240

/** How an event repeats, in local ms as if they were UTC. */
export interface Series {
  startMs: number
  rule: RecurrenceRule
  /** It does not repeat later. */
  lastMs: number
}

/** A part of time, in local ms as if they were UTC. */
export interface Range {
  from: number
  to: number
}

/**
 * The local times at which a series repeats within the ranges, in ms as if they were UTC. Only series that repeat
 * every month or less often are followed: nobody announces a daily or weekly appointment. The library is not used
 * here, because it does not end for some rules. The time depends on the ranges, not on the age of the series.
 */
export function repetitions({ startMs, rule, lastMs }: Series, ranges: readonly Range[]): number[] {
  if (rule.freq !== 'MONTHLY' && rule.freq !== 'YEARLY') return []
  const times = monthsOf(startMs, rule, ranges)
    .flatMap((monthMs) => timesIn(rule, startMs, monthMs))
    .filter((time) => time >= startMs)
  return times
    .slice(0, rule.count ?? times.length)
    .filter((time) => time <= lastMs && ranges.some(({ from, to }) => time >= from && time <= to))
}

/** The months, each as its first moment, in which a series can repeat within the ranges; all of them if it counts. */
function monthsOf(
  startMs: number,
  { freq, interval, count }: RecurrenceRule,
  ranges: readonly Range[],
) {
  const unit = freq === 'YEARLY' ? 12 : 1
  const step = Math.max(1, Math.floor(interval)) * unit
  const first = monthNumber(startMs)
  const months = new Set<number>()
  for (const { from, to } of ranges) {
    const least = count === undefined ? monthNumber(from) - first - step : 0
    // The months of a year can come before the month in which the series began.
    const end = monthNumber(to) - first + unit - 1
    const most = count === undefined ? end : Math.min(end, maxCountedMonths)
    for (let month = Math.max(0, Math.ceil(least / step)) * step; month <= most; month += step)
      months.add(first + month)
  }
  return [...months]
    .toSorted((a, b) => a - b)
    .map((month) => Date.UTC(Math.floor(month / 12), month % 12))
}

/** The months since year 0. */
function monthNumber(ms: number): number {
  const date = new Date(ms)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** The times in the months of one repetition, in order. */
function timesIn(rule: RecurrenceRule, startMs: number, monthMs: number): number[] {
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
function daysIn(rule: RecurrenceRule, startMs: number, monthMs: number): number[] {
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
  const byDay = new Set(rule.byday)
  const startDay = new Date(startMs).getUTCDate()
  const firstWeekday = date.getUTCDay()
  const chosen = days.filter((day) => {
    if (byMonthDay.size > 0 && !byMonthDay.has(day)) return false
    if (byDay.size > 0) return namesOf(day, firstWeekday, length).some((name) => byDay.has(name))
    return byMonthDay.size > 0 || day === startDay
  })
  if (rule.bysetpos.length === 0) return chosen
  return rule.bysetpos.flatMap(
    (position) => chosen.at(position > 0 ? position - 1 : position) ?? [],
  )
}

/** The names of a day in a rule: `MO`, `2MO` or `+2MO` (the second Monday of the month), and `-1MO` (the last one). */
function namesOf(day: number, firstWeekday: number, length: number): string[] {
  const name = weekdays[(firstWeekday + day - 1) % 7] ?? ''
  const fromStart = Math.ceil(day / 7)
  const fromEnd = Math.ceil((length - day + 1) / 7)
  return [name, `${fromStart}${name}`, `+${fromStart}${name}`, `-${fromEnd}${name}`]
}
