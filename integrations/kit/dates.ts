import { type Language, localeOf } from './messages/index.ts'

/** A real day as `YYYY-MM-DD`, without its time of day; HR systems write `0000-00-00` for none. */
export function calendarDay(text: string | null | undefined): string | undefined {
  const day = /^\d{4}-\d{2}-\d{2}(?=T|$)/.exec(text ?? '')?.[0] ?? ''
  const date = dateOf(day)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? day : undefined
}

/** A day (`YYYY-MM-DD`) in words without its year: `5 January` and `Monday`. */
export function dayInWords(day: string, language: Language): { day: string; weekday: string } {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(localeOf(language), { ...options, timeZone: 'UTC' }).format(dateOf(day))
  return {
    day: format({ day: 'numeric', month: 'long' }),
    weekday: format({ weekday: language === 'ja' ? 'short' : 'long' }),
  }
}

/** A moment as the day in UTC, in words: `14 November 2023`. Empty for an invalid date. */
export function fullDay(moment: Date, language: Language): string {
  if (Number.isNaN(moment.getTime())) return ''
  return new Intl.DateTimeFormat(localeOf(language), {
    dateStyle: 'long',
    timeZone: 'UTC',
  }).format(moment)
}

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`)
