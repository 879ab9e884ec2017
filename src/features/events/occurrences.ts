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
  /** The slug of the event itself, every year. */
  originSlug: string
  /** The slug of this one time; the same where an event does not recur. */
  datedSlug: string
}

interface RecurringEvent {
  slug: string
  name: string
  category: EventCategory
  dates: Rule
}

/**
 * What a team's calendar holds in these years, in no order: its own events, and the given days unless
 * the team has an event of the same slug. An event that recurs goes by its slug the next time it
 * comes (today counts) and by `<slug>-<year>` at every other time, so a slug never stands twice.
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

/** An event that begins later than all these years still shows, by its first time. */
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

// A lunar year is shorter than ours, so that a day of it can come twice in one year.
function slugIn(slug: string, year: number, at: number): string {
  return at === 0 ? `${slug}-${year}` : `${slug}-${year}-${at + 1}`
}

/** What `<slug>-<year>` is made of, or null for a slug of another form. */
export function readDatedSlug(slug: string): { slug: string; year: number } | null {
  const [suffix, year] = /-((?:19|20)\d{2})(?:-\d)?$/.exec(slug) ?? []
  return suffix === undefined ? null : { slug: slug.slice(0, -suffix.length), year: Number(year) }
}
