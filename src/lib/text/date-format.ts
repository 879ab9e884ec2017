// Requests choose the locale, and people the time zone, so the number of formats is limited.
const formats = new Map<string, Intl.DateTimeFormat>()
const maxFormats = 1_000

/** A format of dates. Creating one takes a hundred times as long as using it, so it is used again. */
export function dateFormat(
  locale: string | Intl.Locale,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known) return known
  const format = new Intl.DateTimeFormat(locale, options)
  if (formats.size >= maxFormats) formats.clear()
  formats.set(key, format)
  return format
}
