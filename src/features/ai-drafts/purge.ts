import { daysAfter, type Now, utcDay } from '../../lib/clock.ts'
import { type Sql, withDeadline } from '../../lib/db.ts'
import { deleteUsageBefore } from './sql.ts'

const retentionDays = 400

/** Deletes the monthly counts of AI drafts after 400 days. */
export async function purgeAiUsage(sql: Sql, now: Now): Promise<void> {
  await withDeadline(deleteUsageBefore(sql, daysAfter(utcDay(now()), -retentionDays)))
}
