import { daysAfter, utcDay } from '../../lib/clock.ts'
import type { Context, ReadContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { selectNext } from './list-sql.ts'

/** A newsletter that is in preparation. */
interface NextNewsletter {
  title: string
  /** The day on which the team plans to send it, such as `2026-11-27`. */
  date: string | null
  blocks: number
}

/** How long a newsletter that is late is still the next one; later, the team has probably skipped it. */
const daysOfGrace = 3

/**
 * The newsletter that is sent next: the one that is planned first, else the newest one; null without any. A date
 * that has passed some days ago counts as none.
 */
export async function findNextNewsletter({
  sql,
  now,
  actor,
}: ReadContext & Pick<Context, 'now'>): Promise<NextNewsletter | null> {
  const from = daysAfter(utcDay(now()), -daysOfGrace)
  return (await withDeadline(selectNext(sql, actor.teamId, from))) ?? null
}
