import type { FoundEvent } from '../../../features/events/index.ts'
import type { ConsoleLanguage } from '../index.ts'
import { daysInGerman } from './de.ts'
import type { DayTexts, WellKnownDays } from './texts.ts'

/** The calendar itself is in English, as in the API. */
const catalogs: Record<Exclude<ConsoleLanguage, 'en'>, WellKnownDays> = { de: daysInGerman }

/** An event as a person reads it: well-known days in the language of the console, own events as written. */
export function inLanguage(found: FoundEvent, language: ConsoleLanguage): FoundEvent {
  if (language === 'en' || found.ownSlug !== null) return found
  const texts = new Map<string, DayTexts>(Object.entries(catalogs[language]))
  const day = found.linkedBy.map((slug) => texts.get(slug)).find((one) => one !== undefined)
  return day === undefined ? found : { ...found, event: { ...found.event, ...day } }
}
