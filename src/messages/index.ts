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

// Parsing a message takes longer than formatting it.
const formats = new Map<string, IntlMessageFormat>()

/** Formats a sentence in a language. */
export function message<Key extends keyof MessageArguments>(
  language: Language,
  key: Key,
  values: MessageArguments[Key],
): string {
  const id = `${language} ${key}`
  let format = formats.get(id)
  if (format === undefined) {
    // Values are text that people wrote: `ignoreTag` prevents that a `<` is read as markup.
    format = new IntlMessageFormat(catalogs[language][key], localeOf(language), undefined, {
      ignoreTag: true,
    })
    formats.set(id, format)
  }
  return String(format.format({ ...values })).trim()
}

/** The locale for dates and numbers. English uses British dates, with the day first. */
export const localeOf = (language: Language): string => (language === 'en' ? 'en-GB' : language)
