import type { Language } from '../../../contract/vocabulary.ts'
import type { FoundEvent } from '../event.ts'
import { daysInGerman } from './de.ts'
import { daysInSpanish } from './es.ts'
import { daysInFrench } from './fr.ts'
import { daysInItalian } from './it.ts'
import { daysInJapanese } from './ja.ts'
import { daysInDutch } from './nl.ts'
import { daysInPolish } from './pl.ts'
import { daysInPortuguese } from './pt.ts'
import { daysInSwedish } from './sv.ts'
import type { DayNames, DayTexts, WellKnownDays } from './texts.ts'

/** The calendar itself is in English, as in the API. Languages that the console does not have have names only. */
const catalogs: Record<Exclude<Language, 'en'>, WellKnownDays | DayNames> = {
  de: daysInGerman,
  fr: daysInFrench,
  es: daysInSpanish,
  pt: daysInPortuguese,
  nl: daysInDutch,
  it: daysInItalian,
  pl: daysInPolish,
  sv: daysInSwedish,
  ja: daysInJapanese,
}

/** An event as a person reads it: well-known days in their language, own events as written. */
export function eventInLanguage(found: FoundEvent, language: Language): FoundEvent {
  if (language === 'en' || found.ownSlug !== null) return found
  const texts = new Map<string, DayTexts | string>(Object.entries(catalogs[language]))
  const day = found.linkedBy.map((slug) => texts.get(slug)).find((one) => one !== undefined)
  if (day === undefined) return found
  const translated = typeof day === 'string' ? { name: day } : day
  return { ...found, event: { ...found.event, ...translated } }
}
