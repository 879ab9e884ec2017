import * as v from 'valibot'
import type { CalendarEvent } from '../../contract/event.ts'
import { slug as slugSchema } from '../../contract/text.ts'
import type { EventCategory } from '../../contract/vocabulary.ts'
import { daysAfter, type Now, systemClock, utcDay } from '../../lib/clock.ts'
import { type Sql, withDeadline } from '../../lib/db.ts'
import { notFound } from '../../lib/errors.ts'
import type { Page, PageRequest } from '../../lib/pagination.ts'
import { type CalendarDay, calendar } from './calendar/index.ts'
import { type Occurrence, occurrences, readDatedSlug } from './occurrences.ts'
import { type EventTexts, selectEvents, selectEventsBySlug } from './sql.ts'

const daysBySlug: ReadonlyMap<string, CalendarDay> = new Map(calendar.map((day) => [day.slug, day]))

export interface EventFilter {
  /** From today on. */
  upcoming: boolean
  /** From today to so many days later. */
  daysAhead: number | null
  category: readonly EventCategory[]
}

/** Where an event stands in a list: by date, then slug. Sorts as text, and fits into a cursor. */
export function eventKey({ event_date, slug }: { event_date: string; slug: string }): string {
  return `${event_date}|${slug}`
}

const inOrder = (a: Occurrence, b: Occurrence) => (eventKey(a) < eventKey(b) ? -1 : 1)

/**
 * A page of a team's calendar: its own events and the well-known days of this year and the next, by
 * date. What recurs goes by its slug the next time it comes (today, in UTC, counts), and by
 * `<slug>-<year>` otherwise.
 */
export async function listEvents(
  sql: Sql,
  now: Now,
  teamId: string,
  filter: EventFilter,
  page: PageRequest,
): Promise<Page<CalendarEvent>> {
  const today = utcDay(now())
  const own = await withDeadline(selectEvents(sql, teamId))
  const matching = occurrences(own, calendar, listedYears(today), today)
    .filter(matcher(filter, today))
    .sort(inOrder)
  const { afterId } = page
  const rest =
    afterId === undefined ? matching : matching.filter((event) => eventKey(event) > afterId)
  const start = afterId === undefined ? (page.page - 1) * page.perPage : 0
  const end = start + page.perPage
  return {
    items: await withTexts(sql, teamId, rest.slice(start, end)),
    counted: matching.length,
    hasMore: rest.length > end,
  }
}

const yearOf = (day: string) => Number.parseInt(day, 10)
const listedYears = (today: string) => [yearOf(today), yearOf(today) + 1]
const yearsWith = (years: readonly number[], year: number | undefined) =>
  [...new Set(year === undefined ? years : [...years, year])].sort((a, b) => a - b)

function matcher({ upcoming, daysAhead, category }: EventFilter, today: string) {
  const from = upcoming || daysAhead !== null ? today : ''
  const to = daysAhead === null ? '9999' : daysAfter(today, daysAhead)
  return (event: Occurrence) =>
    event.event_date >= from &&
    event.event_date <= to &&
    (category.length === 0 || category.includes(event.category))
}

async function withTexts(
  sql: Sql,
  teamId: string,
  events: readonly Occurrence[],
): Promise<CalendarEvent[]> {
  const slugs = events.map(({ originSlug }) => originSlug)
  const own = await withDeadline(selectEventsBySlug(sql, teamId, slugs))
  return events.map((event) => toEvent(event, own))
}

