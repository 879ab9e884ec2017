import { boundedCache } from '../bounded-cache.ts'

// Requests choose the locale, and people the time zone.
const formatOf = boundedCache<Intl.DateTimeFormat>(1_000)

/** A format of dates. Creating one takes a hundred times as long as using it, so it is used again. */
export const dateFormat = (
  locale: string | Intl.Locale,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat =>
  formatOf(`${locale} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(locale, options))
