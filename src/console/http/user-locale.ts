import { type Language, languages } from '../../contract/vocabulary.ts'
import { boundedCache } from '../../lib/bounded-cache.ts'
import { localeOf } from '../../locales/index.ts'
import { type ConsoleLanguage, consoleLanguageOf, preferredLanguage } from '../locales/index.ts'

/** The language in which a person reads the pages, and how dates and times are written. */
export interface UserLocale {
  language: ConsoleLanguage
  /** A locale that `Intl` supports, such as `en-GB`. */
  locale: string
  /** An IANA time zone, or null when it is not known yet; times are in UTC then. */
  timeZone: string | null
}

interface Preferences {
  /** The language that the person has chosen; null: the language of the browser. */
  chosen?: string | null
  /** The language of the team, for browsers whose languages the console does not have. */
  team?: string
  timeZone?: string | null
}

/**
 * The language, locale and time zone of a request. The language is the chosen one, else the first language of the browser that
 * the console has, else the language of the team, else English.
 */
export function userLocaleOf(
  request: Request,
  { chosen = null, team = '', timeZone = null }: Preferences = {},
): UserLocale {
  const accepted = acceptedLocales(request)
  const language = preferredLanguage([...(chosen === null ? accepted : [chosen]), team])
  // The dates of a browser in French stay French, although its person reads English.
  const own = accepted.find((one) => chosen === null || consoleLanguageOf(one) === language)
  return { language, locale: own ?? localeOf(language), timeZone }
}

/** The first language of the browser that newsletters can have, which a new team gets. */
export function newTeamLanguage(request: Request): Language {
  const accepted = acceptedLocales(request).map((one) => new Intl.Locale(one).language)
  const known = accepted.map((code) => languages.find((language) => language === code))
  return known.find((language) => language !== undefined) ?? 'en'
}

/** The locales in `Accept-Language` that `Intl` supports (RFC 9110, section 12.5.4). */
function acceptedLocales(request: Request): string[] {
  const header = (request.headers.get('accept-language') ?? '').slice(0, 200)
  const locales = header.split(',').map((part) => part.split(';')[0]?.trim() ?? '')
  return locales.filter(isSupported)
}

// `Intl` responds slowly, and browsers send few locales.
const answers = boundedCache<boolean>(500)

const isSupported = (locale: string) => answers(locale, () => hasLocale(locale))

function hasLocale(locale: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0
  } catch {
    return false
  }
}
