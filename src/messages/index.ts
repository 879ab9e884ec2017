import { type Language, languages } from '../contract/vocabulary.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { parseMessage } from './format.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import type { MessageArguments, Messages } from './messages.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { sv } from './sv.ts'

export { parseMessage } from './format.ts'

const catalogs: Record<Language, Messages> = { en, de, fr, es, pt, nl, it, pl, sv, ja }

/** The language for a code; English for a code without a message catalog. */
export const languageOf = (code: string): Language =>
  languages.find((language) => language === code) ?? 'en'

/** The messages of a language. */
export const messagesIn = (language: Language): Messages => catalogs[language]

/** Formats a sentence in a language. */
export function message<Key extends keyof MessageArguments>(
  language: Language,
  key: Key,
  values: MessageArguments[Key],
): string {
  const format = parseMessage(catalogs[language][key], localeOf(language))
  return String(format.format({ ...values })).trim()
}

/** The locale for dates and numbers. English uses British dates, with the day first. */
export const localeOf = (language: Language): string => (language === 'en' ? 'en-GB' : language)
