import { dateFormat } from '../../../lib/text/date-format.ts'
import { attribute } from '../../attribute.ts'
import type { UserLocale } from '../../http/user-locale.ts'

const styles = {
  time: { dateStyle: 'medium', timeStyle: 'short' },
  date: { dateStyle: 'medium' },
  /** The exact time, for the tooltip. */
  exact: { dateStyle: 'full', timeStyle: 'long' },
  /** Dates without a time, such as the date of an event. */
  fullDate: { dateStyle: 'full' },
  dayAndMonth: { day: 'numeric', month: 'long' },
  weekday: { weekday: 'short' },
  month: { month: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

type Style = keyof typeof styles

const formatFor = ({ locale, timeZone }: Omit<UserLocale, 'language'>, style: Style) =>
  dateFormat(locale, { ...styles[style], timeZone: timeZone ?? 'UTC' })

interface DateTimeProps {
  userLocale: UserLocale
  at: Date
  /** Shows the date without the time. */
  dateOnly?: boolean
}

/**
 * A time in the time zone and language of the person, with the exact time as its tooltip. While the time
 * zone is not known it is in UTC and says so; the script corrects it and stores the time zone.
 */
export function DateTime({ userLocale, at, dateOnly = false }: DateTimeProps) {
  return (
    <time
      datetime={at.toISOString()}
      title={attribute(formatExact(userLocale, at))}
      data-style={dateOnly ? 'date' : 'time'}
      safe
    >
      {formatTime(userLocale, at, dateOnly ? 'date' : 'time')}
    </time>
  )
}

/** A time with its weekday, seconds and time zone, for a tooltip. */
export const formatExact = (userLocale: UserLocale, at: Date): string =>
  formatFor(userLocale, 'exact').format(at)

/** A time as text, such as `24 Nov 2026, 10:00`. It ends with `UTC` while the time zone is not known. */
export function formatTime(
  userLocale: UserLocale,
  at: Date,
  style: 'time' | 'date' = 'time',
): string {
  const text = formatFor(userLocale, style).format(at)
  return userLocale.timeZone === null && style === 'time' ? `${text} UTC` : text
}

/** A calendar date, `YYYY-MM-DD`, as text. It has no time zone and is the same for everybody. */
export function formatDate(
  { locale }: Pick<UserLocale, 'locale'>,
  date: string,
  style: 'date' | 'fullDate' | 'dayAndMonth' | 'weekday' | 'month' = 'date',
): string {
  return formatFor({ locale, timeZone: 'UTC' }, style).format(new Date(`${date}T00:00:00Z`))
}

/** Replaces ISO timestamps in a sentence by times in the time zone of the person. */
export function formatTimestamps(userLocale: UserLocale, sentence: string): string {
  return sentence.replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, (timestamp) =>
    formatTime(userLocale, new Date(timestamp)),
  )
}
