import { dateFormat } from './text/date-format.ts'

/** Returns the present time: of the system's clock, or of a test. */
export type Now = () => Date

/** The clock of the operating system. */
export const systemClock: Now = () => new Date()

/** The day of a time in UTC, as `YYYY-MM-DD`. */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** A time in a sentence: `2027-01-31 09:00 UTC`. */
export const utcMinute = (at: Date): string =>
  `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** The day that is `days` days after another (before it when negative); days are `YYYY-MM-DD`. */
export function daysAfter(day: string, days: number): string {
  const at = new Date(day)
  at.setUTCDate(at.getUTCDate() + days)
  return utcDay(at)
}

/** How many days a day is after another; negative when it is before it. Both are `YYYY-MM-DD`. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs)

/** The day of the week of a day (`YYYY-MM-DD`) as ISO 8601 numbers it: 1 is Monday. */
export const weekdayOf = (day: string): number => new Date(day).getUTCDay() || 7

const localTimeOptions = {
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  weekday: 'long',
} as const

/** The date (`YYYY-MM-DD`), the day of the week in English and the time of day in a time zone (IANA). */
export function localTime(at: Date, timeZone: string) {
  const parts = dateFormat('en-CA', { timeZone, ...localTimeOptions }).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((one) => one.type === type)?.value ?? ''
  return {
    day: `${part('year')}-${part('month')}-${part('day')}`,
    weekday: part('weekday').toLowerCase(),
    hour: Number(part('hour')),
    minute: Number(part('minute')),
    second: Number(part('second')),
  }
}

/**
 * The moment of a day (`YYYY-MM-DD`) and a time (`HH:MM`) in a time zone (IANA). A time that the change of clocks
 * leaves out is the one after it; of one that comes twice, it is one of both. Invalid for other text.
 */
export function momentOf(day: string, time: string, timeZone: string): Date {
  const wanted = new Date(`${day}T${time}:00Z`)
  const isValid = /^\d{4}-\d\d-\d\d$/.test(day) && /^\d\d:\d\d$/.test(time)
  if (!isValid || Number.isNaN(wanted.getTime())) return new Date(Number.NaN)
  // A change of clocks is between these two times, so that one of their offsets is right, or the time is left out.
  const [before, after] = [-dayMs, dayMs].map((ms) =>
    offsetMs(new Date(wanted.getTime() + ms), timeZone),
  )
  const shift = (offset = 0) => new Date(wanted.getTime() - offset)
  const isShown = (at: Date) => at.getTime() + offsetMs(at, timeZone) === wanted.getTime()
  return [shift(before), shift(after)].find(isShown) ?? shift(before)
}

function offsetMs(at: Date, timeZone: string): number {
  const { day, hour, minute } = localTime(at, timeZone)
  const local = new Date(day).getTime() + (hour * 60 + minute) * 60_000
  return local - Math.floor(at.getTime() / 60_000) * 60_000
}

export const hourMs = 3_600_000
/** How long a day lasts in UTC. */
export const dayMs = 24 * hourMs

/** The time `days` days of 24 hours before another, such as the end of a retention period. */
export const daysBefore = (at: Date, days: number): Date => new Date(at.getTime() - days * dayMs)

/** The time from `start` until just before `end`. */
export interface Period {
  start: Date
  end: Date
}

/** The calendar month in UTC that contains a time. */
export function utcMonth(at: Date): Period {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) }
}

/** The week that contains a time in UTC, as ISO 8601 numbers it: `2026-W47`. */
export function isoWeek(at: Date): string {
  // A week belongs to the year of its Thursday.
  const thursday = new Date(at)
  thursday.setUTCDate(at.getUTCDate() + 4 - (at.getUTCDay() || 7))
  const year = thursday.getUTCFullYear()
  const dayOfYear =
    (Date.UTC(year, thursday.getUTCMonth(), thursday.getUTCDate()) - Date.UTC(year, 0)) / dayMs
  return `${year}-W${String(Math.floor(dayOfYear / 7) + 1).padStart(2, '0')}`
}
