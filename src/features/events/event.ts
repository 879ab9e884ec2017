import type { CalendarEvent } from '../../contract/events/event.ts'
import { type CalendarDay, calendar } from './calendar/index.ts'
import type { Occurrence } from './occurrences.ts'
import type { EventTexts } from './sql.ts'

/** One occurrence of an event. */
export interface FoundEvent {
  event: CalendarEvent
  /** The slug of the team's own event; null for a well-known day. */
  ownSlug: string | null
  /** The slugs under which blocks belong to it: that of every year, and that of this year. */
  linkedBy: string[]
}

/** The well-known days of the calendar, by slug. */
export const daysBySlug: ReadonlyMap<string, CalendarDay> = new Map(
  calendar.map((day) => [day.slug, day]),
)

/**
 * The position of an event in a list: its date, then its slug. It sorts as text and is part of a
 * cursor.
 */
export function eventKey({ event_date, slug }: { event_date: string; slug: string }): string {
  return `${event_date}|${slug}`
}

/** The year of a day that is written as `YYYY-MM-DD`. */
export const yearOf = (day: string) => Number.parseInt(day, 10)

/** The years that lists of events show: this one and the next. */
export const listedYears = (today: string) => [yearOf(today), yearOf(today) + 1]

/** The years with one more, in order. */
export const yearsWith = (years: readonly number[], year: number | undefined) =>
  [...new Set(year === undefined ? years : [...years, year])].sort((a, b) => a - b)

/** An event in the format of the API, with the texts of the team or of the catalog. */
export function toEvent(event: Occurrence, own: readonly EventTexts[]): CalendarEvent {
  const { originSlug } = event
  const texts = own.find(({ slug }) => slug === originSlug) ?? daysBySlug.get(originSlug)
  return {
    slug: event.slug,
    name: event.name,
    event_date: event.event_date,
    category: event.category,
    description: texts?.description ?? null,
    suggested_content: texts?.suggested_content ?? null,
    recurs: event.recurs,
  }
}

/** An event with the slugs by which blocks belong to it. */
export function toFound(found: Occurrence, own: readonly EventTexts[]): FoundEvent {
  const { originSlug, datedSlug } = found
  return {
    event: toEvent(found, own),
    ownSlug: own.some(({ slug }) => slug === originSlug) ? originSlug : null,
    linkedBy: [originSlug, datedSlug],
  }
}
