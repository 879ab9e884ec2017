import type { Language } from '../../../../src/contract/vocabulary.ts'
import { parseMessage } from '../../../../src/locales/index.ts'
import { de } from './de.ts'
import { type ChatTexts, en } from './en.ts'

const catalogs: Partial<Record<Language, ChatTexts>> = { en, de }

/**
 * A sentence of the bot in the language of the team; English for languages without a catalog. Values are
 * inserted as they are, so the caller escapes them for its chat.
 */
export function chatText(
  language: Language,
  key: keyof ChatTexts,
  values: Record<string, string | number> = {},
): string {
  const text = catalogs[language]?.[key]
  const locale = text === undefined ? 'en-GB' : language
  return String(parseMessage(text ?? en[key], locale).format(values))
}
