import * as v from 'valibot'
import { slug as slugSchema } from '../../contract/text.ts'
import { type Now, systemClock, utcDay } from '../../lib/clock.ts'
import { type Sql, withDeadline } from '../../lib/db.ts'
import { notFound } from '../../lib/errors.ts'
import type { FoundEvent } from './event.ts'
import { daysBySlug, listedYears, toFound, yearsWith } from './event.ts'
import { occurrences, readDatedSlug } from './occurrences.ts'
import { selectEventsBySlug } from './sql.ts'

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
