import { dateFormat } from '../../../lib/text/date-format.ts'
export type Direction = 'ltr' | 'rtl'

const rightToLeft = ['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm'] as const
const rightToLeftScripts = new Set<string>(rightToLeft)
const rightToLeftLetter = new RegExp(
  `[${rightToLeft.map((script) => `\\p{Script=${script}}`).join('')}]`,
  'u',
)

/**
 * The direction of a text by its first letter, as `dir="auto"` computes it, which Outlook does not
 * support.
 */
export function directionOf(text: string): Direction {
  return rightToLeftLetter.test(/\p{L}/u.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr'
}

/** The side on which a text of this direction begins. */
export const sideOf = (direction: Direction) => (direction === 'ltr' ? 'left' : 'right')

/** The locale of a language tag; English for a missing or invalid one. */
export function localeOf(lang = 'en'): Intl.Locale {
  try {
    return new Intl.Locale(lang)
  } catch {
    return new Intl.Locale('en')
  }
}

/** The direction of a page in this language. */
export const pageDirection = (locale: Intl.Locale): Direction =>
  rightToLeftScripts.has(locale.maximize().script ?? '') ? 'rtl' : 'ltr'

const dayOf = (date: string | null | undefined): Date | null => {
  const day = new Date(`${date}T00:00:00Z`)
  return Number.isNaN(day.getTime()) ? null : day
}

/** The locale for dates of a language: in English, the day is before the month. */
const dateLocale = (locale: Intl.Locale) =>
  locale.language === 'en' && !locale.region ? new Intl.Locale('en-GB') : locale

/** A `YYYY-MM-DD` in words; null for a missing or invalid one. */
export function dateOf(date: string | null | undefined, locale: Intl.Locale): string | null {
  const day = dayOf(date)
  return day && dateFormat(dateLocale(locale), { dateStyle: 'long', timeZone: 'UTC' }).format(day)
}

/** The short month and the day of a `YYYY-MM-DD`; null for a missing or invalid one. */
export function monthAndDay(
  date: string | null | undefined,
  locale: Intl.Locale,
): { month: string; day: string } | null {
  const at = dayOf(date)
  if (!at) return null
  const month = dateFormat(dateLocale(locale), {
    month: 'short',
    timeZone: 'UTC',
  }).format(at)
  return { month, day: String(at.getUTCDate()) }
}