function toEvent(event: Occurrence, own: readonly EventTexts[]): CalendarEvent {
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

/** One time of an event. */
export interface FoundEvent {
  event: CalendarEvent
  /** The slug of the team's own event it comes from; null for a well-known day. */
  ownSlug: string | null
  /** The slugs under which blocks belong to it: every year's, and this year's alone. */
  linkedBy: string[]
}

/**
 * The event of a team with this slug: the next time it comes, or for `<slug>-<year>` that year's; it
 * answers under the slug it was asked by. Throws `not_found`.
 */
export async function getEvent(
  sql: Sql,
  now: Now,
  teamId: string,
  slug: string,
): Promise<FoundEvent> {
  const found = await findEvent(sql, now, teamId, slug)
  if (!found) throw notFound('The event')
  return found
}

async function findEvent(
  sql: Sql,
  now: Now,
  teamId: string,
  slug: string,
): Promise<FoundEvent | null> {
  if (!v.is(slugSchema, slug)) return null
  const today = utcDay(now())
  const dated = readDatedSlug(slug)
  const listed = listedYears(today)
  const names = dated ? [slug, dated.slug] : [slug]
  // A team's own event in the place of a single year counts when the next time is looked for.
  const replaced = listed.map((year) => `${slug}-${year}`)
  const own = await withDeadline(selectEventsBySlug(sql, teamId, [...names, ...replaced]))
  const days = names.flatMap((name) => daysBySlug.get(name) ?? [])
  const all = occurrences(own, days, yearsWith(listed, dated?.year), today)
  const found =
    all.find((event) => event.slug === slug) ??
    all.find((event) => event.datedSlug === slug) ??
    all.findLast((event) => event.originSlug === slug)
  return found ? toFound({ ...found, slug }, own) : null
}

function toFound(found: Occurrence, own: readonly EventTexts[]): FoundEvent {
  const { originSlug, datedSlug } = found
  return {
    event: toEvent(found, own),
    ownSlug: own.some(({ slug }) => slug === originSlug) ? originSlug : null,
    linkedBy: [originSlug, datedSlug],
  }
}

/** What a team's calendar holds from one day to another, both `YYYY-MM-DD` and both in it, by date. */
export async function eventsBetween(
  sql: Sql,
  now: Now,
  teamId: string,
  { from, to, category }: { from: string; to: string; category: readonly EventCategory[] },
): Promise<FoundEvent[]> {
  const today = utcDay(now())
  const rows = await withDeadline(selectEvents(sql, teamId))
  const years = yearsWith(yearsWith(listedYears(today), yearOf(from)), yearOf(to))
  const matching = occurrences(rows, calendar, years, today)
    .filter(({ event_date }) => event_date >= from && event_date <= to)
    .filter((event) => category.length === 0 || category.includes(event.category))
    .sort(inOrder)
  const slugs = matching.map(({ originSlug }) => originSlug)
  const own = await withDeadline(selectEventsBySlug(sql, teamId, slugs))
  return matching.map((event) => toFound(event, own))
}

/** The name of the well-known day that goes by this slug, whether or not a team has put its own there. */
export function wellKnownDay(slug: string): string | null {
  return daysBySlug.get(slug)?.name ?? null
}

/** A warning when the team has no such event yet: the block keeps the slug and links up later. */
export async function missingEvent(
  sql: Sql,
  teamId: string,
  slug: string,
  now: Now = systemClock,
): Promise<string[]> {
  return (await findEvent(sql, now, teamId, slug))
    ? []
    : [`event_slug "${slug}" does not match an event yet; the block links up when it appears`]
}

/** Up to 100 events whose name holds `words`, each once: the coming ones first, soonest first. */
export async function findEvents(
  sql: Sql,
  teamId: string,
  words: string,
  now: Now = systemClock,
): Promise<{ slug: string; name: string }[]> {
  const today = utcDay(now())
  const own = await withDeadline(selectEvents(sql, teamId))
  const wanted = words.trim().toLowerCase()
  const matching = occurrences(own, calendar, listedYears(today), today)
    .filter(({ slug, originSlug }) => slug === originSlug)
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort(inOrder)
  const coming = matching.filter(({ event_date }) => event_date >= today)
  const past = matching.filter(({ event_date }) => event_date < today).reverse()
  return [...coming, ...past].slice(0, 100).map(({ slug, name }) => ({ slug, name }))
}
