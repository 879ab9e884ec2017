/** Where the time comes from: the system's clock, or a test's. */
export type Now = () => Date

export const systemClock: Now = () => new Date()

/** The day of a moment in UTC, as `YYYY-MM-DD`. */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** The day so many days after another, or before it when negative; days as `YYYY-MM-DD`. */
export function daysAfter(day: string, days: number): string {
  const at = new Date(day)
  at.setUTCDate(at.getUTCDate() + days)
  return utcDay(at)
}

/** A span of time, from `start` to just before `end`. */
export interface Period {
  start: Date
  end: Date
}

/** The calendar month in UTC that holds a moment. */
export function utcMonth(at: Date): Period {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) }
}

/** The week of a moment in UTC as ISO 8601 counts it, such as `2026-W47`. */
export function isoWeek(at: Date): string {
  // The week belongs to the year that holds its Thursday.
  const thursday = new Date(at)
  thursday.setUTCDate(at.getUTCDate() + 4 - (at.getUTCDay() || 7))
  const year = thursday.getUTCFullYear()
  const dayOfYear =
    (Date.UTC(year, thursday.getUTCMonth(), thursday.getUTCDate()) - Date.UTC(year, 0)) / 86_400_000
  return `${year}-W${String(Math.floor(dayOfYear / 7) + 1).padStart(2, '0')}`
}
