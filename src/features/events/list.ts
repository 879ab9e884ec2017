import type { CalendarEvent } from '../../contract/events/event.ts'
import type { EventCategory, Language } from '../../contract/vocabulary.ts'
import { daysAfter, utcDay } from '../../lib/clock.ts'
import type { Context } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import type { Page, PageRequest } from '../../lib/lists/pagination.ts'
import { calendar } from './calendar/index.ts'
import { eventInLanguage } from './days/in-language.ts'
import {
  eventKey,
  type FoundEvent,
  listedYears,
  toEvent,
  toFound,
  yearOf,
  yearsWith,
} from './event.ts'
import { type Occurrence, occurrences } from './occurrences.ts'
import { selectEvents, selectEventsBySlug } from './sql.ts'

/** Which events a list contains. */
export interface EventFilter {
  /** From today on. */
  upcoming: boolean
  /** From today to so many days later. */
  daysAhead: number | null
  category: readonly EventCategory[]
  /** Without it, the earliest date comes first. */
  latestFirst?: boolean
}

const inOrder = (a: Occurrence, b: Occurrence) => (eventKey(a) < eventKey(b) ? -1 : 1)

/**
 * A page of a team's calendar: its own events and the well-known days of this year and the next, by
 * date. The next occurrence of a recurring event (today counts, in UTC) has the slug of the event, every
 * other occurrence has `<slug>-<year>`.
 */
export async function listEvents(
  ctx: Context,
  { filter, page }: { filter: EventFilter; page: PageRequest },
): Promise<Page<CalendarEvent>> {
  const today = utcDay(ctx.now())
  const own = await withDeadline(selectEvents(ctx.sql, ctx.actor.teamId))
  const matching = occurrences(own, calendar, listedYears(today), today)
    .filter(matcher(filter, today))
    .sort(inOrder)
  if (filter.latestFirst) matching.reverse()
  const { afterId } = page
  const comesAfter = (key: string, position: string) =>
    filter.latestFirst ? key < position : key > position
  const rest = matching.filter(
    (event) => afterId === undefined || comesAfter(eventKey(event), afterId),
  )
  const start = afterId === undefined ? (page.page - 1) * page.perPage : 0
  const end = start + page.perPage
  return {
    items: await withTexts(ctx, rest.slice(start, end)),
    counted: matching.length,
    hasMore: rest.length > end,
  }
}

function matcher({ upcoming, daysAhead, category }: EventFilter, today: string) {
  const from = upcoming || daysAhead !== null ? today : ''
  const to = daysAhead === null ? '9999' : daysAfter(today, daysAhead)
  return (event: Occurrence) =>
    event.event_date >= from &&
    event.event_date <= to &&
    (category.length === 0 || category.includes(event.category))
}

async function withTexts(
  { sql, actor }: Context,
  events: readonly Occurrence[],
): Promise<CalendarEvent[]> {
  const slugs = events.map(({ originSlug }) => originSlug)
  const own = await withDeadline(selectEventsBySlug(sql, actor.teamId, slugs))
  return events.map((event) => toEvent(event, own))
}

/** The events of a team's calendar from one day to another (`YYYY-MM-DD`, both included), by date. */
export async function listEventsBetween(
  { sql, now, actor: { teamId } }: Context,
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

/**
 * Up to 100 events whose name contains `words`, each once: the coming ones first, soonest first. Names
 * of well-known days are in a language, and found in English, too.
 */
export async function findEvents(
  { sql, now, actor }: Context,
  { words, language }: { words: string; language: Language },
): Promise<{ slug: string; name: string }[]> {
  const today = utcDay(now())
  const own = await withDeadline(selectEvents(sql, actor.teamId))
  const texts = own.map(({ slug }) => ({ slug, description: null, suggested_content: null }))
  const wanted = words.trim().toLowerCase()
  const matching = occurrences(own, calendar, listedYears(today), today)
    .filter(({ slug, originSlug }) => slug === originSlug)
    .sort(inOrder)
    .map((one) => ({ ...one, shown: eventInLanguage(toFound(one, texts), language).event.name }))
    .filter(({ shown, name }) =>
      [shown, name].some((words) => words.toLowerCase().includes(wanted)),
    )
  const coming = matching.filter(({ event_date }) => event_date >= today)
  const past = matching.filter(({ event_date }) => event_date < today).reverse()
  return [...coming, ...past].slice(0, 100).map(({ slug, shown }) => ({ slug, name: shown }))
}
