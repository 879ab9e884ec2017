import type { Language } from '../../../contract/vocabulary.ts'
import type { FoundEvent } from '../event.ts'
import { daysInGerman } from './de.ts'
import type { DayTexts, WellKnownDays } from './texts.ts'

/** The calendar itself is in English, as in the API; it is shown in English in languages without texts. */
const catalogs: Partial<Record<Language, WellKnownDays>> = { de: daysInGerman }

/** An event as a person reads it: well-known days in their language, own events as written. */
export function eventInLanguage(found: FoundEvent, language: Language): FoundEvent {
  const catalog = catalogs[language]
  if (catalog === undefined || found.ownSlug !== null) return found
  const texts = new Map<string, DayTexts>(Object.entries(catalog))
  const day = found.linkedBy.map((slug) => texts.get(slug)).find((one) => one !== undefined)
  return day === undefined ? found : { ...found, event: { ...found.event, ...day } }
}
