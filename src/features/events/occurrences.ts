import type { EventCategory } from '../../contract/vocabulary.ts'
import { type CalendarDay, fixed, type Rule } from './calendar/index.ts'
import type { EventRow } from './sql.ts'

/** A day of the calendar, or an event of a team, on one date. */
export interface Occurrence {
  slug: string
  name: string
  event_date: string
  category: EventCategory
  recurs: boolean
  /** The slug of the event in every year. */
  originSlug: string
  /** The slug of this occurrence; the slug of the event when it does not recur. */
  datedSlug: string
}

interface RecurringEvent {
  slug: string
  name: string
  category: EventCategory
  dates: Rule
}

/**
 * The events of a team's calendar in these years, unsorted: its own events, and the given days
 * unless the team has an event with the same slug. The next occurrence of a recurring event (today
 * counts) has the slug of the event, every other one `<slug>-<year>`, so every slug is unique.
 */
export function occurrences(
  own: readonly EventRow[],
  days: readonly CalendarDay[],
  years: readonly number[],
  today: string,
): Occurrence[] {
  const taken = new Set(own.map(({ slug }) => slug))
  const once = own
    .filter(({ recurs }) => !recurs)
    .map((event) => ({ ...event, originSlug: event.slug, datedSlug: event.slug }))
  const yearly = own.filter(({ recurs }) => recurs)
  const shipped = days.filter(({ slug }) => !taken.has(slug))
  return [
    ...once,
    ...yearly.flatMap((event) => recur(startingWith(event), yearsOf(event, years), taken, today)),
    ...shipped.flatMap((day) => recur(day, years, taken, today)),
  ]
}

function startingWith(event: EventRow): RecurringEvent {
  const [first = 0, month = 1, day = 1] = event.event_date.split('-').map(Number)
  const rule = fixed(month, day)
  return { ...event, dates: (year) => (year < first ? [] : rule(year)) }
}

/** An event that begins after these years is included with its first occurrence. */
function yearsOf({ event_date }: EventRow, years: readonly number[]): readonly number[] {
  const first = Number.parseInt(event_date, 10)
  return years.some((year) => year >= first) ? years : [first]
}

function recur(
  { slug, name, category, dates }: RecurringEvent,
  years: readonly number[],
  taken: ReadonlySet<string>,
  today: string,
): Occurrence[] {
  const times = years
    .flatMap((year) => dates(year).map((date, at) => ({ date, datedSlug: slugIn(slug, year, at) })))
    .filter(({ datedSlug }) => !taken.has(datedSlug))
  const next = times.find(({ date }) => date >= today)
  return times.map((time) => ({
    slug: time === next ? slug : time.datedSlug,
    name,
    event_date: time.date,
    category,
    recurs: true,
    originSlug: slug,
    datedSlug: time.datedSlug,
  }))
}

// A lunar year is shorter than a solar year, so a lunar date can occur twice in one year.
function slugIn(slug: string, year: number, at: number): string {
  return at === 0 ? `${slug}-${year}` : `${slug}-${year}-${at + 1}`
}

/** The parts of `<slug>-<year>`, or null for another slug. */
export function readDatedSlug(slug: string): { slug: string; year: number } | null {
  const [suffix, year] = /-((?:19|20)\d{2})(?:-\d)?$/.exec(slug) ?? []
  return suffix === undefined ? null : { slug: slug.slice(0, -suffix.length), year: Number(year) }
}
