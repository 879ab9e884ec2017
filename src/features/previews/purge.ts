import { utcDay } from '../../lib/clock.ts'
import type { ServiceContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { deleteDailyUsageBefore, deletePreviewsBefore } from './sql.ts'

const retentionDays = 30

/** Deletes previews, their emails and the daily counts after 30 days. */
export async function purgePreviews({ sql, now }: ServiceContext): Promise<void> {
  const before = new Date(now().getTime() - retentionDays * 24 * 3_600_000)
  await withDeadline(deletePreviewsBefore(sql, before))
  await withDeadline(deleteDailyUsageBefore(sql, utcDay(before)))
}
