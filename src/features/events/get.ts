import * as v from 'valibot'
import { slug as slugSchema } from '../../contract/text.ts'
import { utcDay } from '../../lib/clock.ts'
import type { Context } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { AppError, notFound } from '../../lib/errors.ts'
import { daysBySlug, type FoundEvent, listedYears, toFound, yearsWith } from './event.ts'
import { occurrences, readDatedSlug } from './occurrences.ts'
import { type OwnEvent, selectEventsBySlug } from './sql.ts'

/**
 * The event of a team with this slug: its next occurrence, or for `<slug>-<year>` the one of that year.
 * It is returned with the requested slug. Throws `not_found`.
 */
export async function getEvent(ctx: Context, slug: string): Promise<FoundEvent> {
  const found = await findEvent(ctx, slug)
  if (!found) throw notFound('The event')
  return found
}

/** As `getEvent`; null when there is none. */
export async function findEvent(ctx: Context, slug: string): Promise<FoundEvent | null> {
  const [found] = await findBySlug(ctx, [slug])
  return found ?? null
}

/** The days (`YYYY-MM-DD`) of the events with these slugs, as `getEvent` finds them, by slug. */
export async function findEventDates(
  ctx: Context,
  slugs: readonly string[],
): Promise<Map<string, string>> {
  const found = slugs.length === 0 ? [] : await findBySlug(ctx, slugs)
  return new Map(found.map(({ event }) => [event.slug, event.event_date]))
}

/** The events with these slugs, with one query; slugs without an event are left out. */
async function findBySlug(
  { sql, now, actor: { teamId } }: Context,
  slugs: readonly string[],
): Promise<FoundEvent[]> {
  const today = utcDay(now())
  const wanted = slugs.filter((slug) => v.is(slugSchema, slug)).map((slug) => namesOf(slug, today))
  if (wanted.length === 0) return []
  const own = await withDeadline(
    selectEventsBySlug(
      sql,
      teamId,
      wanted.flatMap(({ names, replaced }) => [...names, ...replaced]),
    ),
  )
  return wanted.flatMap((one) => occurrenceOf(one, own, today) ?? [])
}

interface WantedEvent {
  slug: string
  /** The slug, and for `<slug>-<year>` also the slug without the year. */
  names: string[]
  /** The team's own events that may replace the day of one year, which count for the next occurrence. */
  replaced: string[]
  years: number[]
}

function namesOf(slug: string, today: string): WantedEvent {
  const dated = readDatedSlug(slug)
  const listed = listedYears(today)
  return {
    slug,
    names: dated ? [slug, dated.slug] : [slug],
    replaced: listed.map((year) => `${slug}-${year}`),
    years: yearsWith(listed, dated?.year),
  }
}

function occurrenceOf(
  { slug, names, replaced, years }: WantedEvent,
  rows: Awaited<ReturnType<typeof selectEventsBySlug>>,
  today: string,
): FoundEvent | null {
  const own = rows.filter((row) => [...names, ...replaced].includes(row.slug))
  const days = names.flatMap((name) => daysBySlug.get(name) ?? [])
  const all = occurrences(own, days, years, today)
  const found =
    all.find((event) => event.slug === slug) ??
    all.find((event) => event.datedSlug === slug) ??
    all.findLast((event) => event.originSlug === slug)
  return found ? toFound({ ...found, slug }, own) : null
}

/** The name of the well-known day with this slug, also when a team has replaced it. */
export function wellKnownDay(slug: string): string | null {
  return daysBySlug.get(slug)?.name ?? null
}

/** A warning when the team has no event with this slug; a block keeps the slug and is linked later. */
export async function listEventWarnings(ctx: Context, slug: string): Promise<string[]> {
  return (await findEvent(ctx, slug))
    ? []
    : [`event_slug "${slug}" does not match an event yet; the block links up when it appears`]
}

/** A team's own event as it is stored: `event_date` is its first occurrence. Throws `not_found`. */
export async function getOwnEvent({ sql, actor }: Context, slug: string): Promise<OwnEvent> {
  const [own] = await withDeadline(selectEventsBySlug(sql, actor.teamId, [slug]))
  if (!own) throw notFound('The event')
  return own
}

/**
 * Throws `event_read_only` unless the slug is that of a team's own event, and `not_found` when there is
 * no such event at all.
 */
export async function requireOwnEvent(ctx: Context, slug: string): Promise<void> {
  const { event, ownSlug } = await getEvent(ctx, slug)
  if (ownSlug === slug) return
  const message =
    ownSlug === null
      ? `"${event.name}" is a day of the built-in calendar. Create an event with the slug "${slug}" to replace it.`
      : `This is one date of the event "${ownSlug}". Change that one, or create an event with the slug "${slug}" for this date.`
  throw new AppError('event_read_only', message, { extra: { own_slug: ownSlug } })
}
