import type { Language } from '../../../../src/contract/vocabulary.ts'
import { localeOf, parseMessage } from '../../../../src/locales/index.ts'
import { de } from './de.ts'
import { type ChatTexts, en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { sv } from './sv.ts'

const catalogs: Record<Language, ChatTexts> = { en, de, fr, es, pt, nl, it, pl, sv, ja }

/** The sentences of the bot in a language, in ICU MessageFormat. */
export const chatTextsIn = (language: Language): ChatTexts => catalogs[language]

/**
 * A sentence of the bot in the language of the team. Values are inserted as they are, so the caller
 * escapes them for its chat.
 */
export const chatText = (
  language: Language,
  key: keyof ChatTexts,
  values: Record<string, string | number> = {},
): string => String(parseMessage(catalogs[language][key], localeOf(language)).format(values))
