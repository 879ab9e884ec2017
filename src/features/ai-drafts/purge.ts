import { daysAfter, utcDay } from '../../lib/clock.ts'
import type { ServiceContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { deleteUsageBefore } from './sql.ts'

const retentionDays = 400

/** Deletes the monthly counts of AI drafts after 400 days. */
export async function purgeAiUsage({ sql, now }: ServiceContext): Promise<void> {
  await withDeadline(deleteUsageBefore(sql, daysAfter(utcDay(now()), -retentionDays)))
}
