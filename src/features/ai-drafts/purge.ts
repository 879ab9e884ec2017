import { daysAfter, utcDay } from '../../lib/clock.ts'
import type { ServiceContext } from '../../lib/context.ts'
import { deleteUsageBefore } from './sql.ts'

const retentionDays = 400

/** Deletes the monthly counts of AI drafts after 400 days. */
export async function purgeAiUsage({ sql, now }: ServiceContext): Promise<void> {
  await deleteUsageBefore(sql, daysAfter(utcDay(now()), -retentionDays))
}
