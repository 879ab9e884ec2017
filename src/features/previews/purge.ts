import { daysBefore, utcDay } from '../../lib/clock.ts'
import type { ServiceContext } from '../../lib/context.ts'
import { deleteDailyUsageBefore, deletePreviewsBefore } from './sql.ts'

/** How long previews and their emails stay. */
export const retentionDays = 30

/** Deletes previews, their emails and the daily counts after 30 days. */
export async function purgePreviews({ sql, now }: ServiceContext): Promise<void> {
  const before = daysBefore(now(), retentionDays)
  await deletePreviewsBefore(sql, before)
  await deleteDailyUsageBefore(sql, utcDay(before))
}
