/** How dates and times are written for a person. */
export interface Reader {
  /** A locale that `Intl` supports, such as `en-GB`. */
  locale: string
  /** An IANA time zone, or null when it is not known yet; times are in UTC then. */
  timeZone: string | null
}

const defaultLocale = 'en-GB'

/** The first language in `Accept-Language` that `Intl` supports (RFC 9110, section 12.5.4). */
export function localeOf(request: Request): string {
  const header = (request.headers.get('accept-language') ?? '').slice(0, 200)
  const languages = header.split(',').map((part) => part.split(';')[0]?.trim() ?? '')
  return languages.find(isSupported) ?? defaultLocale
}

function isSupported(language: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language).length > 0
  } catch {
    return false
  }
}
