/**
 * Returns the dates of a day in a year, as `YYYY-MM-DD`: usually one; none or two for a lunar date.
 */
export type Rule = (year: number) => string[]

/** A day that returns every year. */
export interface Day {
  slug: string
  name: string
  dates: Rule
  description: string
  /** One or two sentences about what an internal newsletter could do with the day. */
  suggested_content: string
}

export const sunday = 0
export const monday = 1
export const tuesday = 2
export const thursday = 4
export const friday = 5
export const saturday = 6
type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6

const utc = (year: number, month: number, day: number) => new Date(Date.UTC(year, month - 1, day))
const iso = (date: Date) => date.toISOString().slice(0, 10)
const daysIn = (year: number, month: number) => utc(year, month + 1, 0).getUTCDate()

/** The same date every year; 29 February becomes the 28th in a common year. */
export function fixed(month: number, day: number): Rule {
  return (year) => [iso(utc(year, month, Math.min(day, daysIn(year, month))))]
}

/** The first given weekday on or after a date. */
export function firstFrom(weekday: Weekday, month: number, day: number): Rule {
  return (year) => {
    const wait = (weekday - utc(year, month, day).getUTCDay() + 7) % 7
    return [iso(utc(year, month, day + wait))]
  }
}

/** The nth given weekday of a month. */
export function nth(n: 1 | 2 | 3 | 4, weekday: Weekday, month: number): Rule {
  return firstFrom(weekday, month, 7 * n - 6)
}

/** The last given weekday of a month. */
export function last(weekday: Weekday, month: number): Rule {
  return (year) => firstFrom(weekday, month, daysIn(year, month) - 6)(year)
}

/** The day that is `days` days after another one. */
export function after(days: number, rule: Rule): Rule {
  return (year) =>
    rule(year).map((date) => {
      const moved = new Date(date)
      moved.setUTCDate(moved.getUTCDate() + days)
      return iso(moved)
    })
}

/** Western Easter Sunday. The Gregorian computus: J. Meeus, Astronomical Algorithms, chapter 8. */
export const easter: Rule = (year) => {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const f = Math.floor((b + 8) / 25)
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  return [iso(utc(year, 3, 22 + h + l - 7 * m))]
}

/** Orthodox Easter Sunday, 1900 to 2099: the Julian computus (Meeus, chapter 8), 13 days on. */
export const orthodoxEaster: Rule = (year) => {
  const d = (19 * (year % 19) + 15) % 30
  const e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
  return [iso(utc(year, 3, 22 + d + e + 13))]
}

/** Dates from a table, for days that follow no simple rule. */
export function table(text: string): Rule {
  const dates = text.trim().split(/\s+/)
  return (year) => dates.filter((date) => date.startsWith(`${year}-`))
}
