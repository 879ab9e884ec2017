import type { Language } from '../../src/contract/vocabulary.ts'
import { formatMessage, localeOf } from '../../src/locales/index.ts'

// To find out whether a name is a zone takes as long as a query, and settings are read for every message.
const timeZones = new Set<string>()
const maxTimeZones = 1_000

/** Whether a name is that of a time zone (IANA). */
export function isTimeZone(name: string): boolean {
  if (timeZones.has(name)) return true
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    return false
  }
  if (timeZones.size >= maxTimeZones) timeZones.clear()
  timeZones.add(name)
  return true
}

/**
 * A valid day as `YYYY-MM-DD`, without the time of day. HR systems write `0000-00-00` for no day.
 */
export function calendarDay(text: string | null | undefined): string | undefined {
  const day = /^\d{4}-\d{2}-\d{2}(?=T|$)/.exec(text ?? '')?.[0] ?? ''
  const date = dateOf(day)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? day : undefined
}

/**
 * A day (`YYYY-MM-DD`) in words: `5 January` and `Monday`, and `5 January 2027` when that is not the year of `now`, in
 * UTC.
 */
export function dayInWords(
  day: string,
  language: Language,
  now: Date,
): { day: string; weekday: string } {
  const date = dateOf(day)
  const isThisYear = date.getUTCFullYear() === now.getUTCFullYear()
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(localeOf(language), { ...options, timeZone: 'UTC' }).format(date)
  return {
    day: firstOfMonth(
      format({ day: 'numeric', month: 'long', ...(!isThisYear && { year: 'numeric' }) }),
      language,
    ),
    weekday: format({ weekday: language === 'ja' ? 'short' : 'long' }),
  }
}

/** A date in words, in UTC: `14 November 2023`. Empty for an invalid date. */
export function fullDay(moment: Date, language: Language): string {
  if (Number.isNaN(moment.getTime())) return ''
  const format = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' })
  return firstOfMonth(format.format(moment), language)
}

/** A day (`2026-12-16`), or a moment with its time of day where it was written (`2026-12-16T18:00:00+01:00`). */
function momentOf(text: string | null): { date: Date; hasTime: boolean } | undefined {
  const day = calendarDay(text)
  const time = /^[\d-]{10}T(\d{2}:\d{2})/.exec(text ?? '')?.[1]
  const date = new Date(`${day}T${time ?? '00:00'}Z`)
  return Number.isNaN(date.getTime()) ? undefined : { date, hasTime: time !== undefined }
}

/**
 * A day, a moment or a period in words: `16–17 December 2026`, `16 December 2026 at 18:00`. Undefined for an invalid
 * date.
 */
export function periodInWords(
  period: { start: string; end: string | null },
  language: Language,
): string | undefined {
  const [start, end] = [momentOf(period.start), momentOf(period.end)]
  if (start === undefined) return undefined
  const format = new Intl.DateTimeFormat(localeOf(language), {
    dateStyle: 'long',
    ...(start.hasTime && { timeStyle: 'short' }),
    timeZone: 'UTC',
  })
  const words =
    end !== undefined && end.date > start.date
      ? format.formatRange(start.date, end.date).replace(/^(\d+)\s–\s(\d+)/u, '$1–$2')
      : format.format(start.date)
  return firstOfMonth(words, language)
}

/** In French, the first day of a month is an ordinal: `1er décembre`. */
const firstOfMonth = (day: string, language: Language): string =>
  language === 'fr' ? day.replace(/^1(?=\s)/, '1er') : day

// Prepositions before a date, which the message would repeat.
const leadsToDate =
  /\b(?:on|by|until|till|before|after|since|from|to|at|am|bis|vor|nach|ab|seit|le|du|au|el|del|al|em|op|van|tot|il|dal|den|od|do)$/i

/**
 * Replaces Discord's times (`<t:1700000000:D>`) by days in words: "We shipped on 14 November 2023".
 */
export function replaceTimes(text: string, language: Language): string {
  return text.replace(/<t:(-?\d+)(?::\w)?>/g, (_, seconds: string, offset: number) => {
    const day = fullDay(new Date(Number(seconds) * 1000), language)
    // No word that leads to a date is longer.
    const before = text.slice(Math.max(0, offset - 20), offset).trimEnd()
    const needsWord = /[\p{L}\p{N}*_]$/u.test(before) && !leadsToDate.test(before)
    return day !== '' && needsWord ? formatMessage(language, 'on_day', { day }) : day
  })
}

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`)
