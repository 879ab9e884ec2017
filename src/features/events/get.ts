import * as v from 'valibot'
import { slug as slugSchema } from '../../contract/text.ts'
import { utcDay } from '../../lib/clock.ts'
import type { Context } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import type { FoundEvent } from './event.ts'
import { daysBySlug, listedYears, toFound, yearsWith } from './event.ts'
import { occurrences, readDatedSlug } from './occurrences.ts'
import { selectEventsBySlug } from './sql.ts'

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
export async function findEvent(
  { sql, now, actor: { teamId } }: Context,
  slug: string,
): Promise<FoundEvent | null> {
  if (!v.is(slugSchema, slug)) return null
  const today = utcDay(now())
  const dated = readDatedSlug(slug)
  const listed = listedYears(today)
  const names = dated ? [slug, dated.slug] : [slug]
  // A team's own event that replaces the day of one year counts for the next occurrence.
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

/** The name of the well-known day with this slug, also when a team has replaced it. */
export function wellKnownDay(slug: string): string | null {
  return daysBySlug.get(slug)?.name ?? null
}

/** A warning when the team has no event with this slug; a block keeps the slug and is linked later. */
export async function missingEvent(ctx: Context, slug: string): Promise<string[]> {
  return (await findEvent(ctx, slug))
    ? []
    : [`event_slug "${slug}" does not match an event yet; the block links up when it appears`]
}
