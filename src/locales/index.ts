import { IntlMessageFormat } from 'intl-messageformat'
import { type Language, languages } from '../contract/vocabulary.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import type { MessageArguments, Messages } from './messages.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { sv } from './sv.ts'

const catalogs: Record<Language, Messages> = { en, de, fr, es, pt, nl, it, pl, sv, ja }

/** The language for a code; English for a code without a message catalog. */
export const languageOf = (code: string): Language =>
  languages.find((language) => language === code) ?? 'en'

/** The messages of a language. */
export const messagesIn = (language: Language): Messages => catalogs[language]

/** Formats a sentence in a language. */
export function formatMessage<Key extends keyof MessageArguments>(
  language: Language,
  key: Key,
  values: MessageArguments[Key],
): string {
  const format = parseMessage(catalogs[language][key], localeOf(language))
  return String(format.format({ ...values })).trim()
}

/** The locale for dates and numbers. English uses British dates, with the day first. */
export const localeOf = (language: Language): string => (language === 'en' ? 'en-GB' : language)

// Parsing a message takes longer than formatting it.
const formats = new Map<string, IntlMessageFormat>()

/**
 * A message of a catalog, parsed once. Values are text that people wrote: without `tags`, a `<` in a
 * message or value is never markup.
 */
export function parseMessage(text: string, locale: string, tags = false): IntlMessageFormat {
  const id = `${locale} ${tags} ${text}`
  const known = formats.get(id)
  if (known) return known
  const format = new IntlMessageFormat(text, locale, undefined, { ignoreTag: !tags })
  formats.set(id, format)
  return format
}
