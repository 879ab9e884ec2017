import type { UserLocale } from '../../http/user-locale.ts'

/** The days of the week in the language of the person, for a select; 1 is Monday. */
export function weekdayOptions({ locale }: UserLocale): { value: string; label: string }[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
  return [1, 2, 3, 4, 5, 6, 7].map((value) => ({
    value: String(value),
    // 1 January 2024 was a Monday.
    label: format.format(new Date(Date.UTC(2024, 0, value))),
  }))
}
