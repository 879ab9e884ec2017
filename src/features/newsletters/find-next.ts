import type { ReadContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { selectNext } from './list-sql.ts'

/** A newsletter that is in preparation. */
interface NextNewsletter {
  title: string
  /** The day on which the team plans to send it, such as `2026-11-27`. */
  date: string | null
  blocks: number
}

/** The newsletter that is sent next: the one that is planned first, else the newest one; null without any. */
export async function findNextNewsletter({
  sql,
  actor,
}: ReadContext): Promise<NextNewsletter | null> {
  return (await withDeadline(selectNext(sql, actor.teamId))) ?? null
}
